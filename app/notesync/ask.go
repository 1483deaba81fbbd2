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

// Question is a single question to relays, outside any session.
type Question struct {
	Store   *ndb.Store
	Client  *netsafe.Client
	Relays  []string       // whom to ask, at most 20; those that the policy refuses are left out
	Never   []string       // relays that are not asked, whoever lists them
	Me      nostr.PubKey   // whose list of blocked relays applies too; zero for nobody
	Filters []nostr.Filter // one page is asked for of each
	Wait    time.Duration
	// Linger is how long to wait for the others once one relay has answered everything; 0
	// for up to Wait.
	Linger time.Duration
	Enough func() bool  // called after events arrive: reports whether no more are needed; may be nil
	Limits relay.Limits // zero fields take the defaults
	Logger *slog.Logger
}

// Ask asks the relays of a question side by side and stores their answers. It returns how
// many events were new. Errors: [ErrNoRelays], [ErrNoNetwork] if no relay was reached,
// those of the store, and that of ctx; what was stored before stays stored.
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

// askOne asks one relay. The error is the store's; whole means that it answered everything.
func (r *run) askOne(ctx context.Context, url string, q Question) (whole bool, err error) {
	l := r.link(url)
	for _, f := range q.Filters {
		p, err := l.page(ctx, f)
		// What arrived is stored even if nobody is waiting any more.
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
