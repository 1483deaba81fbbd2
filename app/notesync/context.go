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
	recallMost   = 20_000 // newest stored notes whose references are read
	wantedMost   = 5000   // notes, and people, looked for at one time
	wantedRelays = 4      // relays asked for one note
	contextDepth = 3      // from a repost to the note in it, to what that replies to
)

// context fetches the missing notes that stored ones refer to, so that a reply can be shown
// below what it replies to, and the names of their authors. It starts from everything that
// is stored, since the previous run may have been interrupted. What no relay has stays
// missing.
func (r *run) context(ctx context.Context) error {
	r.enter(stageContext, 0)
	r.takeWishes() // recall finds them again
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

// fulfil fetches wanted notes, what they refer to in turn, and the names of people. The
// error is the store's or that of ctx.
func (r *run) fulfil(ctx context.Context, w *wishes) error {
	for range contextDepth {
		missing, err := r.missing(ctx, w)
		if err != nil {
			return err
		}
		found, err := r.seek(ctx, missing[:min(len(missing), wantedMost)])
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

// takenBack asks whether strangers have deleted notes that are shown because others refer
// to them; deletions by people followed arrive with their notes. It asks soon after a note
// arrived, then less and less often.
func (r *run) takenBack(ctx context.Context, notes []*nostr.Event) error {
	known := keySet(r.authors)
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

// deletionsAt asks one relay for deletions of notes by their authors. whole means that it
// answered everything.
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

// missing returns the wanted notes that are not stored and are due to be looked for. Those
// that are stored add what they refer to.
func (r *run) missing(ctx context.Context, w *wishes) (ids []nostr.ID, err error) {
	next := w.next
	w.next = nil
	for _, id := range next {
		e, err := r.opt.Store.Event(ctx, id)
		switch {
		case err == nil:
			w.of(e)
			w.there = append(w.there, e)
		case !errors.Is(err, ndb.ErrNotFound):
			return nil, fmt.Errorf("looking for a note that was referred to: %w", err)
		case r.isDue(ctx, noteTries(id)):
			ids = append(ids, id)
		}
	}
	return ids, nil
}

func (r *run) seek(ctx context.Context, ids []nostr.ID) ([]*nostr.Event, error) {
	return seek(ctx, r, r.mostAsked(), ids, noteTries, search[nostr.ID]{
		filter: func(ids []nostr.ID) nostr.Filter { return nostr.Filter{IDs: ids} },
		key:    func(e *nostr.Event) nostr.ID { return e.ID },
	})
}

// names fetches the profiles of people whom the account does not follow: authors of notes
// shown beside others, and people mentioned. Only the relays for everybody's profiles are
// asked, never those that strangers name.
func (r *run) names(ctx context.Context, people []nostr.PubKey) error {
	known := keySet(r.authors)
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
		return nil // no relay to ask
	}
	_, err = seek(ctx, r, urls, nameless, nameTries, search[nostr.PubKey]{
		filter: func(people []nostr.PubKey) nostr.Filter { return nostr.Filter{Authors: people, Kinds: []uint16{0}} },
		key:    func(e *nostr.Event) nostr.PubKey { return e.PubKey },
	})
	r.leave(append(slices.Collect(maps.Keys(r.choice.asked)), r.inboxURLs...))
	return err
}

// mostAsked returns the relays with the most authors, where the notes that they reply to
// are likely to be as well.
func (r *run) mostAsked() []string {
	urls := slices.SortedFunc(maps.Keys(r.choice.asked), func(a, b string) int {
		return cmp.Or(len(r.choice.asked[b])-len(r.choice.asked[a]), cmp.Compare(a, b))
	})
	return urls[:min(len(urls), wantedRelays)]
}

// namedMost is how many people mentioned in one note are looked up: a note that mentions
// hundreds is after attention.
const namedMost = 20

// wishes collects what notes refer to: other notes, and people whose names are shown. Each
// is collected once, in order of reference.
type wishes struct {
	next   []nostr.ID     // not looked up yet
	there  []*nostr.Event // those of the notes that are stored
	people []nostr.PubKey

	notes map[nostr.ID]bool
	named map[nostr.PubKey]bool
}

func newWishes() *wishes {
	return &wishes{notes: map[nostr.ID]bool{}, named: map[nostr.PubKey]bool{}}
}

// of adds a note's author and, if it is of a kind that is shown with its references, these:
// what other kinds refer to would be pruned again.
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

// referringKinds are the kinds that are shown with what they refer to.
func referringKinds() []uint16 { return []uint16{1, 6, 11, 16, 20, 1068, 1111, 30023} }

// references returns the notes that an event quotes, replies to or reposts.
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
