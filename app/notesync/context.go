package notesync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

const (
	recallMost   = 20_000 // stored notes, the newest, that are read for what they refer to
	wantedMost   = 5000   // notes, and people, that are looked for at one time
	wantedRelays = 4      // relays asked for one note
	contextDepth = 3      // from a repost to what it passes on, to what that answers
)

// context fetches the notes that stored ones refer to and that are not there, so
// that a reply can be shown under what it answers, and the names of their authors.
// It goes by what is stored, not by what this run brought: the one before may have
// been ended in the middle. What no relay has is left: a thread then shows that a
// note is missing.
func (r *run) context(ctx context.Context) error {
	r.enter(stageContext, 0)
	r.takeWishes() // they are found again
	if err := r.forgetTries(ctx); err != nil {
		return err
	}
	w, err := r.recall(ctx)
	if err != nil {
		return err
	}
	return r.fulfil(ctx, w)
}

func (r *run) recall(ctx context.Context) (*wishes, error) {
	from, w := r.past().from, newWishes()
	filters := []nostr.Filter{{Authors: r.authors, Kinds: referringKinds(), Since: &from, Limit: new(recallMost)}}
	if len(r.inboxURLs) > 0 {
		inbox := filterFor(coverage.Inbox, []nostr.PubKey{r.opt.Me})
		inbox.Kinds, inbox.Since, inbox.Limit = referringKinds(), &from, new(recallMost)
		filters = append(filters, inbox)
	}
	for e, err := range r.opt.Store.Query(ctx, ndb.QueryOptions{}, filters...) {
		if err != nil {
			return nil, fmt.Errorf("reading what notes refer to: %w", err)
		}
		w.of(e)
	}
	return w, nil
}

func (r *run) refer(events []*nostr.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range events {
		if max(len(r.wishes.next), len(r.wishes.people)) < wantedMost && slices.Contains(referringKinds(), e.Kind) {
			r.wishes.of(e)
		}
	}
	if len(r.wishes.next)+len(r.wishes.people) > 0 {
		r.rouse()
	}
}

func (r *run) takeWishes() *wishes {
	r.mu.Lock()
	defer r.mu.Unlock()
	w := r.wishes
	r.wishes = newWishes()
	return w
}

// fulfil fetches notes that are wanted, what they refer to in their turn, and the
// names of the people. The error is the store's or that of ctx.
func (r *run) fulfil(ctx context.Context, w *wishes) error {
	for range contextDepth {
		lacking, err := r.lacking(ctx, w)
		if err != nil {
			return err
		}
		found, err := r.seek(ctx, lacking[:min(len(lacking), wantedMost)])
		if err != nil {
			return err
		}
		for _, e := range found {
			w.of(e)
		}
		w.there = append(w.there, found...)
		if len(w.next) == 0 {
			break
		}
	}
	if err := r.takenBack(ctx, w.there); err != nil {
		return err
	}
	return r.names(ctx, w.people)
}

// takenBack asks whether strangers took notes back that are shown because others
// refer to them: what the reader's own people take back comes with their notes. It
// is asked soon after a note came, and then more and more rarely.
func (r *run) takenBack(ctx context.Context, notes []*nostr.Event) error {
	known := make(map[nostr.PubKey]bool, len(r.authors))
	for _, a := range r.authors {
		known[a] = true
	}
	var due []*nostr.Event
	for _, e := range notes {
		if !known[e.PubKey] && len(due) < wantedMost && r.isDue(ctx, deletionTries(e.ID)) {
			due = append(due, e)
		}
	}
	if len(due) == 0 {
		return nil
	}
	answered := false
	for _, url := range r.mostAsked() {
		whole, err := r.deletionsAt(ctx, r.link(url), due)
		if err != nil {
			return err
		}
		answered = answered || whole
	}
	if !answered {
		return nil
	}
	rows := make([]string, len(due))
	for i, e := range due {
		rows[i] = deletionTries(e.ID)
	}
	return r.inVain(ctx, rows)
}

// deletionsAt asks one relay for what the authors of notes took back of them; whole
// says that it answered all.
func (r *run) deletionsAt(ctx context.Context, l *link, notes []*nostr.Event) (whole bool, err error) {
	if _, err := l.connect(ctx); err != nil {
		return false, ctx.Err()
	}
	for part := range slices.Chunk(notes, max(1, l.asIt().perFilter/2)) { // each has an id and an author
		f := nostr.Filter{Kinds: []uint16{5}, Tags: map[byte][]string{}, Limit: new(l.asIt().limit)}
		for _, e := range part {
			f.Tags['e'] = append(f.Tags['e'], e.ID.String())
			f.Authors = append(f.Authors, e.PubKey)
		}
		f.Authors = distinct(f.Authors)
		p, err := l.page(ctx, f)
		if err != nil {
			return false, ctx.Err()
		}
		if _, _, err := r.keep(ctx, l, ndb.Batch{Events: p.events}); err != nil {
			return false, err
		}
		if p.err != nil {
			return false, nil
		}
	}
	return true, nil
}

// lacking returns the wanted notes that are not stored and that it is time to look
// for. Those that are stored say what they want in their turn.
func (r *run) lacking(ctx context.Context, w *wishes) (lacking []nostr.ID, err error) {
	ids := w.next
	w.next = nil
	for _, id := range ids {
		e, err := r.opt.Store.Event(ctx, id)
		switch {
		case err == nil:
			w.of(e)
			w.there = append(w.there, e)
		case !errors.Is(err, ndb.ErrNotFound):
			return nil, fmt.Errorf("looking for a note that was referred to: %w", err)
		case r.isDue(ctx, noteTries(id)):
			lacking = append(lacking, id)
		}
	}
	return lacking, nil
}

func (r *run) seek(ctx context.Context, ids []nostr.ID) ([]*nostr.Event, error) {
	return seek(ctx, r, r.mostAsked(), ids, noteTries, search[nostr.ID]{
		filter: func(ids []nostr.ID) nostr.Filter { return nostr.Filter{IDs: ids} },
		key:    func(e *nostr.Event) nostr.ID { return e.ID },
	})
}

// names fetches the profiles of people whom the reader does not follow: of those
// whose notes are shown beside the others', and who are spoken of. They are asked
// for where everybody's are, never at relays that strangers name.
func (r *run) names(ctx context.Context, people []nostr.PubKey) error {
	known := make(map[nostr.PubKey]bool, len(r.authors))
	for _, a := range r.authors {
		known[a] = true // asked for already
	}
	var nameless []nostr.PubKey
	for _, pk := range people {
		if known[pk] || len(nameless) == wantedMost {
			continue
		}
		_, err := r.opt.Store.Latest(ctx, 0, pk, "")
		switch {
		case err == nil:
		case !errors.Is(err, ndb.ErrNotFound):
			return fmt.Errorf("looking for somebody's name: %w", err)
		case r.isDue(ctx, nameTries(pk)):
			nameless = append(nameless, pk)
		}
	}
	if len(nameless) == 0 {
		return nil
	}
	urls, err := r.lookup(ctx)
	if err != nil {
		return nil // there is nobody to ask
	}
	_, err = seek(ctx, r, urls, nameless, nameTries, search[nostr.PubKey]{
		filter: func(people []nostr.PubKey) nostr.Filter { return nostr.Filter{Authors: people, Kinds: []uint16{0}} },
		key:    func(e *nostr.Event) nostr.PubKey { return e.PubKey },
	})
	r.leave(append(slices.Collect(maps.Keys(r.choice.asked)), r.inboxURLs...))
	return err
}

// mostAsked returns the relays with the most authors: what one of them answers
// is likely to lie at the same relay as their own notes.
func (r *run) mostAsked() []string {
	urls := slices.SortedFunc(maps.Keys(r.choice.asked), func(a, b string) int {
		return cmp.Or(len(r.choice.asked[b])-len(r.choice.asked[a]), cmp.Compare(a, b))
	})
	return urls[:min(len(urls), wantedRelays)]
}

// namedMost is how many people of one note are looked up: who names hundreds wants
// to be noticed, and says nothing of them.
const namedMost = 20

// wishes are what notes refer to: other notes, and people whose names are shown.
// Each comes once, in the order in which it was referred to.
type wishes struct {
	next   []nostr.ID     // not looked at yet
	there  []*nostr.Event // of the notes, those that are stored
	people []nostr.PubKey

	notes map[nostr.ID]bool
	named map[nostr.PubKey]bool
}

func newWishes() *wishes {
	return &wishes{notes: map[nostr.ID]bool{}, named: map[nostr.PubKey]bool{}}
}

// of adds a note's author, and what it refers to if it is shown with that: what a
// stranger's event of another kind refers to would be pruned again.
func (w *wishes) of(e *nostr.Event) {
	w.name(e.PubKey)
	if !slices.Contains(referringKinds(), e.Kind) {
		return
	}
	for _, id := range references(e) {
		if !w.notes[id] {
			w.notes[id] = true
			w.next = append(w.next, id)
		}
	}
	left := namedMost
	for link := range nostr.Links(e.Content) {
		if left == 0 {
			break
		}
		if link.PubKey != (nostr.PubKey{}) {
			w.name(link.PubKey)
			left--
		}
	}
}

func (w *wishes) name(pk nostr.PubKey) {
	if !w.named[pk] {
		w.named[pk] = true
		w.people = append(w.people, pk)
	}
}

// referringKinds are those of notes that are shown with what they refer to.
func referringKinds() []uint16 { return []uint16{1, 6, 11, 16, 20, 1068, 1111, 30023} }

// references returns the notes that an event speaks of: what it quotes, answers or
// passes on.
func references(e *nostr.Event) []nostr.ID {
	ids := nostr.Quotes(e)
	if reply, ok := nostr.ReplyTo(e); ok {
		ids = append(ids, reply.Root, reply.Parent)
	}
	if e.Kind == 6 || e.Kind == 16 {
		if hex, ok := e.Tags.Value("e"); ok {
			if id, err := nostr.ParseID(hex); err == nil {
				ids = append(ids, id)
			}
		}
	}
	return slices.DeleteFunc(ids, func(id nostr.ID) bool { return id == nostr.ID{} })
}
