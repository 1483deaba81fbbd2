package main

import (
	"strings"
	"testing"

	"bowerbird/ui/present"
)

// TestAWrongCommandLineIsAnsweredInAFewLines: what is wrong, what may be meant, and where
// to read on, not the whole help.
func TestAWrongCommandLineIsAnsweredInAFewLines(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want []string
	}{
		{[]string{"serch", "x"}, []string{`no command "serch"`, `did you mean "search"?`, `"bowerbird --help" lists all commands`}},
		{[]string{"zzzzz"}, []string{`no command "zzzzz"`, `"bowerbird --help" lists all commands`}},
		{[]string{"chats", "exprt", "1"}, []string{`bowerbird: chats has no command "exprt"`, `did you mean "export"?`}},
		{[]string{"model", "lst"}, []string{`did you mean "list"`}},
		{[]string{"help", "nope"}, []string{`no command "nope"`, `"bowerbird --help" lists all commands`}},
		{[]string{"help", "serch"}, []string{`did you mean "search"?`}},
		{[]string{"help", "chats", "exprt"}, []string{`did you mean "export"?`}},
		{[]string{"sync", "--dayz", "3"}, []string{"unknown flag: --dayz", `"bowerbird sync --help" lists the flags`}},
		{[]string{"backup"}, []string{"bowerbird: backup needs FILE", `"bowerbird backup --help"`}},
		{[]string{"backup", "a", "b"}, []string{"bowerbird backup FILE", `"bowerbird backup --help"`}},
		{[]string{"foo"}, []string{"there is no command \"foo\"\n"}},
		{[]string{"tool", "count", "{}", "x"}, []string{"tool takes NAME ARGS, but 3 arguments were given", "bowerbird tool NAME ARGS"}},
		{[]string{"search", "x", "--limit", "many"}, []string{`"many" for "--limit" flag: must be a whole number;`}},
		{[]string{"search", "x", "--limit", "0"}, []string{"--limit 0: must be 1 to 200"}},
		{[]string{"search", "x", "--order", "old"}, []string{"--order \"old\": must be newest or best\n"}},
		{[]string{"search", "x", "--as", "Ada"}, []string{"bowerbird: not a key; expected an npub, an nprofile, a hex key or a name like you@example.com\n"}},
		{[]string{"sync", "--days", "0"}, []string{"--days 0: must be 1 to"}},
		{[]string{"req", "hello"}, []string{"'h', want an object", `like {"kinds": [1], "limit": 10}`}},
		{[]string{"req", "{}", `{"authors":["npub1x"]}`}, []string{"filter 2: ", "keys in hex", `"bowerbird search" accepts names and npub codes`}},
		{[]string{"stats", "--config", "gone.toml"}, []string{"--config gone.toml: no such file; check its path"}},
		{[]string{"stats", "--config", "."}, []string{"--config .: this is a folder; name a file in it"}},
		{[]string{"backup", "."}, []string{"backup .: name a new file"}},
		{[]string{"backup", ""}, []string{"name a new file"}},
		{[]string{"ask", ""}, []string{"ask needs a question"}},
		{[]string{"ask", " \t"}, []string{"ask needs a question"}},
		{[]string{"ask"}, []string{"ask needs a question"}},
		{[]string{"prune", "--max-gb", "0"}, []string{"--max-gb and --days must be at least 1", "leave both out"}},
		{[]string{"prune", "--max-gb", "3", "--days", "0"}, []string{"--max-gb and --days must be at least 1"}},
		{[]string{"tool", "quary", "{}"}, []string{`no tool "quary"`, "query"}},
		{[]string{"ask", "--model", "builtin:dijest", "hi"}, []string{`the one built-in model is builtin:digest`}},
		{[]string{"ask", "--model", "builtin", "hi"}, []string{`PROVIDER:MODEL`, `builtin:digest`}},
		{[]string{"ask", "--model", "olama:x", "hi"}, []string{`no provider is called "olama"`, `builtin:digest`}},
		{[]string{"model", "show", "builtin:nope"}, []string{`the one built-in model is builtin:digest`}},
		{[]string{"model", "key", "builtin"}, []string{`builtin:digest needs no key`}},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			r := bowerbird(t, "", append([]string{"--data", t.TempDir()}, tt.args...)...)
			if r.code != exitUsage || r.out != "" {
				t.Errorf("exit %d, out %q", r.code, r.out)
			}
			for _, want := range tt.want {
				if !strings.Contains(r.err, want) {
					t.Errorf("%q is missing in\n%s", want, r.err)
				}
			}
			if n := strings.Count(r.err, "\n"); n > 3 {
				t.Errorf("%d lines:\n%s", n, r.err)
			}
		})
	}
}

// TestHelpIsThereForEveryCommand: by both ways, in lines that fit a terminal.
func TestHelpIsThereForEveryCommand(t *testing.T) {
	root := newRoot(&program{})
	examples := map[string]bool{"query": true, "tool": true, "req": true, "backup": true, "coverage": true, "chats": true}
	for _, cmd := range root.Commands() {
		if cmd.Hidden || cmd.Name() == "help" {
			continue
		}
		byHelp, byFlag := bowerbird(t, "", "help", cmd.Name()), bowerbird(t, "", cmd.Name(), "--help")
		if byHelp.code != exitDone || byHelp.out != byFlag.out || !strings.Contains(byHelp.out, "Usage:") {
			t.Errorf("help %s: exit %d\n%s", cmd.Name(), byHelp.code, byHelp.out)
		}
		for line := range strings.Lines(byHelp.out) {
			if present.Width(strings.TrimRight(line, "\n")) > 80 && !strings.HasPrefix(line, "  bowerbird ") {
				t.Errorf("%s: a line of %d characters: %s", cmd.Name(), len(line), line)
			}
		}
		has := strings.Contains(byHelp.out, "Examples:\n  bowerbird ")
		if examples[cmd.Name()] && !has {
			t.Errorf("help %s has no example:\n%s", cmd.Name(), byHelp.out)
		}
	}
}

// TestTheExamplesOfTheHelpWork runs those that need no relay and write no file of their
// own place on the sample.
func TestTheExamplesOfTheHelpWork(t *testing.T) {
	data := t.TempDir()
	t.Chdir(t.TempDir()) // where backup writes
	ran := 0
	for _, cmd := range newRoot(&program{}).Commands() {
		for line := range strings.Lines(cmd.Example) {
			args, ok := exampleArgs(line)
			if !ok {
				t.Errorf("%s: no command line: %q", cmd.Name(), line)
				continue
			}
			if strings.Contains(line, "ID") { // of a chat of one's own
				continue
			}
			ran++
			r := bowerbird(t, "", append([]string{"--data", data, "--sample"}, args...)...)
			if r.code != exitDone {
				t.Errorf("%q: exit %d, %s", args, r.code, r.err)
			}
		}
	}
	if ran < 10 {
		t.Errorf("only %d examples", ran)
	}
}

// exampleArgs reads a line of an example as a shell does: words, 'as they are' and "as
// they are", up to a comment.
func exampleArgs(line string) (args []string, ok bool) {
	line, _, _ = strings.Cut(strings.TrimSpace(line), "   #")
	var word strings.Builder
	quote, open := rune(0), false
	for _, r := range line + " " {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, open = r, true
		case r == ' ':
			if open || word.Len() > 0 {
				args = append(args, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteRune(r)
		}
	}
	if len(args) < 2 || args[0] != "bowerbird" || quote != 0 {
		return nil, false
	}
	return args[1:], true
}
