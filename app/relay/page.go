package relay

import (
	"context"
	"errors"

	"bowerbird/ndb/nostr"
)

// Page is the answer to one REQ.
type Page struct {
	// Events in the order they came: ids right, filters met, signatures unchecked.
	// The same event may be there twice.
	Events []*nostr.Event
	// Finish: the relay said, by NIP-67, that there is no more.
	Finish bool
	// Ended: EOSE came, though the error says that the relay then hung up. Nothing can
	// have been under way after it; but a relay that is shut down ends its answers in
	// the middle in the same way, so this alone does not prove that the page is whole.
	Ended bool
	// Refused is how many events were dropped as bad. A page of nothing but refused
	// events is a failure, not an empty window.
	Refused int
}

// Fetch sends a REQ and gathers its answer up to EOSE. The error is nil only if
// EOSE came and nothing followed it; otherwise the page holds what came
// before, and the error is an *Error (Rejected, NoReply, Stalled, TooLong, Overrun,
// Unruly, or why the connection ended) or that of ctx.
func (c *Conn) Fetch(ctx context.Context, filters ...nostr.Filter) (Page, error) {
	sub, err := c.Subscribe(ctx, Stored, filters...)
	if err != nil {
		return Page{}, err
	}
	defer sub.Close()
	page, err := c.gather(ctx, sub)
	c.mu.Lock()
	defer c.mu.Unlock()
	page.Finish, page.Refused = sub.finish, sub.refused
	page.Ended = errors.Is(err, Lost) && !sub.eose.IsZero() && !sub.unruly
	return page, err
}

func (c *Conn) gather(ctx context.Context, sub *Sub) (Page, error) {
	var page Page
	size := 0
	for {
		it, err := sub.next(ctx)
		if err == EOSE {
			return page, nil
		}
		if err != nil {
			return page, err
		}
		if size += it.size; size > c.limits.PageBytes {
			return page, c.fail(Overrun, "more bytes than a page may have", nil)
		}
		page.Events = append(page.Events, it.event)
	}
}
