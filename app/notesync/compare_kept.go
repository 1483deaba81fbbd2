package notesync

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"bowerbird/app/relay"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// badly stops comparing sets with the relay, in this run and for longer each time.
func (c *comparison) badly(ctx context.Context) error {
	c.link.badSets.Store(true)
	return c.inVain(ctx, []string{badSets(c.link.url)})
}

// badSets is the key of a relay that does not compare sets correctly.
func badSets(url string) string { return "sets:" + url }

// withDropped adds what the relay sent and the store does not keep, since it was deleted by
// its author or replaced: it would differ each time.
func (c *comparison) withDropped(ctx context.Context, items []relay.Item) ([]relay.Item, error) {
	prefix := c.droppedRow()
	for row, err := range c.opt.Store.Bucket(triesBucket).All(ctx, prefix) {
		if err != nil {
			return nil, fmt.Errorf("reading what was not kept: %w", err)
		}
		var at int64
		var whose, id string
		if _, err := fmt.Sscan(row.Key[len(prefix):], &whose, &at, &id); err != nil {
			continue
		}
		pk, _ := nostr.ParsePubKey(whose)
		parsed, err := nostr.ParseID(id)
		_, asked := c.have[pk]
		if err == nil && asked && at >= c.since && at <= c.now && readTries(row.Value).Next > c.now {
			items = append(items, relay.Item{CreatedAt: at, ID: parsed})
		}
	}
	return items, nil
}

// droppedRow begins the keys of events that the relay has and the store does not keep,
// followed by their author, date and id.
func (c *comparison) droppedRow() string {
	return fmt.Sprintf("not kept:%s %d ", c.link.url, c.purpose)
}

// withholding records that a relay named notes in a set and did not send them, through a
// broken index or because they are for members. Only the relay knows whose they are, so
// nobody's notes are complete by its word.
type withholding struct {
	tries            // never forgotten
	Since int64      `json:"since"` // how far back the notes may be
	IDs   []nostr.ID `json:"ids"`   // what its sets named
}

func withheldRow(url string, p coverage.Purpose) string {
	if p == coverage.Inbox {
		return "withholds:inbox:" + url
	}
	return "withholds:" + url
}

func (r *run) withheld(ctx context.Context, url string) bool {
	_, feed := r.withheldBy(ctx, url, coverage.Feed)
	_, inbox := r.withheldBy(ctx, url, coverage.Inbox)
	return feed || inbox
}

func (r *run) withheldBy(ctx context.Context, url string, p coverage.Purpose) (w withholding, withheld bool) {
	raw, err := r.opt.Store.Bucket(triesBucket).Get(ctx, withheldRow(url, p))
	if err == nil {
		_ = json.Unmarshal(raw, &w) // a broken row means all time
	}
	return w, err == nil
}

// gives reports whether the relay withholds nothing any more: a comparison that proved
// everything since from reached as far back as the notes may be, or all notes that were
// named have arrived. A set begins with a note that both sides have, if there is one, and
// so one second later.
func (c *comparison) gives(ctx context.Context, from int64) bool {
	w, withheld := c.withheldBy(ctx, c.link.url, c.purpose)
	lacks := func(id nostr.ID) bool {
		_, err := c.opt.Store.Event(ctx, id)
		return err != nil
	}
	return !withheld || from <= w.Since+1 || len(w.IDs) > 0 && !slices.ContainsFunc(w.IDs, lacks)
}

// withholds records that the relay did not send all of these ids.
func (c *comparison) withholds(ctx context.Context, ids []nostr.ID) error {
	before, _ := c.withheldBy(ctx, c.link.url, c.purpose)
	ids = append(before.IDs, slices.DeleteFunc(slices.Clone(ids), func(id nostr.ID) bool { return slices.Contains(before.IDs, id) })...)
	row, err := json.Marshal(withholding{tries{Next: math.MaxInt64}, c.since, ids})
	if err != nil {
		return err
	}
	return c.keepTries(ctx, map[string][]byte{withheldRow(c.link.url, c.purpose): row})
}

// gaveAll forgets what a relay withheld, after the sets of everybody were compared.
func (r *run) gaveAll(ctx context.Context, url string, p coverage.Purpose) error {
	if _, withheld := r.withheldBy(ctx, url, p); !withheld {
		return nil
	}
	return r.keepTries(ctx, map[string][]byte{withheldRow(url, p): nil})
}
