package ndb

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

func TestPeopleAreFoundByAnyWordAndContactsComeFirst(t *testing.T) {
	ctx := context.Background()
	s, _ := openTest(t)
	profile := func(number int, content string) person {
		p := newPerson(number)
		put(t, s, p.signs(t, 0, testNow, content))
		return p
	}
	ada := profile(1, `{"name":"ada","display_name":"Ada Lovelace","nip05":"countess@engines.example"}`)
	adam := profile(2, `{"name":"adam_smith"}`)
	profile(3, `{"name":"bob","about":"knows ada"}`)
	put(t, s, newPerson(4).signs(t, 0, testNow-9, `{"name":"ada the old"}`), newPerson(4).signs(t, 0, testNow, `{"name":"zoe"}`))
	for search, want := range map[string][]nostr.PubKey{
		"ada":            {ada.key, adam.key},
		"love":           {ada.key},
		"lovelace ad":    {ada.key},
		"engines":        {ada.key},
		"smith":          {adam.key},
		"ada@nowhere":    nil,
		"the":            nil,
		"":               nil,
		"bob":            {newPerson(3).key},
		"Countess@engin": {ada.key},
	} {
		got, err := s.SearchProfiles(ctx, search, 10, nil)
		keys := []nostr.PubKey{}
		for _, p := range got {
			keys = append(keys, p.PubKey)
		}
		if err != nil || !slices.Equal(keys, want) && len(keys)+len(want) > 0 {
			t.Errorf("%q: %v, want %v (%v)", search, keys, want, err)
		}
	}
	first, err := s.SearchProfiles(ctx, "ad", 1, func(pk nostr.PubKey) bool { return pk == adam.key })
	if err != nil || len(first) != 1 || first[0].PubKey != adam.key {
		t.Errorf("a contact does not come first: %v, %v", first, err)
	}
	if p, err := s.Profile(ctx, ada.key); err != nil || p.DisplayName != "Ada Lovelace" {
		t.Errorf("profile %+v, %v", p, err)
	}
	if p, err := s.Profile(ctx, nostr.PubKey{9}); err != nil || p.PubKey != (nostr.PubKey{9}) {
		t.Errorf("nobody's profile %+v, %v", p, err)
	}
}

func TestTermFrequencyCountsStoredNotes(t *testing.T) {
	ctx := context.Background()
	s, _ := openTest(t)
	ada := newPerson(1)
	one := ada.signs(t, 1, testNow, "bower bird")
	put(t, s, one, ada.signs(t, 1, testNow, "blue bird bird"), ada.signs(t, 7, testNow, "bird"))
	if n, of, err := s.TermFrequency(ctx, "bird"); n != 2 || of != 2 || err != nil {
		t.Errorf("%d of %d, %v", n, of, err)
	}
	put(t, s, ada.signs(t, 5, testNow, "", nostr.Tag{"e", one.ID.String()}))
	if n, of, err := s.TermFrequency(ctx, "bird"); n != 1 || of != 1 || err != nil {
		t.Errorf("after a deletion %d of %d, %v", n, of, err)
	}
}

func TestAnArticleIsFoundByItsTitleAndSummary(t *testing.T) {
	s, _ := openTest(t)
	ada := newPerson(1)
	put(t, s,
		ada.signs(t, 30023, testNow, "They pick what is blue.", nostr.Tag{"d", "a"}, nostr.Tag{"title", "On Bowerbirds"}, nostr.Tag{"summary", "why colours matter"}),
		ada.signs(t, 1, testNow-1, "a note", nostr.Tag{"title", "Bowerbirds"}, nostr.Tag{"summary", "colours"}))
	const article = "They pick what is blue."
	for search, want := range map[string][]string{
		"bowerbirds":           {article},
		"colours":              {article},
		"bowerbirds blue":      {article},
		`"on bowerbirds"`:      {article},
		`"colours matter"`:     {article},
		"blue -bowerbirds":     nil,
		"bowerbirds cassowary": nil,
	} {
		if got := contents(query(t, s, nostr.Filter{Search: search})); !slices.Equal(got, want) && len(got)+len(want) > 0 {
			t.Errorf("%q: %q, want %q", search, got, want)
		}
	}
	put(t, s, ada.signs(t, 30023, testNow+1, article, nostr.Tag{"d", "a"}, nostr.Tag{"title", "On satin"}))
	if got := query(t, s, nostr.Filter{Search: "bowerbirds"}); len(got) != 0 {
		t.Errorf("found by the title of the version before: %q", contents(got))
	}
	mustBeSound(t, s)
}

func TestASearchTakesOperators(t *testing.T) {
	s, _ := openTest(t)
	ada, bob := newPerson(1), newPerson(2)
	put(t, s,
		ada.signs(t, 1, testNow-10, "the blue bower", nostr.Tag{"t", "birds"}),
		bob.signs(t, 1, testNow-20, "a blue sky", nostr.Tag{"t", "Birds"}),
		bob.signs(t, 1, testNow-2*24*3600, "an old blue bower"))
	for search, want := range map[string][]string{
		"blue":                             {"the blue bower", "a blue sky", "an old blue bower"},
		"blue #birds":                      {"the blue bower", "a blue sky"},
		`"blue bower"`:                     {"the blue bower", "an old blue bower"},
		"bower since:24h":                  {"the blue bower"},
		"bower until:1d":                   {"an old blue bower"},
		"blue from:" + ada.key.String():    {"the blue bower"},
		"blue -bower":                      {"a blue sky"},
		"-bower":                           {"a blue sky"},
		fmt.Sprint("blue since:", testNow): nil,
		"#birds":                           {"the blue bower", "a blue sky"},
	} {
		if got := contents(query(t, s, nostr.Filter{Search: search})); !slices.Equal(got, want) && len(got)+len(want) > 0 {
			t.Errorf("%q: %q, want %q", search, got, want)
		}
	}
	for e, err := range s.Query(context.Background(), QueryOptions{}, nostr.Filter{Search: "blue from:ada"}) {
		if told, ok := errors.AsType[*search.Error](err); !ok || told.Problem != search.NoPerson || told.Start != 5 {
			t.Errorf("a name in from: gives %v, %v", e, err)
		}
	}
}
