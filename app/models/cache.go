package models

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"bowerbird/llm"
)

// CacheMiss is why nothing of a request was read from the provider's cache. Providers cache
// the beginning of a request and charge less for sending it again.
type CacheMiss string

// The causes, in the order in which they are looked for.
const (
	CacheRead      CacheMiss = ""          // something was read, or nothing was sent: there is nothing to explain
	CacheLocal     CacheMiss = "local"     // a server on this computer caches what it can and reports nothing
	CacheUntold    CacheMiss = "untold"    // the provider is not known to cache, or does not report it
	CacheOff       CacheMiss = "off"       // caching must be requested, and the settings turn it off
	CacheShort     CacheMiss = "short"     // the request has fewer tokens than the provider's minimum
	CacheFirst     CacheMiss = "first"     // the first request in this chat, or in this run of the program
	CacheModel     CacheMiss = "model"     // the previous request went to another model
	CacheTools     CacheMiss = "tools"     // the previous request offered other tools
	CacheRenewed   CacheMiss = "renewed"   // the system prompt changed: it was renewed after a pause, or a setting changed
	CacheShortened CacheMiss = "shortened" // the history was shortened to fit the window
	CacheAged      CacheMiss = "aged"      // the previous request is older than cacheKept
	CacheUnknown   CacheMiss = "unknown"   // none of these
)

// cacheKept is how long providers keep a cached beginning at least; most keep it for five
// to ten minutes.
const cacheKept = 5 * time.Minute

type cacheFacts struct {
	usage    *llm.Usage // of the request; nil if its server reported none
	provider llm.Provider
	local    bool         // the server is on this computer
	off      bool         // the settings ask for no caching
	now      *SentRequest // nil if it is no longer kept
	before   *SentRequest // the previous request in the chat that was answered; nil for none
	dropped  bool         // the body of one of the two is no longer kept
}

func cacheMiss(f cacheFacts) CacheMiss {
	least := f.provider.CacheLeast
	switch {
	case f.usage != nil && f.usage.Cached > 0:
		return CacheRead
	case f.local:
		return CacheLocal
	case f.usage == nil || least == 0:
		return CacheUntold
	case f.now != nil && f.off && f.provider.CacheAsked(f.now.Model):
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
	case !bytes.Equal(before.system, now.system):
		return CacheRenewed
	// The last two may be closing instructions, which are not kept in the history.
	case commonPrefix(before.history, now.history) < len(before.history)-2:
		return CacheShortened
	case f.now.Time.Sub(f.before.Time) > cacheKept:
		return CacheAged
	}
	return CacheUnknown
}

// beginning is the part of a request that a cache compares, in the same form for every
// family of providers.
type beginning struct {
	tools, system []byte
	history       [][]byte
}

// readBeginning parses the body of a request. Whatever its family does not have is empty.
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
	system := []any{m["system"], m["instructions"]}
	for len(messages) > 0 {
		first, ok := messages[0].(map[string]any)
		if role, _ := first["role"].(string); !ok || role != "system" && role != "developer" {
			break
		}
		system, messages = append(system, first), messages[1:]
	}
	b.system = plainJSON(system)
	for _, m := range messages {
		b.history = append(b.history, plainJSON(m))
	}
	return b
}

// dropMarks deletes the marks of how much of a request to cache, which move with every
// request.
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
	raw, _ := json.Marshal(v) // never fails: v was JSON
	return raw
}

func commonPrefix(a, b [][]byte) int {
	n := 0
	for n < min(len(a), len(b)) && bytes.Equal(a[n], b[n]) {
		n++
	}
	return n
}

// WhyNoCache returns why nothing of the last request of a turn was read from the provider's
// cache. usage is what the server reported for that request; nil if nothing. It can only
// compare requests of this run of the program: see [Registry.Sent].
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
	f.provider, _ = llm.FindProvider(f.now.Provider)
	f.local = llm.OnThisComputer(f.now.URL) && f.provider.PassesOn(f.now.Model) == ""
	f.dropped = f.now.Dropped
	for i := at - 1; i >= 0 && !f.dropped; i-- {
		f.dropped = all[i].Dropped
		// A closing request may offer no tools; a request that does is not compared with it.
		if f.dropped || len(readBeginning(all[i].Body).tools) >= len(readBeginning(f.now.Body).tools) || all[i].Model != f.now.Model {
			f.before = &all[i]
			break
		}
	}
	return cacheMiss(f)
}
