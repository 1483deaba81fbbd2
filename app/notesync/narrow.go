package notesync

import (
	"context"
	"fmt"
	"slices"

	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// narrowDown follows a page that had lies in it, or events of a shape that is
// not permitted: what they stood for may be missing. So that one such event does
// not leave a whole window open for ever, the window is cut until it is known
// which second and which author it concerns; those stay open.
func (w *window) narrowDown(ctx context.Context) error {
	if w.learnt.distrusted.Add(1) > maxDistrusted {
		return fmt.Errorf("%w: it sends too much that is not valid", errGivenUp)
	}
	if w.until < w.span.to {
		if err := w.prove(ctx, span{w.until + 1, w.span.to}, false); err != nil {
			return err
		}
	}
	if w.span.from < w.until {
		return w.halve(ctx, span{w.span.from, w.until}, w.until)
	}
	if err := w.second(ctx, w.authors, w.until, w.until, w.limit); err != nil {
		return err
	}
	return w.prove(ctx, span{w.until, w.until}, false)
}

// second gets one second whole. It asks for what lies before it too, from the time
// low on: a page that reaches below the second holds all of it, whatever the relay's
// cap. One that does not is asked for again for half the authors. A second of one
// author that is not shown whole, or has lies in it, is left as a hole.
func (w *window) second(ctx context.Context, authors []nostr.PubKey, low, at int64, limit int) error {
	if w.limit == 1 {
		w.hole(at, authors...) // no page reaches below
		return nil
	}
	if *w.asked++; *w.asked > maxPages {
		return fmt.Errorf("%w: it has no end of notes for one second", errGivenUp)
	}
	p, err := w.source.page(ctx, w.ask(authors, span{low, at}, min(limit, w.limit)))
	if err != nil {
		return err
	}
	s := look(p)
	wanted := p
	wanted.events = slices.DeleteFunc(slices.Clone(p.events), func(e *nostr.Event) bool { return e.CreatedAt < w.span.from })
	if _, err := w.keep(ctx, wanted); err != nil {
		return err
	}
	switch {
	case p.err != nil:
		return fmt.Errorf("%w: %w", errGivenUp, p.err)
	case p.refused > 0:
		w.learnt.distrusted.Add(1)
	case p.complete(), s.ordered && s.oldest < at, s.count == 1 && !w.learnt.meager.Load(), w.isAll(p, authors):
		return nil
	}
	if len(authors) <= 1 || w.learnt.meager.Load() {
		w.hole(at, authors...)
		return nil
	}
	for half := range slices.Chunk(authors, (len(authors)+1)/2) {
		if err := w.second(ctx, half, low, at, w.limit); err != nil {
			return err
		}
	}
	return nil
}

// isAll reports whether a page holds all that can be, since of each list of a person
// there is one.
func (w *window) isAll(p page, authors []nostr.PubKey) bool {
	type list struct {
		author nostr.PubKey
		kind   uint16
	}
	lists := map[list]bool{}
	for _, e := range p.events {
		lists[list{e.PubKey, e.Kind}] = true
	}
	return w.purpose == coverage.Profile && len(lists) == len(authors)*len(profileKinds())
}
