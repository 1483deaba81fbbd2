package present

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// The bounds of a thread.
const (
	threadDepth    = 6     // levels of replies that are shown; deeper ones are counted
	maxAncestors   = 60    // notes above the focus
	maxThreadRead  = 3_000 // replies read
	maxThreadShown = 600   // replies shown
	threadPage     = 100   // ids in one question to the store
)

// Thread is a note with what it answers and the replies to it.
type Thread struct {
	// Ancestors are above the focus, the root first. A Missing one is a note that
	// is answered but not stored; what it answers itself is not known.
	Ancestors []Note
	Focus     Note
	Replies   []Branch // in reading order
	Total     int      // replies that are stored, at every depth below the focus
	More      bool     // there are more than are read or shown
}

// Branch is a reply and its place in the tree.
type Branch struct {
	Note  Note // Missing where only answers to it are stored
	Depth int  // 0 for what answers the focus, less than threadDepth
	Below int  // stored replies below this one, at every depth
	// Continue is how many of Below are too deep to be shown here: the thread of
	// this note shows them. 0 where all are shown.
	Continue int
}

// Visible returns the replies that are not below a collapsed one.
func (t *Thread) Visible(collapsed map[nostr.ID]bool) []Branch {
	if len(collapsed) == 0 {
		return t.Replies
	}
	var shown []Branch
	hidden := -1 // what is deeper is hidden
	for _, b := range t.Replies {
		if hidden >= 0 && b.Depth > hidden {
			continue
		}
		hidden = -1
		if collapsed[b.Note.ID] {
			hidden = b.Depth
		}
		shown = append(shown, b)
	}
	return shown
}

// Thread reads the thread of a note: what it answers up to the root, and the replies below
// it. If the note is not stored, Focus is Missing, and the replies are those that are
// stored.
func (r *Reader) Thread(ctx context.Context, id nostr.ID) (Thread, error) {
	focus, err := r.Note(ctx, id)
	if err != nil {
		return Thread{}, err
	}
	t := Thread{Focus: focus}
	e, err := r.Store.Event(ctx, focus.ID)
	if err != nil && !errors.Is(err, ndb.ErrNotFound) {
		return Thread{}, fmt.Errorf("read note %s: %w", id, err)
	}
	if err == nil {
		if t.Ancestors, err = r.ancestors(ctx, e); err != nil {
			return Thread{}, err
		}
	} else {
		e = nil
	}
	tree := &replyTree{r: r, focus: focus.ID, notes: map[nostr.ID]*nostr.Event{}}
	if err := tree.read(ctx, e); err != nil {
		return Thread{}, fmt.Errorf("read replies to note %s: %w", id, err)
	}
	t.Total, t.More = len(tree.notes), tree.more
	if t.Replies, err = tree.branches(ctx); err != nil {
		return Thread{}, err
	}
	t.More = t.More || tree.more
	return t, nil
}

// ancestors follows parents upwards. If one is missing, the root that the reply names is
// above the gap.
func (r *Reader) ancestors(ctx context.Context, e *nostr.Event) ([]Note, error) {
	var up []Note
	seen := map[nostr.ID]bool{e.ID: true}
	for len(up) < maxAncestors {
		reply, ok := nostr.ReplyTo(e)
		if !ok || seen[reply.Parent] {
			break
		}
		seen[reply.Parent] = true
		n, err := r.Note(ctx, reply.Parent)
		if err != nil {
			return nil, err
		}
		if n.Missing { // perhaps an older version of an article
			if now := r.answered(ctx, e); now != nil && !seen[now.ID] {
				seen[now.ID] = true
				if n, err = r.FromEvent(ctx, now); err != nil {
					return nil, err
				}
			}
		}
		if n.Missing && reply.Parent == (nostr.ID{}) {
			break // it is about something else, such as a web page
		}
		if n.Missing {
			if n, err = r.hinted(ctx, n, e); err != nil {
				return nil, err
			}
		}
		up = append(up, n)
		if !n.Missing {
			if e, err = r.Store.Event(ctx, n.ID); err != nil {
				return nil, fmt.Errorf("read note %s: %w", n.ID, err)
			}
			continue
		}
		if reply.Root == (nostr.ID{}) || seen[reply.Root] {
			break
		}
		if n, err = r.Note(ctx, reply.Root); err != nil {
			return nil, err
		} else if !n.Missing {
			up = append(up, n)
		}
		break
	}
	slices.Reverse(up)
	return up, nil
}

// answered returns the article that a reply names by its address; nil if it names none, or
// none that is stored.
func (r *Reader) answered(ctx context.Context, e *nostr.Event) *nostr.Event {
	kind, author, d, ok := parseAddress(addressOf(e))
	if !ok {
		return nil
	}
	article, err := r.Store.Latest(ctx, kind, author, d)
	if err != nil {
		return nil // then it is missing
	}
	return article
}

// addressOf returns the address that a reply answers directly; "" for none.
func addressOf(e *nostr.Event) string {
	if reply, ok := nostr.ReplyTo(e); !ok || e.Kind == kindText && reply.Parent != reply.Root {
		return ""
	}
	address, _ := e.Tags.Value("a")
	return address
}

// hinted adds the author to a missing note, if the reply e names one.
func (r *Reader) hinted(ctx context.Context, n Note, e *nostr.Event) (Note, error) {
	pk, ok := taggedAuthor(e, n.ID)
	if !ok {
		return n, nil
	}
	b := builder{r: r, ctx: ctx, now: r.Now()}
	b.author(&n, pk)
	return n, b.err
}

// replyTree collects the replies to a note.
type replyTree struct {
	r       *Reader
	focus   nostr.ID
	address string // of the focus, if it is an article
	notes   map[nostr.ID]*nostr.Event
	more    bool
}

// read queries in rounds: the replies to the focus, then the replies to those.
func (t *replyTree) read(ctx context.Context, focus *nostr.Event) error {
	ask := []nostr.ID{t.focus}
	for len(ask) > 0 && !t.more {
		page := ask[:min(len(ask), threadPage)]
		ask = ask[len(page):]
		ids := make([]string, len(page))
		for i, id := range page {
			ids[i] = id.String()
		}
		filters := repliesTo('e', ids...)
		if focus != nil && focus.Kind >= 30000 && focus.Kind < 40000 {
			d, _ := focus.Tags.Value("d")
			t.address = fmt.Sprintf("%d:%s:%s", focus.Kind, focus.PubKey, d)
			filters = append(filters, repliesTo('a', t.address)...)
			focus = nil
		}
		for e, err := range t.r.Store.Query(ctx, ndb.QueryOptions{Match: t.belongs}, filters...) {
			if err != nil {
				return err
			}
			if t.notes[e.ID] != nil || e.ID == t.focus {
				continue
			}
			if len(t.notes) >= maxThreadRead {
				t.more = true
				break
			}
			t.notes[e.ID] = e
			ask = append(ask, e.ID)
		}
	}
	return nil
}

func (t *replyTree) belongs(e *nostr.Event) bool {
	_, reply := nostr.ReplyTo(e)
	return reply && (t.r.Shown == nil || t.r.Shown(e))
}

// repliesTo returns the filters for replies that name one of the values in their tag, or
// in the upper-case tag that NIP-22 has for the root.
func repliesTo(tag byte, values ...string) []nostr.Filter {
	return []nostr.Filter{
		{Kinds: []uint16{kindText, kindComment, kindVoiceComment}, Tags: map[byte][]string{tag: values}},
		{Kinds: []uint16{kindComment, kindVoiceComment}, Tags: map[byte][]string{tag - 'a' + 'A': values}},
	}
}

// node is a place in the tree; event is nil for a note that is missing.
type node struct {
	id       nostr.ID
	event    *nostr.Event
	children []*node
	below    int
	time     int64 // its own, or that of its oldest answer
}

// grow links the notes to a tree. Replies to a missing note are below a node for that
// note, which is below the focus; a circle is left out.
func (t *replyTree) grow() *node {
	nodes := map[nostr.ID]*node{t.focus: {id: t.focus}}
	for id, e := range t.notes {
		nodes[id] = &node{id: id, event: e, time: e.CreatedAt}
	}
	root := nodes[t.focus]
	for _, id := range sortedIDs(t.notes) {
		reply, _ := nostr.ReplyTo(t.notes[id])
		parent := nodes[reply.Parent]
		switch {
		case reply.Parent == (nostr.ID{}) || reply.Parent == id,
			parent == nil && t.address != "" && addressOf(t.notes[id]) == t.address: // an older version
			parent = root
		case parent == nil:
			parent = &node{id: reply.Parent, time: t.notes[id].CreatedAt}
			nodes[reply.Parent] = parent
			root.children = append(root.children, parent)
		}
		if parent.event == nil && parent != root {
			parent.time = min(parent.time, t.notes[id].CreatedAt)
		}
		parent.children = append(parent.children, nodes[id])
	}
	return root
}

// sortedIDs sorts notes in reading order: by time, then id.
func sortedIDs(notes map[nostr.ID]*nostr.Event) []nostr.ID {
	ids := make([]nostr.ID, 0, len(notes))
	for id := range notes {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b nostr.ID) int {
		return cmp.Or(cmp.Compare(notes[a].CreatedAt, notes[b].CreatedAt), cmp.Compare(string(a[:]), string(b[:])))
	})
	return ids
}

// branches lays the tree out in reading order, oldest first among siblings.
func (t *replyTree) branches(ctx context.Context) ([]Branch, error) {
	root := t.grow()
	count(root)
	var out []Branch
	b := builder{r: t.r, ctx: ctx, now: t.r.Now()}
	var walk func(n *node, depth int) error
	walk = func(n *node, depth int) error {
		slices.SortStableFunc(n.children, func(a, b *node) int { return cmp.Compare(a.time, b.time) })
		for _, c := range n.children {
			if len(out) >= maxThreadShown {
				t.more = true
				return nil
			}
			branch := Branch{Note: t.r.missing(c.id), Depth: depth, Below: c.below}
			if c.event != nil {
				branch.Note = b.note(c.event, 0)
			}
			if b.err != nil {
				return fmt.Errorf("present note %s: %w", c.id, b.err)
			}
			if depth == threadDepth-1 {
				branch.Continue = c.below
			}
			out = append(out, branch)
			if depth < threadDepth-1 {
				if err := walk(c, depth+1); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return out, walk(root, 0)
}

// count sets how many stored notes are below each, without recursion: a chain may be as
// long as the thread.
func count(root *node) {
	order := []*node{root}
	for i := 0; i < len(order); i++ {
		order = append(order, order[i].children...)
	}
	for i := len(order) - 1; i >= 0; i-- {
		for _, c := range order[i].children {
			order[i].below += c.below
			if c.event != nil {
				order[i].below++
			}
		}
	}
}
