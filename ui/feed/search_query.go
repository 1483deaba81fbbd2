package feed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"bowerbird/app"
	"bowerbird/ndb"
	"bowerbird/tools"
	"bowerbird/ui/present"
)

// search is a search text that was read: what to look for, or why not.
type search struct {
	text   string
	query  ndb.SearchQuery
	left   []string          // operators of other searches, which were left out
	tl     timeline          // empty where there is nothing to look for
	people []present.Profile // who go by what is looked for, at most mostPeople
	found  tally             // atLeast where counting on takes longer
	trouble
}

// trouble is what is wrong with a search text.
type trouble struct {
	kind troubleKind
	at   int    // which character it begins at, from 1; 0 for no place
	what string // the operator or value that is meant; text of the user
}

type troubleKind string

const (
	noTrouble      troubleKind = ""
	unfinished     troubleKind = "unfinished" // an operator without its value: it is being typed
	noWords        troubleKind = "words"      // only signs, links or codes
	unknownPerson  troubleKind = "person"
	severalPeople  troubleKind = "people"
	noTime         troubleKind = "time"
	timesCross     troubleKind = "times" // since is behind until
	twice          troubleKind = "twice"
	cannotExclude  troubleKind = "exclude"
	unknownHas     troubleKind = "has"
	unreadableText troubleKind = "text"
)

// searchedKinds are the kinds that the search finds: all with words in them.
func searchedKinds() tools.Kinds {
	return tools.Kinds{kindNote, kindPicture, kindComment, kindVoiceComment, kindArticle}
}

// readSearch reads a search text the way the tools do, so that the assistant and the
// window find the same notes. The error is that of the store.
func readSearch(ctx context.Context, a *app.App, text string) (search, error) {
	s := search{text: strings.TrimSpace(text)}
	if s.text == "" {
		return s, nil
	}
	rest, has, left, wrongHas := takeHas(s.text)
	s.left = left
	if s.trouble = wrongHas; s.kind != noTrouble {
		return s, nil
	}
	var err error
	if s.query, err = ndb.ParseSearch(rest); err != nil {
		s.trouble = parseTrouble(err)
		return s, nil
	}
	if rest = strings.TrimSpace(rest); rest == "" && len(has) == 0 {
		s.trouble = trouble{kind: noWords}
		return s, nil
	}
	env, err := a.Env(ctx)
	if err != nil {
		return s, fmt.Errorf("prepare the search: %w", err)
	}
	sel, err := env.Select(ctx, tools.CountArgs{Context: tools.ScopeAny, Search: rest, Kind: searchedKinds(), IncludeReplies: true})
	var wrong *tools.ArgumentError
	switch {
	case errors.As(err, &wrong):
		s.trouble, err = argumentTrouble(ctx, a.Notes(), s.query, wrong)
		return s, err
	case err != nil:
		return s, fmt.Errorf("prepare the search: %w", err)
	}
	shown := hasAll(sel.Shown, has)
	s.tl = timeline{store: a.Notes(), filter: sel.Filter, shown: shown, passed: shown}
	return s, nil
}

var atCharacter = regexp.MustCompile(`character (\d+): (\w+): (.*)`)

// parseTrouble reads what ndb.ParseSearch says.
func parseTrouble(err error) trouble {
	m := atCharacter.FindStringSubmatch(err.Error())
	if m == nil {
		if strings.Contains(err.Error(), "nothing to look for") {
			return trouble{kind: noWords}
		}
		return trouble{kind: unreadableText}
	}
	t := trouble{what: m[2] + ":"}
	t.at, _ = strconv.Atoi(m[1]) // digits, by the pattern
	switch {
	case strings.Contains(m[3], "twice"):
		t.kind = twice
	case strings.Contains(m[3], "excluded"):
		t.kind = cannotExclude
	default:
		t.kind = unfinished
	}
	return t
}

// argumentTrouble finds out which of the people or times is meant.
func argumentTrouble(ctx context.Context, store *ndb.Store, q ndb.SearchQuery, wrong *tools.ArgumentError) (trouble, error) {
	switch wrong.Path {
	case "since", "until":
		if strings.HasPrefix(wrong.Expected, "a time before until") {
			return trouble{kind: timesCross}, nil
		}
		value := q.Since
		if wrong.Path == "until" {
			value = q.Until
		}
		return trouble{kind: noTime, what: wrong.Path + ":" + value}, nil
	}
	for _, name := range q.From {
		found, err := store.SearchProfiles(ctx, name, 2, nil)
		if err != nil {
			return trouble{}, fmt.Errorf("look for people: %w", err)
		}
		if len(found) == 0 && !isKey(name) {
			return trouble{kind: unknownPerson, what: name}, nil
		}
		if wrong.Expected == "one person" && len(found) > 1 && strings.Contains(wrong.Got, name) {
			return trouble{kind: severalPeople, what: name}, nil
		}
	}
	return trouble{kind: unreadableText}, nil
}

func isKey(name string) bool {
	_, err := ndb.ParseCode(name)
	_, hexErr := ndb.ParsePubKey(name)
	return err == nil || hexErr == nil
}

// tally is how much a search finds.
type tally struct {
	notes, people int
	atLeast       bool // counting took too long
}

// How long is counted: before the first notes are shown, and in all.
const (
	quickTally = 60 * time.Millisecond
	longTally  = 2 * time.Second
)

// count counts what a search finds, as the tool count does, for so long at most.
func (s *search) count(ctx context.Context, most time.Duration) (tally, error) {
	var t tally
	if s.tl.store == nil {
		return t, nil
	}
	ctx, end := context.WithTimeout(ctx, most)
	defer end()
	people := map[ndb.PubKey]bool{}
	for e, err := range s.tl.store.Query(ctx, ndb.QueryOptions{Match: s.tl.shown}, s.tl.filter) {
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			t.atLeast = true
		case errors.Is(err, ndb.ErrDamaged):
		case err != nil:
			return t, fmt.Errorf("count what was found: %w", err)
		default:
			t.notes++
			people[e.PubKey] = true
		}
	}
	t.people = len(people)
	return t, nil
}

// mostPeople is how many people are shown above the notes.
const mostPeople = 3

// findPeople finds who is called by the words of a search that names nothing else;
// those who are followed come first.
func (s *search) findPeople(ctx context.Context, a *app.App, reader *present.Reader) error {
	name := nameIn(s.text)
	if name == "" {
		return nil
	}
	follows, err := followed(ctx, a)
	if err != nil {
		return err
	}
	found, err := a.Notes().SearchProfiles(ctx, name, mostPeople, func(pk ndb.PubKey) bool { return follows[pk] })
	if err != nil {
		return fmt.Errorf("look for people: %w", err)
	}
	for _, p := range found {
		person, err := reader.Profile(ctx, p.PubKey)
		if err != nil {
			return fmt.Errorf("look for people: %w", err)
		}
		s.people = append(s.people, person)
	}
	return nil
}

// nameIn returns a search text that could be somebody's name: words without
// operators; "" for none.
func nameIn(text string) string {
	words := strings.Fields(text)
	for _, w := range words {
		if strings.ContainsAny(w, `:#"“”„«»`) || strings.HasPrefix(w, "-") {
			return ""
		}
	}
	return strings.TrimPrefix(strings.Join(words, " "), "@")
}

// suggestion is a way to go on with what is typed.
type suggestion struct {
	label string // cleaned
	text  string // the whole search text with it
}

const mostSuggestions = 6

// suggest offers people behind "from:", hashtags behind "#", times behind "since:" and
// "until:" and what "has:" knows, for the last word of a text.
func suggest(ctx context.Context, a *app.App, text string, tags []string) ([]suggestion, error) {
	start := lastWord(text)
	word, before := text[start:], text[:start]
	op, value, ok := strings.Cut(word, ":")
	switch low := strings.ToLower(op); {
	case strings.HasPrefix(word, "#"):
		return suggestTags(before, strings.ToLower(word[1:]), tags), nil
	case ok && (low == "since" || low == "until"):
		return suggestTimes(before, low, value), nil
	case ok && low == "has":
		return suggestHas(before, strings.ToLower(value)), nil
	case ok && low == "from":
		return suggestPeople(ctx, a, before, strings.Trim(value, `"@`))
	}
	return nil, nil
}

// lastWord returns where the last word of a text begins; a value in quotes belongs
// to its word.
func lastWord(text string) int {
	quoted, start := false, 0
	for i, r := range text {
		if r == '"' {
			quoted = !quoted
		}
		if !quoted && unicode.IsSpace(r) {
			start = i + utf8.RuneLen(r)
		}
	}
	return start
}

func suggestTags(before, prefix string, tags []string) []suggestion {
	var out []suggestion
	for _, tag := range tags {
		if strings.HasPrefix(tag, prefix) && tag != prefix && len(out) < mostSuggestions {
			out = append(out, suggestion{"#" + ndb.CleanLine(tag, 30), before + "#" + tag + " "})
		}
	}
	return out
}

func suggestTimes(before, op, value string) []suggestion {
	var out []suggestion
	for _, t := range []string{"today", "yesterday", "24h", "7d", "30d"} {
		if strings.HasPrefix(t, value) && t != value {
			out = append(out, suggestion{op + ":" + t, before + op + ":" + t + " "})
		}
	}
	return out
}

func suggestHas(before, value string) []suggestion {
	var out []suggestion
	for _, what := range []string{"image", "video", "link"} {
		if strings.HasPrefix(what, value) && what != value {
			out = append(out, suggestion{"has:" + what, before + "has:" + what + " "})
		}
	}
	return out
}

func suggestPeople(ctx context.Context, a *app.App, before, name string) ([]suggestion, error) {
	if strings.TrimSpace(name) == "" || isKey(name) {
		return nil, nil
	}
	follows, err := followed(ctx, a)
	if err != nil {
		return nil, err
	}
	found, err := a.Notes().SearchProfiles(ctx, name, mostSuggestions, func(pk ndb.PubKey) bool { return follows[pk] })
	if err != nil {
		return nil, fmt.Errorf("look for people: %w", err)
	}
	var out []suggestion
	for _, p := range found {
		label, value := personWords(p, found)
		if strings.Trim(value, `"`) != name {
			out = append(out, suggestion{label, before + "from:" + value + " "})
		}
	}
	return out, nil
}

// personWords returns how a person is shown and how a search names them: by a name
// that nobody else of those found has, else by their key.
func personWords(p ndb.Profile, among []ndb.Profile) (label, value string) {
	label = ndb.CleanLine(p.Best(), 40)
	for _, name := range []string{p.Name, p.DisplayName} {
		if name == "" || strings.ContainsAny(name, `"“”„«»`) {
			continue
		}
		same := slices.ContainsFunc(among, func(o ndb.Profile) bool {
			return o.PubKey != p.PubKey && (strings.EqualFold(o.Name, name) || strings.EqualFold(o.DisplayName, name))
		})
		if same {
			continue
		}
		if strings.ContainsFunc(name, unicode.IsSpace) {
			name = `"` + name + `"`
		}
		return label, name
	}
	npub := p.PubKey.Npub()
	if label == "" {
		label = npub[:12] + "…"
	} else {
		label += " " + npub[:9] + "…"
	}
	return label, npub
}

// followed returns whom the reader follows.
func followed(ctx context.Context, a *app.App) (map[ndb.PubKey]bool, error) {
	keys, err := a.Notes().Contacts(ctx, a.Me())
	if err != nil && !errors.Is(err, ndb.ErrNotFound) {
		return nil, fmt.Errorf("read whom the reader follows: %w", err)
	}
	set := make(map[ndb.PubKey]bool, len(keys))
	for _, pk := range keys {
		set[pk] = true
	}
	return set, nil
}

// usualTags returns the hashtags of the last month, the most used first.
func usualTags(ctx context.Context, a *app.App) ([]string, error) {
	tool, ok := a.Tools().Get("aggregate")
	if !ok {
		return nil, nil
	}
	env, err := a.Env(ctx)
	if err != nil {
		return nil, fmt.Errorf("read hashtags: %w", err)
	}
	res, err := tool.Call(ctx, env, json.RawMessage(`{"by":"hashtag","context":"any","since":"30d","include_replies":true,"limit":300}`))
	if err != nil {
		return nil, fmt.Errorf("read hashtags: %w", err)
	}
	agg, ok := res.(tools.AggregateResult)
	if !ok {
		return nil, nil
	}
	var tags []string
	for _, b := range agg.Buckets {
		tags = append(tags, b.Key)
	}
	return tags, nil
}
