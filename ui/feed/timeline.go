package feed

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"bowerbird/app"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// The kinds of events that timelines show.
const (
	kindNote          = 1
	kindDeletion      = 5     // NIP-09
	kindRepost        = 6     // NIP-18
	kindGenericRepost = 16    // NIP-18
	kindPicture       = 20    // NIP-68
	kindComment       = 1111  // NIP-22
	kindVoiceComment  = 1244  // NIP-A0
	kindArticle       = 30023 // NIP-23
)

// timelineKinds are the kinds that timelines show; with replies, also those that are
// always replies.
func timelineKinds(replies bool) []uint16 {
	kinds := []uint16{kindNote, kindRepost, kindGenericRepost, kindPicture, kindArticle}
	if replies {
		kinds = append(kinds, kindComment, kindVoiceComment)
	}
	return kinds
}

// item is one row of a timeline: an event, and the note that it shows.
type item struct {
	id nostr.ID
	of nostr.ID // the note that is reposted; else id
	at int64    // unix seconds
	// rank is the place of the last item of a page that comes best first; else nil.
	rank *ndb.RankCursor
}

// newestFirst orders the items of a timeline.
func newestFirst(a, b item) int {
	return cmp.Or(cmp.Compare(b.at, a.at), bytes.Compare(a.id[:], b.id[:]))
}

func (it item) cursor() *ndb.Cursor { return &ndb.Cursor{CreatedAt: it.at, ID: it.id} }

// timeline is a list of events, newest first or best match first, that is read from a
// store page by page. The zero value has no events.
type timeline struct {
	store  *ndb.Store
	filter nostr.Filter
	shown  func(*nostr.Event) bool // nil shows all
	// passed is shown for what a repost passes on, which may be a reply.
	passed func(*nostr.Event) bool
	search *searched // what it answers, to mark it in the notes; nil for none
	best   bool      // those that fit the filter's search best come first
}

// homeTimeline is what the user and the people whom they follow wrote. listed is false
// while no list of follows is stored; the timeline then has only the user. A reply to
// oneself is a reply too: of a chain of notes by one person, only the first is in the
// timeline without replies.
func homeTimeline(ctx context.Context, a *app.App, replies bool) (tl timeline, listed bool, err error) {
	tl, err = newTimeline(ctx, a, replies)
	if err != nil {
		return tl, false, err
	}
	follows, err := a.Notes().Contacts(ctx, a.Me())
	if err != nil && !errors.Is(err, ndb.ErrNotFound) {
		return tl, false, fmt.Errorf("read whom the reader follows: %w", err)
	}
	listed = err == nil && len(follows) > 0
	if !slices.Contains(follows, a.Me()) {
		follows = append(slices.Clone(follows), a.Me())
	}
	tl.filter.Authors = follows
	return tl, listed, nil
}

// personTimeline is what one person wrote.
func personTimeline(ctx context.Context, a *app.App, pk nostr.PubKey, replies bool) (timeline, error) {
	tl, err := newTimeline(ctx, a, replies)
	tl.filter.Authors = []nostr.PubKey{pk}
	return tl, err
}

// articlesTimeline is the articles of one person.
func articlesTimeline(ctx context.Context, a *app.App, pk nostr.PubKey) (timeline, error) {
	tl, err := personTimeline(ctx, a, pk, false)
	tl.filter.Kinds = []uint16{kindArticle}
	return tl, err
}

// newTimeline is what everybody wrote. The tools decide what it shows, so that the window
// and the assistant speak of the same notes.
func newTimeline(ctx context.Context, a *app.App, replies bool) (timeline, error) {
	env, err := a.Env(ctx)
	if err != nil {
		return timeline{}, fmt.Errorf("read what is muted: %w", err)
	}
	all, err := env.Select(ctx, tools.CountArgs{Context: tools.ScopeAny, IncludeReplies: true})
	if err != nil {
		return timeline{}, fmt.Errorf("read what is muted: %w", err)
	}
	tl := timeline{store: a.Notes(), shown: all.Shown, passed: all.Shown}
	tl.filter.Kinds = timelineKinds(replies)
	if !replies {
		tl.shown = func(e *nostr.Event) bool { return !isReply(e) && all.Shown(e) }
	}
	return tl, nil
}

// page reads at most n items after the last item of the previous page, nil for the first
// page. whole says that no more follow. With [ndb.ErrDamaged] it returns items too.
func (tl timeline) page(ctx context.Context, after *item, n int) (items []item, whole bool, err error) {
	switch {
	case tl.store == nil:
		return nil, true, nil
	case tl.best:
		return tl.bestPage(ctx, after, n)
	}
	opt := ndb.QueryOptions{Match: tl.shown}
	if after != nil {
		opt.After = after.cursor()
	}
	for e, err := range tl.store.Query(ctx, opt, tl.filter) {
		if err != nil {
			return items, true, err
		}
		it, ok := tl.item(ctx, e)
		if !ok {
			continue
		}
		items = append(items, it)
		if len(items) == n {
			return items, false, nil
		}
	}
	return items, true, nil
}

// bestPage is page for best match first.
func (tl timeline) bestPage(ctx context.Context, after *item, n int) (items []item, whole bool, err error) {
	opt := ndb.RankOptions{Match: tl.shown, Limit: n}
	if after != nil {
		opt.After = after.rank
	}
	for {
		page, err := tl.store.Ranked(ctx, tl.filter, opt)
		if err != nil {
			return nil, true, err
		}
		for _, hit := range page.Hits {
			if it, ok := tl.item(ctx, hit.Event); ok {
				items = append(items, it)
			}
		}
		if len(page.Hits) > 0 {
			opt.After = page.Cursor(len(page.Hits) - 1)
		}
		if len(items) > 0 {
			items[len(items)-1].rank = opt.After
		}
		if len(items) > 0 || !page.More {
			return items, !page.More, nil
		}
	}
}

// shows reports whether an event belongs in the timeline, and returns its item.
func (tl timeline) shows(ctx context.Context, e *nostr.Event) (item, bool) {
	if !tl.filter.Matches(e) || tl.shown != nil && !tl.shown(e) {
		return item{}, false
	}
	return tl.item(ctx, e)
}

// item returns the row of an event. A repost has none if the reposted note is not
// available or not shown.
func (tl timeline) item(ctx context.Context, e *nostr.Event) (item, bool) {
	it := item{id: e.ID, of: e.ID, at: e.CreatedAt}
	if e.Kind != kindRepost && e.Kind != kindGenericRepost {
		return it, true
	}
	if v, ok := e.Tags.Value("e"); ok {
		if id, err := nostr.ParseID(v); err == nil {
			it.of = id
		}
	}
	target, err := tl.store.Event(ctx, it.of)
	if err != nil || it.of == it.id {
		if target, err = nostr.ParseEvent([]byte(e.Content)); err != nil {
			_, address := e.Tags.Value("a")
			return it, address // of an article, which is looked up by its address
		}
	}
	return it, tl.passed == nil || tl.passed(target)
}

// passedOn returns the reposts of a note, which had no rows before the note arrived.
func (tl timeline) passedOn(ctx context.Context, id nostr.ID) (items []item) {
	if !slices.Contains(tl.filter.Kinds, kindRepost) || len(tl.filter.Tags) > 0 {
		return nil // it has no reposts
	}
	f, most := tl.filter, foldWithin
	f.Kinds, f.Tags, f.Limit = []uint16{kindRepost, kindGenericRepost}, map[byte][]string{'e': {id.String()}}, &most
	for e, err := range tl.store.Query(ctx, ndb.QueryOptions{Match: tl.shown}, f) {
		if err != nil {
			return items // the next reading reports it
		}
		if it, ok := tl.item(ctx, e); ok {
			items = append(items, it)
		}
	}
	return items
}

func isReply(e *nostr.Event) bool {
	_, ok := nostr.ReplyTo(e)
	return ok
}

// foldWithin is how many rows above are checked for the same note: about one screen.
const foldWithin = 30

// folder drops rows that repeat a note of the last few rows: of several reposts of a note,
// or of a note below its own repost, only the first is kept.
type folder struct{ last []nostr.ID }

func (f *folder) fold(items []item) []item {
	kept := make([]item, 0, len(items))
	for _, it := range items {
		if slices.Contains(f.last, it.of) {
			continue
		}
		if len(f.last) == foldWithin {
			f.last = f.last[1:]
		}
		f.last = append(f.last, it.of)
		kept = append(kept, it)
	}
	return kept
}

// foldBelow returns a folder that continues after items.
func foldBelow(items []item) folder {
	f := folder{}
	for _, it := range items[max(0, len(items)-foldWithin):] {
		f.last = append(f.last, it.of)
	}
	return f
}
