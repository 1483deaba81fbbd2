package tools_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/tools/tooltest"
)

// Row 001-5: the forms of an id.
func TestIDsAreReadInEveryForm(t *testing.T) {
	v := newVillage(t)
	article := query(t, v.World, `{"kind":30023}`).Notes[0].Event
	code := func(c nostr.Code) string {
		s, err := c.Encode()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	id := v.root.ID
	nevent := code(nostr.Code{Prefix: nostr.CodeEvent, Event: id, Relays: []string{"wss://relay.example"}})
	naddr := code(nostr.Code{Prefix: nostr.CodeAddress, PubKey: v.ada.Key, Kind: 30023, D: "relays"})
	for name, tt := range map[string]struct{ form, want string }{
		"hex":            {id.String(), id.String()},
		"hex in capital": {strings.ToUpper(id.String()), id.String()},
		"16 hex digits":  {id.String()[:16], id.String()},
		"8 hex digits":   {id.String()[:8], id.String()},
		"note1":          {id.Note(), id.String()},
		"nevent1":        {nevent, id.String()},
		"nostr: link":    {"nostr:" + nevent, id.String()},
		"spaces around":  {"  " + id.Note() + "\n", id.String()},
		"naddr1":         {naddr, article.ID.String()},
	} {
		res := tooltest.Call(t, builtin(t, "get_note"), v.Env(), fmt.Sprintf(`{"note_id":%q}`, tt.form)).(tools.NoteResult)
		if res.Note.NoteID != tt.want {
			t.Errorf("%s: got %s", name, res.Note.NoteID)
		}
	}
	note := id.Note()
	flip := map[byte]string{'q': "p"}[note[20]]
	if flip == "" {
		flip = "q"
	}
	for name, tt := range map[string]struct{ form, want string }{
		"a bad checksum":      {note[:20] + flip + note[21:], "note_id: expected an id"},
		"a person":            {v.ada.Key.Npub(), "note_id: expected an id"},
		"no id":               {"the one about bread", "note_id: expected an id"},
		"nothing":             {"", "note_id: expected an id"},
		"too few digits":      {id.String()[:7], "note_id: expected an id"},
		"an unknown id":       {strings.Repeat("ab", 32), "note is not in the store"},
		"an unknown prefix":   {"abababababababab", "note is not in the store"},
		"a private key":       {"nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5", "a private key, which no tool takes"},
		"an address of notes": {code(nostr.Code{Prefix: nostr.CodeAddress, PubKey: v.ada.Key, Kind: 1}), "note_id: expected an id"},
	} {
		err := fails(t, v.World, "get_note", fmt.Sprintf(`{"note_id":%q}`, tt.form))
		if !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "nsec1") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGetNoteShowsTheWholeNote(t *testing.T) {
	v := newVillage(t)
	long := v.bo.Note(strings.Repeat("All of it. ", 5000), time.Minute, nostr.Tag{"t", "long"})
	res := tooltest.Call(t, builtin(t, "get_note"), v.Env(), fmt.Sprintf(`{"note_id":%q}`, long.ID)).(tools.NoteResult)
	if res.Note.Content != long.Content || res.Tags[0][1] != "long" {
		t.Errorf("got %d bytes, tags %v", len(res.Note.Content), res.Tags)
	}
	if text := res.ForModel(64_000); !strings.Contains(text, strings.Repeat("All of it. ", 1700)) || !strings.Contains(text, `["t","long"]`) {
		t.Errorf("a model reads %d bytes", len(text))
	}
}

// Row 001-5: a list or one text with commas, ids in every form; what is no note is
// reported, and the others are shown.
func TestPresentedNotesKeepTheirNumbersThroughATurn(t *testing.T) {
	v := newVillage(t)
	notes := query(t, v.World, `{"context":"any"}`).Notes
	env, tool := v.Env(), builtin(t, "present_notes")
	first := tooltest.Call(t, tool, env, fmt.Sprintf(`{"note_ids":"%s, %s"}`, notes[0].NoteID[:16], notes[1].Event.ID.Note())).(tools.PresentResult)
	second := tooltest.Call(t, tool, env, fmt.Sprintf(`{"note_ids":[%q,"note1bad",%q,%q,"nsec1secret"]}`, notes[2].NoteID, notes[0].NoteID, notes[2].NoteID)).(tools.PresentResult)
	want := []tools.PresentedNote{{Index: 1, NoteID: notes[0].NoteID}, {Index: 2, NoteID: notes[1].NoteID}}
	if !slices.Equal(first.Presented, want) || len(first.Missing) != 0 {
		t.Errorf("first %+v", first)
	}
	want = []tools.PresentedNote{{Index: 3, NoteID: notes[2].NoteID}, {Index: 1, NoteID: notes[0].NoteID}}
	if !slices.Equal(second.Presented, want) || !slices.Equal(second.Missing, []string{"note1bad", "(a private key)"}) {
		t.Errorf("second %+v", second)
	}
	if len(env.Presented.IDs) != 3 || env.Presented.IDs[1] != notes[1].Event.ID {
		t.Errorf("the turn has %v", env.Presented.IDs)
	}
	for _, args := range []string{`{"note_ids":[]}`, `{"note_ids":" , "}`} {
		fails(t, v.World, "present_notes", args)
	}
}

// thread reads a thread and writes it as an outline.
func thread(t testing.TB, w *tooltest.World, id string) (tools.ThreadResult, string) {
	t.Helper()
	res := tooltest.Call(t, builtin(t, "get_thread"), w.Env(), fmt.Sprintf(`{"note_id":%q}`, id)).(tools.ThreadResult)
	var b strings.Builder
	for _, n := range res.Notes {
		text := n.Note.Content
		if n.Missing {
			text = "?"
		}
		fmt.Fprintf(&b, "%d %s\n", n.Depth, text)
	}
	return res, b.String()
}

func TestThreadsComeInReadingOrderFromAnyOfTheirNotes(t *testing.T) {
	w := tooltest.NewWorld(t)
	ada, bo := w.Person("ada", "Ada"), w.Person("bo", "Bo")
	root := ada.Note("root", 10*time.Hour)
	late := bo.Reply(root, root, "late", 2*time.Hour)
	early := bo.Reply(root, root, "early", 9*time.Hour)
	under := ada.Reply(root, early, "under early", time.Hour)
	// The old form: positions, no markers.
	ada.Note("positional", 30*time.Minute, nostr.Tag{"e", root.ID.String()}, nostr.Tag{"e", late.ID.String()})
	// A comment (NIP-22), a quote, a mention: the last two do not belong.
	bo.Post(tooltest.Post{Kind: 1111, Content: "comment", Ago: 20 * time.Minute, Tags: nostr.Tags{{"E", root.ID.String()}, {"K", "1"}, {"e", under.ID.String()}, {"k", "1"}}})
	bo.Note("quote", time.Minute, nostr.Tag{"q", root.ID.String()})
	bo.Note("mention", time.Minute, nostr.Tag{"e", root.ID.String(), "", "mention"})
	want := "0 root\n1 early\n2 under early\n3 comment\n1 late\n2 positional\n"
	for _, from := range []*nostr.Event{root, early, under, late} {
		res, got := thread(t, w, from.ID.String())
		if got != want || res.Root != root.ID.String() || res.Total != 6 || res.Truncated {
			t.Errorf("from %s:\n%s%+v", from.Content, got, res.Root)
		}
	}
}

func TestMissingNotesOfAThreadAreSaidToBeMissing(t *testing.T) {
	w := tooltest.NewWorld(t)
	ada, bo := w.Person("ada", "Ada"), w.Person("bo", "Bo")
	root, gone := ada.Sign(tooltest.Post{Kind: 1, Content: "never arrived", Ago: 5 * time.Hour}), ada.Sign(tooltest.Post{Kind: 1, Content: "nor this", Ago: 4 * time.Hour})
	below := bo.Reply(root, gone, "below what is gone", 3*time.Hour)
	bo.Reply(root, root, "first level", 2*time.Hour)
	if _, got := thread(t, w, below.ID.String()); got != "0 ?\n1 ?\n2 below what is gone\n1 first level\n" {
		t.Errorf("got\n%s", got)
	}
}

func TestAnArticlesThreadHoldsTheCommentsOnItsAddress(t *testing.T) {
	v := newVillage(t)
	article := query(t, v.World, `{"kind":30023}`).Notes[0].Event
	address := fmt.Sprintf("30023:%s:relays", v.ada.Key)
	v.bo.Post(tooltest.Post{Kind: 1111, Content: "by address", Ago: time.Hour, Tags: nostr.Tags{{"A", address}, {"K", "30023"}, {"a", address}, {"k", "30023"}}})
	v.bo.Post(tooltest.Post{Kind: 1111, Content: "by id", Ago: time.Minute, Tags: nostr.Tags{{"A", address}, {"K", "30023"}, {"a", address}, {"e", article.ID.String()}, {"k", "30023"}}})
	if _, got := thread(t, v.World, article.ID.String()); got != "0 a long article on relays\n1 by address\n1 by id\n" {
		t.Errorf("got\n%s", got)
	}
}

func TestLongAndDeepThreadsAreCutAndSaySo(t *testing.T) {
	w := tooltest.NewWorld(t)
	ada := w.Person("ada", "Ada")
	root := ada.Note("root", 20*time.Hour)
	parent := root
	var events []*nostr.Event
	for i := range 620 {
		e := ada.Sign(tooltest.Post{Kind: 1, Content: fmt.Sprint(i), Ago: 19*time.Hour - time.Duration(i)*time.Second, Tags: nostr.Tags{{"e", root.ID.String(), "", "root"}, {"e", parent.ID.String(), "", "reply"}}})
		events = append(events, e)
		parent = e
	}
	w.Put(events...)
	for _, from := range []*nostr.Event{root, events[300], parent} {
		res, _ := thread(t, w, from.ID.String())
		if !res.Truncated || res.Total != 500 || res.Root != root.ID.String() || res.Notes[0].Note.Content != "root" {
			t.Errorf("%d notes, truncated %v, root %s", res.Total, res.Truncated, res.Root)
		}
		if !slices.ContainsFunc(res.Notes, func(n tools.ThreadNote) bool { return n.Note.NoteID == from.ID.String() }) {
			t.Errorf("the note asked for (%s) was cut", from.Content)
		}
	}
}

func TestThreadsThatGoInCirclesEnd(t *testing.T) {
	// A note cannot name its own hash, so a true circle cannot be signed; a reply
	// can name a root that is itself a reply below it, which comes close.
	w := tooltest.NewWorld(t)
	ada := w.Person("ada", "Ada")
	a := ada.Note("a", 3*time.Hour)
	b := ada.Reply(a, a, "b", 2*time.Hour)
	c := ada.Reply(b, b, "c says that b is the root", time.Hour)
	ada.Note("names one note as all", time.Minute, nostr.Tag{"e", c.ID.String(), "", "root"}, nostr.Tag{"e", a.ID.String(), "", "reply"})
	want := "0 a\n1 b\n2 c says that b is the root\n1 names one note as all\n"
	for _, from := range []*nostr.Event{a, b, c} {
		if _, got := thread(t, w, from.ID.String()); got != want {
			t.Errorf("from %s:\n%s", from.Content, got)
		}
	}
}

func TestPeopleAreFoundAndShown(t *testing.T) {
	v := newVillage(t)
	v.ada.Post(tooltest.Post{Kind: 0, Content: `{"name":"Ada\u202e","display_name":"Ada L.","nip05":"ada@example.org","about":"line\none <script>","website":"https://ada.example"}`})
	v.ada.Post(tooltest.Post{Kind: 3, Tags: nostr.Tags{{"p", v.bo.Key.String()}, {"p", v.cy.Key.String()}}})
	nprofile, err := nostr.Code{Prefix: nostr.CodeProfile, PubKey: v.ada.Key}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	want := tools.ProfileResult{
		PubKey: v.ada.Key.String(), Npub: v.ada.Key.Npub(), Name: "Ada", DisplayName: "Ada L.", NIP05: "ada@example.org",
		About: "line\none <script>", Website: "https://ada.example", Followed: true, Follows: 2, Notes: 2,
	}
	for _, form := range []string{v.ada.Key.String(), v.ada.Key.Npub(), "nostr:" + nprofile, "ada@example.org", "ADA", "@Ada", "Ada L."} {
		got := tooltest.Call(t, builtin(t, "get_profile"), v.Env(), fmt.Sprintf(`{"person":%q}`, form)).(tools.ProfileResult)
		if got != want {
			t.Errorf("%s: got %+v", form, got)
		}
	}
	fails(t, v.World, "get_profile", `{"person":"Nobody"}`)
	fails(t, v.World, "get_profile", `{"person":" "}`)

	v.Person("adam", "Adam")
	found := tooltest.Call(t, builtin(t, "find_profile"), v.Env(), `{"name":"ad"}`).(tools.FindProfileResult).People
	if len(found) != 2 || found[0].Name != "Ada" || !found[0].Followed || found[1].Name != "Adam" || found[1].Followed {
		t.Errorf("found %+v", found)
	}
	if found := tooltest.Call(t, builtin(t, "find_profile"), v.Env(), `{"name":"ad","limit":1}`).(tools.FindProfileResult).People; len(found) != 1 {
		t.Errorf("limit 1: %+v", found)
	}
}

// Row 001-6: each missing, extra and mistyped argument of each tool, with what the error
// says.
func TestEachToolNamesItsMissingExtraAndMistypedArguments(t *testing.T) {
	v := newVillage(t)
	wrong := map[string]string{"string": `{}`, "integer": `"x"`, "boolean": `"maybe"`, "array": `{"a":1}`}
	for _, tool := range tools.Builtin().All() {
		spec := tool.Spec()
		var schema struct {
			Properties map[string]json.RawMessage
			Required   []string
		}
		if err := json.Unmarshal(spec.Schema, &schema); err != nil {
			t.Fatal(err)
		}
		call := func(args string) string {
			_, err := tool.Call(t.Context(), v.Env(), json.RawMessage(args))
			if err == nil {
				t.Errorf("%s %s was answered", spec.Name, args)
				return ""
			}
			return err.Error()
		}
		expected := "nonsense: expected one of "
		if len(schema.Properties) == 0 {
			expected = "nonsense: expected no arguments"
		}
		if msg := call(`{"nonsense":1}`); len(schema.Required) == 0 && !strings.Contains(msg, expected) {
			t.Errorf("%s, extra: %s", spec.Name, msg)
		}
		for _, name := range schema.Required {
			if msg := call(`{}`); !strings.HasPrefix(msg, spec.Name+": "+schema.Required[0]+": expected ") || !strings.Contains(msg, "(required), got nothing") {
				t.Errorf("%s without %s: %s", spec.Name, name, msg)
			}
		}
		for name, raw := range schema.Properties {
			var p struct {
				Type  string
				AnyOf []json.RawMessage
			}
			if err := json.Unmarshal(raw, &p); err != nil {
				p.Type = "string" // several types: an object fits none of them
			}
			bad, ok := wrong[p.Type]
			if p.AnyOf != nil {
				bad, ok = `{}`, true
			}
			if !ok {
				continue // spec takes any JSON, and refuses by itself
			}
			args := map[string]json.RawMessage{name: json.RawMessage(bad)}
			for _, need := range schema.Required {
				if need != name {
					good := map[string]string{"by": `"day"`, "columns": `["a"]`, "rows": `[]`}[need]
					args[need] = json.RawMessage(cmp.Or(good, `"x"`))
				}
			}
			full, err := json.Marshal(args)
			if err != nil {
				t.Fatal(err)
			}
			if msg := call(string(full)); !strings.HasPrefix(msg, spec.Name+": "+name+": expected ") || !strings.Contains(msg, ", got ") {
				t.Errorf("%s with %s=%s: %s", spec.Name, name, bad, msg)
			}
		}
	}
}

func TestCallsSideBySideNumberEachNoteOnce(t *testing.T) {
	v := newVillage(t)
	v.Put(v.bo.Notes(30, func(i int) (string, time.Duration) { return fmt.Sprint(i), time.Duration(i) * time.Second })...)
	env, notes := v.Env(), query(t, v.World, `{"limit":30}`).Notes
	var wg sync.WaitGroup
	for i := range 10 {
		ids := fmt.Sprintf(`{"note_ids":[%q,%q,%q,%q]}`, notes[3*i].NoteID, notes[3*i+1].NoteID, notes[3*i+2].NoteID, notes[0].NoteID)
		wg.Go(func() {
			res, err := builtin(t, "present_notes").Call(t.Context(), env, json.RawMessage(ids))
			if err != nil {
				t.Error(err)
				return
			}
			for _, p := range res.(tools.PresentResult).Presented {
				if p.Index < 1 || p.Index > 30 {
					t.Errorf("number %d", p.Index)
				}
			}
		})
	}
	wg.Wait()
	seen := map[nostr.ID]bool{}
	for _, id := range env.Presented.IDs {
		if seen[id] {
			t.Errorf("%s is numbered twice", id)
		}
		seen[id] = true
	}
	if len(seen) != 30 {
		t.Errorf("%d notes are numbered", len(seen))
	}
}
