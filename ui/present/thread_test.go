package present

import (
	"fmt"
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
)

// tree writes a thread so that a test can compare it.
func tree(branches []Branch) string {
	var b strings.Builder
	for _, br := range branches {
		text := Text(br.Note.Body)
		if br.Note.Missing {
			text = "missing"
		}
		fmt.Fprintf(&b, "%s%s", strings.Repeat(".", br.Depth), text)
		if br.Below > 0 {
			fmt.Fprintf(&b, " %d", br.Below)
		}
		if br.Continue > 0 {
			fmt.Fprintf(&b, " continue %d", br.Continue)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// answer stores a reply with the tags that NIP-10 has.
func (w *world) answer(name string, minutes int64, text string, root, parent *nostr.Event) *nostr.Event {
	tags := [][]string{{"e", root.ID.String(), "", "root"}}
	if parent != root {
		tags = append(tags, []string{"e", parent.ID.String(), "", "reply"})
	}
	return w.put(name, 1, minutes, text, tags...)
}

func TestAThreadIsATreeInReadingOrder(t *testing.T) {
	w := newWorld(t, "me")
	root := w.put("ada", 1, 100, "root")
	a := w.answer("ben", 90, "a", root, root)
	b := w.answer("clara", 80, "b", root, root)
	b1 := w.answer("ada", 70, "b1", root, b)
	w.answer("ben", 60, "a1", root, a)
	gone := *root
	gone.ID = nostr.ID{1}
	w.answer("tomas", 65, "orphan", root, &gone)

	th, err := w.r.Thread(t.Context(), root.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got := tree(th.Replies); got != "a 1\n.a1\nb 1\n.b1\nmissing 1\n.orphan\n" || th.Total != 5 || len(th.Ancestors) != 0 || th.More {
		t.Errorf("%d replies:\n%s", th.Total, got)
	}
	if got := tree(th.Visible(map[nostr.ID]bool{a.ID: true})); got != "a 1\nb 1\n.b1\nmissing 1\n.orphan\n" {
		t.Errorf("with a collapsed:\n%s", got)
	}
	if th, err = w.r.Thread(t.Context(), b1.ID); err != nil {
		t.Fatal(err)
	}
	if len(th.Ancestors) != 2 || th.Ancestors[0].ID != root.ID || th.Ancestors[1].ID != b.ID || th.Focus.ID != b1.ID || len(th.Replies) != 0 {
		t.Errorf("%+v", th)
	}
}

func TestAMissingParentIsSaidWithItsAuthorBelowTheRoot(t *testing.T) {
	w := newWorld(t, "me")
	w.person("sam", "Sam")
	root := w.put("ada", 1, 100, "root")
	e := w.put("ben", 1, 10, "yes", []string{"e", root.ID.String(), "", "root"}, []string{"e", strings.Repeat("ab", 32), "wss://far.example", "reply", key(t, "sam").String()})
	th, err := w.r.Thread(t.Context(), e.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(th.Ancestors) != 2 || th.Ancestors[0].ID != root.ID || !th.Ancestors[1].Missing || th.Ancestors[1].Author != "Sam" {
		t.Errorf("%+v", th.Ancestors)
	}
}

func TestADeepThreadGoesOnElsewhere(t *testing.T) {
	w := newWorld(t, "me")
	root := w.put("ada", 1, 100, "0")
	parent := root
	for i := 1; i <= 9; i++ {
		parent = w.answer("ben", int64(100-i), fmt.Sprint(i), root, parent)
	}
	th, err := w.r.Thread(t.Context(), root.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got := tree(th.Replies); got != "1 8\n.2 7\n..3 6\n...4 5\n....5 4\n.....6 3 continue 3\n" || th.Total != 9 {
		t.Errorf("%d:\n%s", th.Total, got)
	}
	if th, _ = w.r.Thread(t.Context(), parent.ID); len(th.Ancestors) != 9 {
		t.Errorf("%d ancestors", len(th.Ancestors))
	}
}

func TestAThreadOfANoteThatIsNotStoredShowsItsAnswers(t *testing.T) {
	w := newWorld(t, "me")
	gone := &nostr.Event{ID: nostr.ID{7}}
	w.answer("ben", 5, "an answer", gone, gone)
	th, err := w.r.Thread(t.Context(), gone.ID)
	if err != nil || !th.Focus.Missing || tree(th.Replies) != "an answer\n" {
		t.Errorf("%v %+v", err, th)
	}
}

func TestAnArticlesThreadHasWhatAnswersItsAddress(t *testing.T) {
	w := newWorld(t, "me")
	art := w.put("ada", 30023, 100, "long", []string{"d", "x"}, []string{"title", "T"})
	address := fmt.Sprintf("30023:%s:x", art.PubKey)
	fine := w.put("ben", 1111, 50, "fine", []string{"A", address}, []string{"K", "30023"}, []string{"a", address})
	old := nostr.ID{7} // a version before, which is not stored
	other := w.put("ben", 1111, 40, "to the old one", []string{"A", address}, []string{"K", "30023"}, []string{"a", address}, []string{"e", old.String()})
	w.put("ben", 1, 30, "a note to it", []string{"e", old.String(), "", "root"}, []string{"a", address, "", "root"})
	th, err := w.r.Thread(t.Context(), art.ID)
	if err != nil || tree(th.Replies) != "fine\nto the old one\na note to it\n" {
		t.Errorf("%v %s", err, tree(th.Replies))
	}
	for _, reply := range []nostr.ID{fine.ID, other.ID} {
		if th, err = w.r.Thread(t.Context(), reply); err != nil || len(th.Ancestors) != 1 || th.Ancestors[0].ID != art.ID {
			t.Errorf("above a reply stands %+v (%v)", th.Ancestors, err)
		}
	}
}

func TestAProfileSaysWhatIsKnownHere(t *testing.T) {
	w := newWorld(t, "me")
	w.put("ada", 0, 100, `{"name":"ada","display_name":"Ada Lindqvist","about":"Relays, birds. nostr:`+key(t, "ben").Npub()+` https://a.example/b.png","website":"ada.example/","nip05":"ada@ada.example"}`)
	w.person("ben", "Ben")
	w.put("me", 3, 50, "", []string{"p", key(t, "ada").String()})
	w.put("ada", 3, 50, "", []string{"p", key(t, "me").String()}, []string{"p", key(t, "ben").String()})
	w.put("ada", 1, 40, "hi")
	p, err := w.r.Profile(t.Context(), key(t, "ada"))
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "Ada Lindqvist" || p.Handle != "@ada" || !p.Followed || !p.FollowsYou || p.Website != "ada.example" || p.WebsiteURL != "https://ada.example/" ||
		p.Notes.N != 1 || p.Follows.N != 2 || p.Followers.N != 1 {
		t.Errorf("%+v", p)
	}
	if got := outline(p.About); got != "Relays, birds. (@Ben) <a.example/b.png>" {
		t.Errorf("about %q", got)
	}
	if p, err = w.r.Profile(t.Context(), nostr.PubKey{1}); err != nil || p.Name == "" {
		t.Errorf("%v %+v", err, p)
	}
}

func TestAnArticleNamesThoseItMentions(t *testing.T) {
	w := newWorld(t, "me")
	w.person("ben", "Ben [b]")
	npub := key(t, "ben").Npub()
	e := w.put("ada", 30023, 5, "# Two\n\nBy nostr:"+npub+" and [him](nostr:"+npub+")", []string{"d", "x"}, []string{"title", "Two"})
	a, err := w.r.Article(t.Context(), e.ID)
	if err != nil {
		t.Fatal(err)
	}
	want := "# Two\n\nBy [@Ben \\[b\\]](nostr:" + npub + ") and [him](nostr:" + npub + ")"
	if a.Markdown != want || a.Title != "Two" {
		t.Errorf("%q\nwant %q", a.Markdown, want)
	}
}
