package notesync

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bowerbird/ndb"
)

// The limits of fetching what notes refer to.
const (
	wantedMost   = 5000 // ids a run looks for
	wantedRelays = 4    // relays asked for one id
)

// refer notes which notes an event speaks of, so that a reply can be shown
// under what it answers and a repost with what it passes on.
func (r *run) refer(events []*ndb.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range events {
		for _, id := range references(e) {
			if len(r.wanted) < wantedMost {
				r.wanted[id] = true
			}
		}
	}
}

func references(e *ndb.Event) []ndb.ID {
	ids := ndb.Quotes(e)
	if reply, ok := ndb.ReplyTo(e); ok {
		ids = append(ids, reply.Root, reply.Parent)
	}
	if e.Kind == 6 || e.Kind == 16 {
		if hex, ok := e.Tags.Value("e"); ok {
			if id, err := ndb.ParseID(hex); err == nil {
				ids = append(ids, id)
			}
		}
	}
	return slices.DeleteFunc(ids, func(id ndb.ID) bool { return id == ndb.ID{} })
}

// context fetches the notes that were referred to and are not there. What no
// relay has is left: a thread then shows that a note is missing.
func (r *run) context(ctx context.Context) error {
	r.enter(stageContext, 0)
	missing, err := r.missing(ctx)
	if err != nil || len(missing) == 0 {
		return err
	}
	for _, url := range r.mostAsked() {
		l := r.link(url)
		if err := r.fetch(ctx, l, missing); err != nil {
			return err
		}
		if missing, err = r.missing(ctx); err != nil || len(missing) == 0 {
			return err
		}
	}
	return nil
}

// fetch asks a relay for notes by their ids. A relay that fails is left: another
// may have them. The error is the store's or that of ctx.
func (r *run) fetch(ctx context.Context, l *link, ids []ndb.ID) error {
	if _, err := l.connect(ctx); err != nil {
		return ctx.Err()
	}
	for part := range slices.Chunk(ids, l.asIt().perFilter) {
		limit := len(part)
		p, err := l.page(ctx, ndb.Filter{IDs: part, Limit: &limit})
		if err != nil {
			return ctx.Err()
		}
		if _, err := r.put(ctx, l, p.events, nil); err != nil {
			return err
		}
	}
	return nil
}

// missing returns the wanted ids that are not stored, in order.
func (r *run) missing(ctx context.Context) ([]ndb.ID, error) {
	r.mu.Lock()
	wanted := make([]ndb.ID, 0, len(r.wanted))
	for id := range r.wanted {
		wanted = append(wanted, id)
	}
	r.mu.Unlock()
	slices.SortFunc(wanted, func(a, b ndb.ID) int { return slices.Compare(a[:], b[:]) })
	missing := wanted[:0]
	for _, id := range wanted {
		_, err := r.opt.Store.Event(ctx, id)
		switch {
		case errors.Is(err, ndb.ErrNotFound):
			missing = append(missing, id)
		case err != nil:
			return nil, fmt.Errorf("looking for a note that was referred to: %w", err)
		}
	}
	return missing, nil
}

// mostAsked returns the relays with the most authors: what one of them answers
// is likely to lie at the same relay as their own notes.
func (r *run) mostAsked() []string {
	urls := make([]string, 0, len(r.choice.asked))
	for url := range r.choice.asked {
		urls = append(urls, url)
	}
	slices.SortFunc(urls, func(a, b string) int {
		if d := len(r.choice.asked[b]) - len(r.choice.asked[a]); d != 0 {
			return d
		}
		return slices.Compare([]byte(a), []byte(b))
	})
	return urls[:min(len(urls), wantedRelays)]
}
