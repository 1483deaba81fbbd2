package llm

import (
	"cmp"
	"crypto/sha256"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ToolRefused begins the Reason of a [Retry] after the server has refused a tool, whose name
// follows: from then on the tool is left out.
const ToolRefused = "tool_refused: "

// mostRefusals is the last try of a request after which it is repeated without a tool.
const mostRefusals = 8

// fit is what a schema is in the provider's form, or why it has none.
type fit struct {
	schema  []byte
	renamed map[string]string // see schemaRule.fit
	err     error
}

func (c *Client) fit(t Tool) fit {
	raw := t.Parameters()
	of := sha256.Sum256(raw)
	if known, ok := c.fits.Load(of); ok {
		return known.(fit)
	}
	var f fit
	f.schema, f.renamed, f.err = c.row.schemaRule(c.model).fit(raw)
	c.fits.Store(of, f)
	return f
}

// Refuses returns why the model's server takes no request that lists a tool, "" if nothing
// is known against it.
func (c *Client) Refuses(t Tool) string {
	set := c.opt.Learned.get(c.lessonKey(), settings{})
	if c.noTools || c.format != "" || set.format != "" {
		return "" // it reads about tools in the text
	}
	if err := c.fit(t).err; err != nil {
		return err.Error()
	}
	return set.refused[refusedKey(t)]
}

// refusedKey identifies a tool as long as it stays what it is.
func refusedKey(t Tool) string {
	return t.Name + " " + hashed(t.Description+"\x00"+string(t.Schema), 8)
}

// fitted returns the request with its tools in the provider's form. What has none, and what
// the server has refused, is left out.
func (a *attempt) fitted() *Request {
	out := *a.req
	out.Tools = nil
	a.listed, a.renamed = nil, map[string]map[string]string{}
	for _, t := range a.req.Tools {
		f := a.client.fit(t)
		own := t
		own.Name = a.names.ownName(t.Name)
		if f.err != nil || a.set.refused[refusedKey(own)] != "" {
			continue
		}
		a.listed = append(a.listed, t)
		a.renamed[t.Name] = f.renamed
		t.Schema = f.schema
		out.Tools = append(out.Tools, t)
	}
	return &out
}

// learnsTools leaves out the tools of other programs that the server refused by name or by
// their place in the list, and reports whether there were any, so that the request is to be
// repeated.
func (a *attempt) learnsTools() bool {
	ours := strings.Contains(a.err.Message, "cache_control") // a mark on the last tool
	if !a.err.refusesRequest() || a.nth > mostRefusals || ours {
		return false
	}
	var names []string
	for _, t := range refusedTools(a.err.param+" "+a.err.Message, a.listed) {
		if !t.Foreign {
			continue
		}
		if a.set.refused == nil {
			a.set.refused = map[string]string{}
		}
		t.Name = a.names.ownName(t.Name)
		names = append(names, t.Name)
		why := strings.ToValidUTF8(a.err.Message[:min(len(a.err.Message), 300)], "")
		a.set.refused[refusedKey(t)] = cmp.Or(why, a.err.param)
	}
	if len(names) > 0 {
		a.emit([]Event{{Type: EventRetrying, Retry: &Retry{Reason: ToolRefused + strings.Join(names, ", ")}}})
	}
	return len(names) > 0
}

var (
	declarations = regexp.MustCompile(`function_declarations(?:\[|\.)(\d+)`) // Gemini, in its only tool
	placeInTools = regexp.MustCompile(`\btools(?:\[|\.)(\d+)`)
	aboutTools   = regexp.MustCompile(`(?i)schema|function|parameter|tool`)
)

// refusedTools returns the tools that an error is about. OpenAI names the first only, Gemini
// all of them.
func refusedTools(said string, listed []Tool) (refused []Tool) {
	places := declarations.FindAllStringSubmatch(said, -1)
	if places == nil {
		places = placeInTools.FindAllStringSubmatch(said, -1)
	}
	at := map[int]bool{}
	for _, p := range places {
		if i, err := strconv.Atoi(p[1]); err == nil {
			at[i] = true
		}
	}
	// A server that shows what it was sent names every tool that was called.
	if places == nil && aboutTools.MatchString(said) && !strings.Contains(said, "messages") {
		words := strings.FieldsFunc(said, func(r rune) bool { return !strings.ContainsRune(letters+"_-", r) })
		for i, t := range listed {
			at[i] = slices.Contains(words, t.Name)
		}
	}
	for i, t := range listed {
		if at[i] {
			refused = append(refused, t)
		}
	}
	return refused
}
