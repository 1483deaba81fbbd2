package notesync

import (
	"context"
	"fmt"
	"slices"

	"bowerbird/ndb"
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
	if err := w.second(ctx, w.authors, w.until); err != nil {
		return err
	}
	return w.prove(ctx, span{w.until, w.until}, false)
}

// second gets one second whole by asking fewer authors at a time. One author's
// second that stays full, or has lies in it, is left as a hole in the coverage.
func (w *window) second(ctx context.Context, authors []ndb.PubKey, at int64) error {
	if len(authors) <= 1 {
		w.hole(at, authors...)
		return nil
	}
	for half := range slices.Chunk(authors, (len(authors)+1)/2) {
		if *w.asked++; *w.asked > maxPages {
			return fmt.Errorf("%w: it has no end of notes for one second", errGivenUp)
		}
		p, err := w.source.page(ctx, w.ask(half, span{at, at}))
		if err != nil {
			return err
		}
		if _, err := w.keep(ctx, p); err != nil {
			return err
		}
		if p.err != nil {
			return fmt.Errorf("%w: %w", errGivenUp, p.err)
		}
		if p.refused > 0 {
			w.learnt.distrusted.Add(1)
		}
		if p.refused > 0 || !p.complete() && w.full(w.look(p).count) {
			if err := w.second(ctx, half, at); err != nil {
				return err
			}
		}
	}
	return nil
}
