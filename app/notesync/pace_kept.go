package notesync

import (
	"context"
	"encoding/json"
	"time"
)

// paceBucket holds, per relay that limits how often it is asked, what was learnt of it.
const paceBucket = "sync-pace"

const paceKept = 30 * 24 * time.Hour

type keptPace struct {
	Every time.Duration `json:"every"`
	Burst int           `json:"burst"`
	Next  int64         `json:"next"` // when the bucket will be full again, in unix seconds
}

func (r *run) recallPace(ctx context.Context, url string) *pace {
	p := &pace{every: reqEvery, burst: reqBurst}
	raw, err := r.opt.Store.Bucket(paceBucket).Get(ctx, url)
	var kept keptPace
	if err != nil || json.Unmarshal(raw, &kept) != nil {
		return p
	}
	next, now := time.Unix(kept.Next, 0), r.opt.Now()
	if kept.Every <= reqEvery || kept.Every > paceMost || kept.Burst < 1 || next.Before(now.Add(-paceKept)) || next.After(now.Add(paceKept)) {
		return p
	}
	p.every, p.burst, p.next = kept.Every, kept.Burst, next
	return p
}

// keepPaces keeps what was learnt of relays in this run. That it may fail costs no
// more than to learn it again.
func (r *run) keepPaces(ctx context.Context) {
	rows := map[string][]byte{}
	r.each(func(l *link) {
		kept, changed := l.pace.kept()
		if !changed {
			return
		}
		rows[l.url] = nil
		if kept.Every > reqEvery {
			rows[l.url], _ = json.Marshal(kept) // numbers have a JSON form
		}
	})
	if len(rows) == 0 {
		return
	}
	if err := r.opt.Store.Bucket(paceBucket).Put(ctx, rows); err != nil {
		r.opt.Logger.Info("keeping how fast relays are asked", "error", err)
	}
}

func (p *pace) kept() (kept keptPace, changed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	changed, p.news = p.news, false
	return keptPace{p.every, p.burst, p.next.Unix()}, changed
}
