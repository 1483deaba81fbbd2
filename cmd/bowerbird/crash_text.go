package main

import (
	"regexp"
	"strings"

	"bowerbird/app/agent"
	"bowerbird/ndb/clean"
)

// What may be printed of a crash: names of functions and places in the code as they are; of
// everything else, which can hold anything, what is not secret.

var (
	// Lines of a stack: the place of a call, and a call with its arguments, which are
	// numbers and may be those of a key.
	stackPlace = regexp.MustCompile(`^\t(\S.*\.(?:go|s)):(\d+)(?: \+0x[0-9a-f]+)?(?: fp=0x[0-9a-f]+ sp=0x[0-9a-f]+ pc=0x[0-9a-f]+)?$`)
	stackCall  = regexp.MustCompile(`^((?:created by )?[\w./*()%\-\[\]·…,]+)\([^()]*\)$`)
	stackMade  = regexp.MustCompile(`^created by [\w./*()%\-\[\]·…,]+(?: in goroutine \d+)?$`)
	stackHead  = regexp.MustCompile(`^goroutine \d+(?: gp=0x[0-9a-f]+ m=\S+(?: mp=0x[0-9a-f]+)?)? \[[\w ,().]+\]:$`)

	// In other text: an address, of which the host is kept, and anything long without
	// spaces.
	address = regexp.MustCompile(`(?i)\b([a-z][a-z0-9+.\-]*://)[^\s"'<>]*`)
	long    = regexp.MustCompile(`[A-Za-z0-9_+/=~.\-]{16,}`)
)

// mostCrashWords is the maximum length of a line of text, in bytes.
const mostCrashWords = 400

// cleanCrash returns what may be printed of a crash: text, and after the first head of a
// stack, stacks.
func cleanCrash(lines []string) string {
	var b strings.Builder
	stacks := false
	for _, line := range lines {
		stacks = stacks || stackHead.MatchString(line)
		if stacks {
			line = cleanStackLine(agent.NewRedactor().Text(line))
		} else {
			line = cleanCrashWords(line)
		}
		b.WriteString(line + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

func cleanStackLine(line string) string {
	if m := stackPlace.FindStringSubmatch(line); m != nil {
		parts := strings.Split(m[1], "/") // the first folders may name the user
		return "\t" + clean.Line(strings.Join(parts[max(0, len(parts)-3):], "/"), mostCrashWords) + ":" + m[2]
	}
	if m := stackCall.FindStringSubmatch(line); m != nil {
		return m[1] + "(...)"
	}
	if stackMade.MatchString(line) || stackHead.MatchString(line) {
		return line
	}
	return cleanCrashWords(line)
}

// cleanCrashWords removes from text whatever it may give away.
func cleanCrashWords(line string) string {
	line = agent.NewRedactor().Text(clean.Line(line, 0))
	line = address.ReplaceAllStringFunc(line, hostOnly)
	line = long.ReplaceAllStringFunc(line, func(word string) string {
		if !strings.ContainsAny(word, "0123456789") || strings.HasPrefix(word, "0x") && len(word) <= len("0x0123456789abcdef") {
			return word // ordinary words, and memory addresses
		}
		return "[removed]"
	})
	return clean.Line(line, mostCrashWords)
}

// hostOnly shortens an address to its scheme and host.
func hostOnly(a string) string {
	scheme, rest, _ := strings.Cut(a, "://")
	rest, _, _ = strings.Cut(rest, "/")
	rest, _, _ = strings.Cut(rest, "?")
	rest, _, _ = strings.Cut(rest, "#")
	return scheme + "://" + rest[strings.LastIndexByte(rest, '@')+1:] + "/…"
}
