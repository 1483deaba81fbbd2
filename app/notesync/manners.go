package notesync

import (
	"bowerbird/app/relay"
)

// How much is asked at a time of a relay that reports no limits.
const (
	backfillREQs = 4   // windows filled side by side
	liveREQs     = 2   // live subscriptions
	allREQs      = 8   // with questions on demand
	pageLimit    = 500 // events in a page
	perFilter    = 100 // authors or ids in a filter; relays refuse more
	liveFilters  = 9   // filters of a live subscription; many relays accept 10
	pageBytes    = 4 << 20
)

// manners are how a relay wants to be asked, as far as it says so (NIP-11).
type manners struct {
	limit     int // events in a page
	perFilter int // authors or ids in a filter
	filters   int // filters of a live subscription
	backfill  int // windows filled side by side
	live      int // live subscriptions
	subs      int // in total
	message   int // bytes of a message from us
	perSet    int // authors whose notes are compared at a time; 0 if it cannot compare
}

// Upper bounds of the size of a REQ, in bytes.
const (
	reqFrame = 400              // everything except the keys
	setFrame = reqFrame + 32*66 // with the first message about a set
	keyBytes = 67               // an author or id with quotes and comma
)

func mannersFor(info relay.Info, limits relay.Limits) manners {
	message := limits.Outgoing
	if message == 0 {
		message = relay.DefaultLimits().Outgoing
	}
	if said := info.MaxMessageLength; said > 0 {
		message = min(message, max(said, reqFrame+keyBytes))
	}
	m := manners{limit: pageLimit, subs: allREQs, message: message}
	if info.MaxLimit > 0 {
		m.limit = min(m.limit, info.MaxLimit)
	}
	m.perFilter = min(perFilter, (message-reqFrame)/keyBytes)
	m.filters = max(1, min(liveFilters, message/(reqFrame+m.perFilter*keyBytes)))
	switch said := info.MaxSubscriptions; {
	case said == 0:
	case said <= 2:
		m.subs = said
	default:
		// Two are kept free: relays differ in when they count one as ended.
		m.subs = min(m.subs, max(2, said-2))
	}
	switch {
	case m.subs == 1:
	case m.subs < 4:
		m.live = 1
	default:
		m.live = liveREQs
	}
	m.backfill = min(backfillREQs, m.subs-m.live)
	if info.Compares {
		m.perSet = max(0, (message-setFrame)/keyBytes)
	}
	return m
}

func (m manners) apply(limits relay.Limits) relay.Limits {
	limits.Outgoing, limits.Subscriptions = m.message, m.subs
	if limits.PageBytes == 0 {
		limits.PageBytes = pageBytes // many pages are in memory at a time
	}
	return limits
}
