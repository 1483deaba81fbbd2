package notesync

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"bowerbird/app/relay"
	"bowerbird/ndb/nostr"
)

// This file holds how a link asks, and what it makes of the answers.

// page asks one filter. A page that broke off has an err of its own; the second
// result is an error only when the relay is given up or ctx has ended.
//
// A relay that hangs up after an answer is asked once more. Some do so always, and
// one that is shut down may have ended its answer in the middle: a page before a
// goodbye counts when the relay gives the same again.
func (l *link) page(ctx context.Context, f nostr.Filter) (page, error) {
	return l.askOne(ctx, f, func(err error) bool { return l.learnt.kinds.known().Most > 0 && ofTheKinds(err) })
}

// askOne asks one filter as it is. A refusal that the asker expects ends nothing but
// this question.
func (l *link) askOne(ctx context.Context, f nostr.Filter, expected func(error) bool) (page, error) {
	var before *page // that ended with a goodbye
	for tries := 1; ; {
		conn, asked, err := l.turn(ctx)
		if err != nil {
			return page{}, err
		}
		got, err := conn.Fetch(ctx, f)
		l.places.give()
		p := page{events: got.Events, finished: got.Finish, refused: got.Refused, err: err}
		if ctx.Err() != nil {
			return p, ctx.Err()
		}
		if ofTheQuestion(err) || expected(err) {
			return p, nil // the asker may ask for less
		}
		next, err := l.judge(conn, asked, err)
		switch {
		case err != nil:
			return p, err
		case got.Ended && before != nil && sameEvents(before.events, p.events):
			p.err = nil
			return p, nil
		case next == askAgain:
			continue
		case next == askAnew && tries < pageTries && (got.Ended || len(p.events) == 0):
			if tries++; got.Ended {
				before = &p
			}
			continue
		}
		return p, nil
	}
}

func sameEvents(a, b []*nostr.Event) bool {
	ids := func(events []*nostr.Event) map[nostr.ID]bool {
		set := make(map[nostr.ID]bool, len(events))
		for _, e := range events {
			set[e.ID] = true
		}
		return set
	}
	return maps.Equal(ids(a), ids(b))
}

// turn waits until a question may be asked, and takes a place for it. It also
// returns the episode that the question belongs to: what was asked before the last
// refusal says nothing about the wait after it.
func (l *link) turn(ctx context.Context) (conn *relay.Conn, asked int, err error) {
	for {
		if asked, err = l.liveTurn(ctx); err != nil {
			return nil, 0, err
		}
		if err := l.places.take(ctx); err != nil {
			return nil, 0, err
		}
		conn, err := l.connect(ctx)
		if err == nil && asked == l.episode() {
			return conn, asked, nil
		}
		l.places.give()
		if err != nil {
			return nil, 0, err
		}
	}
}

// liveTurn is turn for a live subscription, which takes no place.
func (l *link) liveTurn(ctx context.Context) (asked int, err error) {
	for {
		asked = l.episode()
		err := l.bide(ctx, l.pace.reserve(l.now()))
		if err != nil || asked == l.episode() {
			return asked, err
		}
	}
}

// episode returns the number of failures so far, whose change tells that a
// question was asked before the last of them.
func (l *link) episode() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.episodes
}

type verdict int

const (
	askNoMore verdict = iota // it was answered, or its asker decides
	askAgain                 // the relay refused: when its time has come
	askAnew                  // the relay hung up, though it answers
)

// judge decides what became of a question: whether to ask it again, and whether the
// relay is given up. Questions that were open side by side and failed together are
// one failure: asked is the episode that they began in.
func (l *link) judge(conn *relay.Conn, asked int, cause error) (verdict, error) {
	defer l.changed(l)
	l.mu.Lock()
	defer l.mu.Unlock()
	var why *relay.Error
	switch {
	case cause == nil:
		l.failures, l.cause = 0, nil
		l.pages++
		l.pace.answered()
		if asked == l.episodes {
			l.wait, l.limited = 0, nil
		}
		return askNoMore, nil
	case conn.Err() != nil:
		if l.conn == conn {
			l.drop(conn.Err())
		}
		if l.dead == nil && conn.Stats().Ends > 0 {
			return askAnew, nil
		}
		return askNoMore, l.dead
	case !errors.As(cause, &why):
		return askNoMore, fmt.Errorf("%w: %w", errRelayGivenUp, cause)
	case why.Kind == relay.Rejected && tooMuch(why):
		if asked == l.episodes && l.wait >= rateWaitEnough {
			l.giveUp(cause, leaveRefused)
		}
		l.slower(asked, cause)
		return askAgain, l.dead
	case why.Kind == relay.Rejected && why.Prefix != "error" && why.Prefix != "", why.Kind == relay.TooLarge:
		l.giveUp(cause, leaveRefused)
		return askNoMore, l.dead
	}
	if why.Kind == relay.NoReply && l.pages > 0 {
		l.places.narrow(1) // it answers, but maybe one question at a time
	}
	if asked == l.episodes {
		l.failures++
		l.episodes++
		if l.failures >= linkTries {
			l.giveUp(cause, leaveFailed)
		}
	}
	return askNoMore, l.dead
}

// slower lets a relay rest that refused, and asks it slower from then on, one
// question at a time. Refusals of what was under way are the same one. l.mu is held.
func (l *link) slower(asked int, cause error) {
	if asked != l.episodes || l.wait >= rateWaitEnough {
		return
	}
	if l.wait == 0 {
		l.pace.slower(l.now())
	}
	l.wait = max(2*l.wait, rateWaitFirst)
	l.limited = cause
	l.episodes++
	l.pace.pause(l.now().Add(l.wait))
	l.places.narrow(1)
}

// tooMuch tells a relay that wants to be asked slower from one that will not
// answer at all. Many say so in words only.
func tooMuch(e *relay.Error) bool {
	text, signs := strings.ToLower(e.Detail), []string{"too many", "too fast", "rate limit", "slow down", "concurrent"}
	return e.Prefix == "rate-limited" || slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(text, sign) })
}
