package notesync

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"bowerbird/app/relay"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/netsafe"
)

// Question is something to be asked of relays once, beside any session.
type Question struct {
	Store   *ndb.Store
	Client  *netsafe.Client
	Relays  []string       // whom to ask, at most 20 of them; what the policy refuses is left out
	Never   []string       // who is not asked, whoever names them
	Me      nostr.PubKey   // whose own list of relays to keep away from holds as well; zero for nobody
	Filters []nostr.Filter // each asked for one page
	Wait    time.Duration
	// Linger is how long the others are waited for once one relay has answered all;
	// 0 for as long as Wait.
	Linger time.Duration
	Enough func() bool  // asked after events came: no more is needed; nil for never
	Limits relay.Limits // zero fields take the defaults
	Logger *slog.Logger
}

// Ask asks the relays of a question side by side and stores what they answer. It
// returns how many events were new, and ErrNoNetwork when no relay was reached.
// What was stored before ctx ended stays stored.
func Ask(ctx context.Context, q Question) (stored int, err error) {
	waiting, cancel := context.WithTimeout(ctx, q.Wait)
	defer cancel()
	r := New(Options{Store: q.Store, Client: q.Client, Me: q.Me, Never: q.Never, Limits: q.Limits, Logger: q.Logger}).run
	r.life = waiting
	defer r.close()
	r.setBanned(ctx)
	urls := r.usable(q.Relays...)
	if len(urls) == 0 {
		return 0, ErrNoRelays
	}
	urls = urls[:min(len(urls), maxConnections)]
	var lingers atomic.Bool
	err = everywhere(urls, func(url string) error {
		whole, err := r.askOne(waiting, url, q)
		if whole && q.Linger > 0 && lingers.CompareAndSwap(false, true) {
			time.AfterFunc(q.Linger, cancel)
		}
		if err == nil && q.Enough != nil && q.Enough() {
			cancel()
		}
		return err
	})
	switch failed := (*storeError)(nil); {
	case errors.As(err, &failed):
		return r.stored(), err
	case ctx.Err() != nil:
		return r.stored(), ctx.Err()
	}
	return r.stored(), r.nobodyAnswered()
}

// askOne asks one relay. The error is the store's; whole says that all was answered.
func (r *run) askOne(ctx context.Context, url string, q Question) (whole bool, err error) {
	l := r.link(url)
	for _, f := range q.Filters {
		p, err := l.page(ctx, f)
		// What came is kept even when nobody waits for it any more.
		if _, putErr := r.put(context.WithoutCancel(ctx), l, ndb.Batch{Events: p.events}); putErr != nil {
			return false, putErr
		}
		if err != nil || p.err != nil {
			r.remember(url, stageNotes, errors.Join(err, p.err))
			return false, nil
		}
	}
	return true, nil
}
