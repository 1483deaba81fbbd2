package models

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"bowerbird/llm"
)

// CacheMiss is why nothing of a request came from a provider's cache, where the
// beginning of a request is kept that was sent before: it then costs less.
type CacheMiss string

// The causes, in the order in which they are looked for.
const (
	CacheRead      CacheMiss = ""          // something was read, or nothing was sent: there is nothing to explain
	CacheLocal     CacheMiss = "local"     // a server on this computer keeps what it can, and counts nothing
	CacheUntold    CacheMiss = "untold"    // this provider is not known to keep anything, or does not count it
	CacheOff       CacheMiss = "off"       // it has to be asked for, and the settings say not to
	CacheShort     CacheMiss = "short"     // the request has fewer tokens than the provider keeps at least
	CacheFirst     CacheMiss = "first"     // nothing was sent in this chat before, or not in this run of the program
	CacheModel     CacheMiss = "model"     // another model was asked before
	CacheTools     CacheMiss = "tools"     // other tools were offered before
	CacheRenewed   CacheMiss = "renewed"   // what the model is told at first has changed: the chat was told anew who asks, or a setting changed
	CacheShortened CacheMiss = "shortened" // the history was shortened to fit
	CacheAged      CacheMiss = "aged"      // too much time went by since the request before
	CacheUnknown   CacheMiss = "unknown"   // none of these
)

// cacheKept is for how long a provider keeps the beginning of a request at least;
// most keep it for five to ten minutes.
const cacheKept = 5 * time.Minute

type cacheFacts struct {
	usage   *llm.Usage   // of the request; nil when its server told none
	row     llm.Provider // who was asked
	local   bool         // on this computer
	off     bool         // the settings ask for no caching
	now     *SentRequest // the request; nil when it is no longer known
	before  *SentRequest // the one before it in the chat that was answered; nil for none
	dropped bool         // the bytes of one of them are no longer known
}

func cacheMiss(f cacheFacts) CacheMiss {
	least := f.row.CacheLeast
	switch {
	case f.usage != nil && f.usage.Cached > 0:
		return CacheRead
	case f.local:
		return CacheLocal
	case f.usage == nil || least == 0:
		return CacheUntold
	case f.now != nil && f.off && f.row.CacheAsked(f.now.Model):
		return CacheOff
	case f.usage.Input < least:
		return CacheShort
	case f.now == nil || f.dropped:
		return CacheUnknown
	case f.before == nil:
		return CacheFirst
	case f.before.Provider != f.now.Provider || f.before.Model != f.now.Model:
		return CacheModel
	}
	before, now := readBeginning(f.before.Body), readBeginning(f.now.Body)
	switch {
	case !bytes.Equal(before.tools, now.tools):
		return CacheTools
	case !bytes.Equal(before.told, now.told):
		return CacheRenewed
	// The last two may be the closing words, which are no part of the history.
	case common(before.history, now.history) < len(before.history)-2:
		return CacheShortened
	case f.now.Time.Sub(f.before.Time) > cacheKept:
		return CacheAged
	}
	return CacheUnknown
}

// beginning is what a request begins with, whatever the family that wrote it.
type beginning struct {
	tools, told []byte
	history     [][]byte
}

// readBeginning takes a request apart. What a family does not have is empty.
func readBeginning(body []byte) beginning {
	var m map[string]any
	if json.Unmarshal(body, &m) != nil {
		return beginning{}
	}
	dropMarks(m)
	b := beginning{tools: plainJSON(m["tools"])}
	messages, _ := m["messages"].([]any)
	if input, ok := m["input"].([]any); ok {
		messages = input
	}
	told := []any{m["system"], m["instructions"]}
	for len(messages) > 0 {
		first, ok := messages[0].(map[string]any)
		if role, _ := first["role"].(string); !ok || role != "system" && role != "developer" {
			break
		}
		told, messages = append(told, first), messages[1:]
	}
	b.told = plainJSON(told)
	for _, m := range messages {
		b.history = append(b.history, plainJSON(m))
	}
	return b
}

// dropMarks deletes what only says up to where a provider is to keep a request: it
// moves on with every request.
func dropMarks(v any) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			dropMarks(x)
		}
	case map[string]any:
		delete(v, "cache_control")
		for _, x := range v {
			dropMarks(x)
		}
	}
}

func plainJSON(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil { // never: it was JSON
		return nil
	}
	return raw
}

func common(a, b [][]byte) int {
	n := 0
	for n < min(len(a), len(b)) && bytes.Equal(a[n], b[n]) {
		n++
	}
	return n
}

// WhyNoCache returns why nothing of the last request of a turn came from the
// provider's cache, of which usage is the count (nil where its server told none). It
// is told from what was sent in this run of the program: see Sent.
func (r *Registry) WhyNoCache(chat, turn string, usage *llm.Usage) CacheMiss {
	all := slices.DeleteFunc(r.Sent(chat, ""), func(s SentRequest) bool { return s.Failed != "" })
	at := -1
	for i, s := range all {
		if s.Turn == turn {
			at = i
		}
	}
	f := cacheFacts{usage: usage, off: r.opt.Settings().Assistant.NoPromptCaching}
	if at < 0 {
		return cacheMiss(f)
	}
	f.now = &all[at]
	f.row, _ = llm.FindProvider(f.now.Provider)
	f.local = llm.OnThisComputer(f.now.URL) && f.row.PassesOn(f.now.Model) == ""
	f.dropped = f.now.Dropped
	for i := at - 1; i >= 0 && !f.dropped; i-- {
		f.dropped = all[i].Dropped
		// A closing call may go out without tools; it is no measure for one with them.
		if f.dropped || len(readBeginning(all[i].Body).tools) >= len(readBeginning(f.now.Body).tools) || all[i].Model != f.now.Model {
			f.before = &all[i]
			break
		}
	}
	return cacheMiss(f)
}
