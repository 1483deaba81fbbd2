package tools_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/tools/tooltest"
)

func TestMutedHiddenAndExpiredNotesAreInNoAnswer(t *testing.T) {
	v := newVillage(t)
	root := v.bo.Note("a thread nobody wants", 5*time.Hour)
	v.me.Post(tooltest.Post{Kind: 10000, Tags: nostr.Tags{{"p", v.cy.Key.String()}, {"t", "bread"}, {"word", "DOWN"}, {"e", root.ID.String()}}})
	reply := v.ada.Reply(root, root, "indeed", 4*time.Hour)
	v.ada.Note("expired", time.Hour, nostr.Tag{"expiration", fmt.Sprint(v.Now.Add(time.Second).Unix())})
	later := v.ada.Sign(tooltest.Post{Kind: 1, Content: "from the future", Ago: -time.Hour})
	if _, err := v.Store.Put(t.Context(), ndb.Batch{Events: []*nostr.Event{later}}); err != nil {
		t.Fatal(err)
	}
	v.Now = v.Now.Add(2 * time.Second)
	if got := contents(query(t, v.World, `{"context":"any","include_replies":true}`).Notes); got != "mine too|hello" {
		t.Errorf("got %q", got)
	}
	for _, e := range []*nostr.Event{root, reply, later, v.root} {
		fails(t, v.World, "get_note", fmt.Sprintf(`{"note_id":%q}`, e.ID))
		fails(t, v.World, "get_thread", fmt.Sprintf(`{"note_id":%q}`, e.ID))
		res := tooltest.Call(t, builtin(t, "present_notes"), v.Env(), fmt.Sprintf(`{"note_ids":%q}`, e.ID)).(tools.PresentResult)
		if len(res.Presented) != 0 || len(res.Missing) != 1 {
			t.Errorf("%s was presented", e.Content)
		}
	}
}

func TestNothingPrivateIsInAnyAnswer(t *testing.T) {
	v := newVillage(t)
	var ids []string
	for _, kind := range []uint16{4, 13, 14, 15, 1059, 10000, 1234, 30024, 31234} {
		e := v.ada.Post(tooltest.Post{Kind: kind, Content: "SECRET words", Ago: time.Hour, Tags: nostr.Tags{
			{"e", v.root.ID.String(), "", "reply"}, {"t", "SECRETtag"}, {"d", "x"}, {"p", v.me.Key.String()},
		}})
		ids = append(ids, e.ID.String())
		for _, args := range []string{`{"kind":%d}`, `{"kind":"%d","context":"any"}`, `{"kind":[1,%d],"author":"ada"}`} {
			for _, tool := range []string{"query", "count"} {
				fails(t, v.World, tool, fmt.Sprintf(args, kind))
			}
		}
		fails(t, v.World, "aggregate", fmt.Sprintf(`{"by":"kind","kind":%d}`, kind))
		code, err := nostr.Code{Prefix: nostr.CodeEvent, Event: e.ID}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		address, err := nostr.Code{Prefix: nostr.CodeAddress, PubKey: v.ada.Key, Kind: kind, D: "x"}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []string{e.ID.String(), e.ID.String()[:16], e.ID.Note(), code, "nostr:" + code, address} {
			fails(t, v.World, "get_note", fmt.Sprintf(`{"note_id":%q}`, form))
			fails(t, v.World, "get_thread", fmt.Sprintf(`{"note_id":%q}`, form))
			ids = append(ids, form)
		}
	}
	raw, err := json.Marshal(ids)
	if err != nil {
		t.Fatal(err)
	}
	answers := []tools.Result{tooltest.Call(t, builtin(t, "present_notes"), v.Env(), `{"note_ids":`+string(raw)+`}`)}
	if p := answers[0].(tools.PresentResult); len(p.Presented) != 0 {
		t.Errorf("presented %v", p.Presented)
	}
	for _, call := range []struct{ tool, args string }{
		{"query", `{"context":"any","include_replies":true,"kind":[0,1,3,6,7,1111,30023,10002]}`},
		{"query", `{"context":"any","search":"SECRET"}`},
		{"query", `{"context":"any","hashtag":"SECRETtag"}`},
		{"get_thread", fmt.Sprintf(`{"note_id":%q}`, v.root.ID)},
		{"aggregate", `{"by":"hashtag","context":"any","include_replies":true}`},
		{"aggregate", `{"by":"term","context":"any"}`},
		{"aggregate", `{"by":"kind","context":"any"}`},
		{"count", `{"search":"SECRET","context":"any"}`},
		{"get_profile", `{"person":"ada"}`},
		{"find_profile", `{"name":"ada"}`},
	} {
		answers = append(answers, tooltest.Call(t, builtin(t, call.tool), v.Env(), call.args))
	}
	for _, a := range answers[1:] {
		full, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{string(full), a.ForModel(64_000)} {
			if strings.Contains(text, "SECRET words") || strings.Contains(text, "secrettag") || strings.Contains(text, "SECRETtag\"") {
				t.Errorf("%T shows a private event: %s", a, text)
			}
		}
	}
}

func TestARepostsContentIsNotRepeatedUnchecked(t *testing.T) {
	v := newVillage(t)
	v.ada.Post(tooltest.Post{Kind: 6, Content: `{"kind":4,"content":"SECRET"}`, Ago: time.Minute, Tags: nostr.Tags{{"e", v.root.ID.String()}, {"p", v.ada.Key.String()}}})
	res := query(t, v.World, `{"kind":6}`)
	if len(res.Notes) != 1 || res.Notes[0].RepostOf != v.root.ID.String() || res.Notes[0].Content != "" {
		t.Errorf("got %+v", res.Notes)
	}
}
