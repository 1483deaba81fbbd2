package chats

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"bowerbird/app/agent"
)

// A question that is asked again, or edited, makes a branch, which is a separate chat in
// the store. To the user, all branches are one chat with versions of some of its turns: a
// Family.

// Family is a chat with all its versions.
type Family struct {
	Info             // of the version changed last
	Members []string // the ids of all versions that are not deleted
}

// Families returns the chats that are not deleted as the user counts them: each once,
// whatever its versions, the most recently changed first. skipped is as in List.
func (s *Store) Families(ctx context.Context) (list []Family, skipped []error, err error) {
	tree, skipped, err := s.tree(ctx)
	if err != nil {
		return nil, nil, err
	}
	place := map[string]int{} // by root
	for _, info := range tree.newestFirst() {
		if !info.Deleted.IsZero() {
			continue
		}
		root := tree.owner(info.ID, 0)
		i, known := place[root]
		if !known {
			i = len(list)
			place[root] = i
			list = append(list, Family{Info: info})
		}
		list[i].Members = append(list[i].Members, info.ID)
	}
	return list, skipped, nil
}

// Versions returns, by the number of a turn, the chats that hold its versions, oldest
// first, including the chat itself but not those without a word of an answer. Turns with
// only one version are left out.
func (s *Store) Versions(ctx context.Context, id string) (map[int][]string, error) {
	tree, _, err := s.tree(ctx)
	if err != nil {
		return nil, err
	}
	self, ok := tree[id]
	if !ok {
		return nil, fmt.Errorf("chat %q: %w", id, ErrNotFound)
	}
	versions := map[int][]string{}
	for turn := 1; turn <= self.Turns; turn++ {
		if list := tree.versions(self, turn); len(list) > 1 {
			versions[turn] = list
		}
	}
	return versions, nil
}

// tree holds the headers of all chats by id, including deleted ones, from which others may
// have been branched.
type tree map[string]Info

func (s *Store) tree(ctx context.Context) (tree, []error, error) {
	all, skipped, err := s.list(ctx, func(Info) bool { return true })
	if err != nil {
		return nil, nil, err
	}
	t := make(tree, len(all))
	for _, info := range all {
		t[info.ID] = info
	}
	return t, skipped, nil
}

func (t tree) newestFirst() []Info {
	return slices.SortedFunc(maps.Values(t), byChange)
}

// owner returns the chat in which a turn of a chat was asked: branches share the turns
// before their own. Turn 0 is the beginning. The owner may no longer exist.
func (t tree) owner(id string, turn int) string {
	for range t { // a damaged store may have branches in a circle
		info, there := t[id]
		if !there || info.Branch == nil || turn >= info.Branch.Turn {
			break
		}
		id = info.Branch.Chat
	}
	return id
}

// depth returns the number of branches between a chat and its root.
func (t tree) depth(id string) int {
	n := 0
	for range t {
		info, there := t[id]
		if !there || info.Branch == nil {
			break
		}
		id = info.Branch.Chat
		n++
	}
	return n
}

// versions lists the chats with the same turns before a turn as self, one for each
// different turn there: self, else the most recently changed one.
func (t tree) versions(self Info, turn int) []string {
	before := t.owner(self.ID, turn-1)
	holder := map[string]string{t.owner(self.ID, turn): self.ID}
	for _, info := range t.newestFirst() {
		owner := t.owner(info.ID, turn)
		if info.Wordless && info.Turns == turn {
			continue
		}
		if info.Deleted.IsZero() && info.Turns >= turn && t.owner(info.ID, turn-1) == before && holder[owner] == "" {
			holder[owner] = info.ID
		}
	}
	owners := slices.SortedFunc(maps.Keys(holder), func(a, b string) int {
		return cmp.Or(t[a].Created.Compare(t[b].Created), cmp.Compare(t.depth(a), t.depth(b)), cmp.Compare(a, b))
	})
	list := make([]string, 0, len(owners))
	for _, owner := range owners {
		list = append(list, holder[owner])
	}
	return list
}

// Branch returns a new chat with the turns before a given one, to ask another question in
// its place. The chat itself is not changed; taint is inherited. The branch is listed once
// its first own turn is saved.
func (s *Store) Branch(ctx context.Context, id string, turn int) (*Chat, error) {
	from, err := s.Load(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("branch: %w", err)
	}
	if turn < 1 || turn > from.head.Turns {
		return nil, fmt.Errorf("branch chat %q: it has no turn %d, only 1 to %d", id, turn, from.head.Turns)
	}
	c, err := s.New(from.head.Session)
	if err != nil {
		return nil, err
	}
	c.head.Branch = &Origin{Chat: id, Turn: turn}
	c.head.Reader = from.head.Reader
	c.head.Updated = from.head.Updated
	if from.conversation.Tainted() {
		c.conversation.Taint()
	}
	for _, t := range from.Turns {
		if t.Number >= turn {
			break
		}
		t.Number = len(c.Turns) + 1
		c.Turns = append(c.Turns, t)
		c.conversation.Messages = append(c.conversation.Messages, t.messages...)
	}
	c.conversation.LeftOut = min(from.conversation.LeftOut, len(c.conversation.Messages))
	c.conversation.Bare = min(from.conversation.Bare, len(c.conversation.Messages))
	c.head.Turns = len(c.Turns)
	c.head.Usage = usageOfAll(c.Turns)
	if len(c.Turns) > 0 || from.renamed() {
		c.head.Title = from.head.Title
	}
	// Until the header is written with the first turn, nobody sees these.
	for _, t := range c.Turns {
		values, err := s.turnValues(c.head.ID, t, ending{})
		if err == nil {
			err = s.bucket.Put(ctx, values)
		}
		if err != nil {
			return nil, fmt.Errorf("copy turn %d of chat %q: %w", t.Number, id, err)
		}
	}
	return c, nil
}

// Instead returns a chat in which to ask a question in place of a turn: a Branch, unless
// that turn is the last one and ended without a word of an answer (Info.Wordless). Nobody
// wants such an attempt back, so that the question then takes its place in the chat itself,
// as soon as it is saved.
func (s *Store) Instead(ctx context.Context, id string, turn int) (*Chat, error) {
	c, err := s.Load(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("ask in the place of a turn: %w", err)
	}
	last := len(c.Turns) - 1
	if last < 0 || turn != c.head.Turns || c.Turns[last].Number != turn || !c.Turns[last].wordless() {
		return s.Branch(ctx, id, turn)
	}
	if turn == 1 && !c.renamed() {
		c.head.Title = ""
	}
	messages := len(c.conversation.Messages) - len(c.Turns[last].messages)
	c.conversation.Messages = c.conversation.Messages[:messages]
	c.conversation.LeftOut, c.conversation.Bare = min(c.conversation.LeftOut, messages), min(c.conversation.Bare, messages)
	c.Turns, c.head.Turns = c.Turns[:last], turn-1
	c.head.Usage = usageOfAll(c.Turns)
	return c, nil
}

// wordless reports whether the turn failed or was stopped before it said, showed or did
// anything but read.
func (t *Turn) wordless() bool {
	if t.State != Failed && t.State != Cancelled {
		return false
	}
	return !slices.ContainsFunc(t.Events, func(e agent.Event) bool {
		switch e.Type {
		case agent.EventText, agent.EventRefusal:
			return strings.TrimSpace(e.Delta) != ""
		case agent.EventPresentNotes, agent.EventTable, agent.EventChart, agent.EventApproval, agent.EventToolStarted:
			return true
		}
		return false
	})
}

// renamed reports whether the title is no longer the first question.
func (c *Chat) renamed() bool {
	return len(c.Turns) > 0 && c.head.Title != titleOf(c.Turns[0].Question)
}

// Hit is a chat that a search found.
type Hit struct {
	Info
	Snippet string // of the first turn that holds the words, around the first of them; "" when only the title does
}

// Search finds the chats whose title, or one of whose turns (question and answer together),
// contains all words of the query, ignoring case. The most recently changed comes first. An
// empty query finds nothing.
func (s *Store) Search(ctx context.Context, query string) ([]Hit, error) {
	words := strings.Fields(strings.ToLower(query))
	if len(words) == 0 {
		return nil, nil
	}
	list, _, err := s.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("search chats: %w", err)
	}
	var hits []Hit
	for _, info := range list {
		hit, ok := Hit{Info: info}, holds(info.Title, words)
		turns, _, err := s.turns(ctx, info.ID)
		if err != nil {
			return nil, fmt.Errorf("search chats: %w", err)
		}
		for _, t := range turns {
			if text := t.Question + "\n" + t.Answer(); holds(text, words) {
				hit.Snippet, ok = snippet(text, words[0]), true
				break
			}
		}
		if ok {
			hits = append(hits, hit)
		}
	}
	return hits, nil
}

// Answer returns the text of the turn, its steps as paragraphs.
func (t Turn) Answer() string {
	var parts []string
	for _, e := range t.Events {
		if e.Type == agent.EventText || e.Type == agent.EventRefusal {
			if text := strings.TrimSpace(e.Delta); text != "" {
				parts = append(parts, text)
			}
		}
	}
	return strings.Join(parts, "\n\n")
}

func holds(text string, words []string) bool {
	text = strings.ToLower(text)
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// snippet returns about 120 bytes of a text around a word, on one line.
func snippet(text, word string) string {
	const before, after = 40, 80
	lower := strings.ToLower(text)
	i := strings.Index(lower, word)
	if len(lower) != len(text) { // some letters change their length: the place is another
		i = 0
	}
	from, to := max(i-before, 0), min(i+after, len(text))
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	return strings.Join(strings.Fields(text[from:to]), " ")
}
