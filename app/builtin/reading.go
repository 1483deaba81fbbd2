package builtin

import (
	"slices"
	"strconv"
	"time"

	"bowerbird/app/builtin/question"
	"bowerbird/tools"
)

// How much is read. A page is one query; calls that do not fit into a step are made in the
// next, see stepCalls. Most pages are for posts: reactions only weigh what the posts say.
const (
	pageSize      = 200
	pageSteps     = 3 // steps in which pages are read
	maxPostPages  = pageSteps * stepCalls * 25 / 32
	maxReactPages = pageSteps * stepCalls * 5 / 32
	minPastPages  = 8
	maxPastPages  = pageSteps * stepCalls / 16 // within these limits, as many as of posts
	maxTargets    = 60
	maxRounds     = 3 // queries for one page that has more notes than were counted
	maxCounts     = 2 // calls of a count whose time runs out
	mostOfAPage   = maxRounds * pageSize
)

var (
	postKinds    = tools.Kinds{kindNote, kindComment, kindArticle}
	repostKinds  = tools.Kinds{kindRepost, kindGenericRp}
	writtenKinds = append(slices.Clone(postKinds), repostKinds...)
)

// A reading is what was read for a question, and what is known about it.
type reading struct {
	corpus   *corpus
	window   question.Window
	narrow   bool                   // about one person or topic
	count    *tools.CountResult     // of posts; nil if the tool failed
	times    *tools.AggregateResult // the same posts by hour or day; nil if there is nothing to draw
	reposts  int
	reacts   int
	coverage *tools.CoverageResult
	mine     *tools.CountResult // the user's own posts; nil if they count like others
	unread   int                // posts that were counted but not read
	moreActs bool               // not all reposts and reactions were read
	err      string
	seen     int  // notes left out because the user was shown them
	unseen   bool // the question is about unseen notes only
	news     news // the unseen notes
	allSeen  bool // there are none
	past     past
	toMe     inbox
}

func unix(t time.Time) tools.When { return tools.When(strconv.FormatInt(t.Unix(), 10)) }

// filters are a question's filters for posts.
type filters struct {
	context, author, search string
}

// narrow reports whether the question is about one person or topic. Then only their notes
// belong in the answer, whoever answers, quotes or likes them.
func (f filters) narrow() bool { return f.author != "" || f.search != "" }

// kinds returns the kinds that are read with the filters, and those that only count if they
// refer to a note that was read.
func (f filters) kinds() (kinds, done tools.Kinds) {
	if f.narrow() {
		return postKinds, append(slices.Clone(repostKinds), kindReaction)
	}
	return writtenKinds, tools.Kinds{kindReaction}
}

func (f filters) args(kinds tools.Kinds, w question.Window) tools.CountArgs {
	return tools.CountArgs{
		Context: f.context, Author: f.author, Search: f.search, Kind: kinds,
		Since: unix(w.Since), Until: unix(w.Until), IncludeReplies: true,
	}
}

// coverage asks how complete the notes of a window are, for an answer that counts or lists
// them without reading them for a digest.
func (p *plan) coverage(f filters, w question.Window) *reading {
	covered := ask[tools.CoverageResult](p.turn, "coverage", tools.CoverageArgs{Since: unix(w.Since), Until: unix(w.Until)})
	return &reading{window: w, narrow: f.narrow(), coverage: covered.value}
}

// read reads the posts and reposts of a window, the reactions of people followed, and a
// sample of what they wrote before it. It takes two steps, or a few more.
func (p *plan) read(f filters, w question.Window) *reading {
	r := &reading{corpus: newCorpus(p.me), window: w, narrow: f.narrow()}
	kinds, done := f.kinds()
	written := p.buckets(f.args(kinds, w), w) // first: the next two count some of these
	counted := askPart[tools.CountResult](p.turn, "count", f.args(postKinds, w))
	times := p.times(f.args(postKinds, w), w)
	home := filters{context: "home"} // whose reactions count
	if p.opt.Scope.Everyone {
		home.context = "any"
	}
	reacted := p.buckets(home.args(done, w), w)
	before := question.Window{Since: w.Since.AddDate(0, 0, -60), Until: w.Since.Add(-time.Second)}
	past := p.buckets(home.args(postKinds, before), before)
	if !r.narrow && !p.opt.Scope.Everyone && p.me != "" {
		r.toMe, r.past = p.readAddressed(w), p.readPast(before)
		mine := filters{context: "any", author: p.me}.args(postKinds, w)
		r.mine = ask[tools.CountResult](p.turn, "count", mine).value
	}
	r.coverage = p.coverage(f, w).coverage
	if p.waiting() {
		return r
	}
	r.count, r.times = counted.value, times.value
	if written.err != "" {
		r.err = written.err
		return r
	}
	posts, left := pagesOf(whole(written.value, w), w, maxPostPages)
	r.unread = left
	reacts, actsLeft := pagesOf(whole(reacted.value, w), w, maxReactPages)
	pasts, _ := pagesOf(past.value, before, min(max(minPastPages, len(posts)), maxPastPages))
	r.past.known = w.Since.Sub(firstOfAll(past.value, w.Since))
	wrote, lost := p.readPages(f.args(kinds, w), posts)
	acts, actsLost := p.readPages(home.args(done, w), reacts)
	older, _ := p.readPages(home.args(postKinds, before), pasts)
	r.unread += lost
	r.moreActs = actsLeft+actsLost > 0 || reacted.value == nil
	if p.waiting() {
		return r
	}
	r.take(wrote)
	if r.narrow {
		acts = slices.DeleteFunc(acts, func(n *tools.Note) bool { return !r.corpus.isDoneToANote(n) })
	}
	r.take(acts)
	r.corpus.addPast(older)
	return r
}

// copied returns a copy that counts and leaves out notes without a change of r.
func (r *reading) copied() *reading {
	out := *r
	out.toMe.notes = slices.Clone(r.toMe.notes)
	return &out
}

// firstOfAll returns when the first counted note was written, to the day; none if there is
// none.
func firstOfAll(counted *tools.AggregateResult, none time.Time) time.Time {
	first := none
	if counted != nil {
		for _, b := range counted.Buckets {
			if at, err := time.Parse(time.RFC3339, b.Key); err == nil && b.Count > 0 && at.Before(first) {
				first = at
			}
		}
	}
	return first
}

// wrote returns how many people wrote how many posts, and whether there are more. The
// user's own posts are not counted. If the count tool ran out of time but everything was
// read, what was read is counted.
func (r *reading) wrote() (people, notes int, more bool) {
	switch c := r.count; {
	case c == nil, c.CountAtLeast && r.unread == 0, r.unseen:
		return len(r.news.by), r.news.notes, r.unread > 0
	case r.mine == nil || r.mine.Count == 0:
		return c.Authors, c.Count, c.CountAtLeast
	default:
		return c.Authors - 1, c.Count - r.mine.Count, c.CountAtLeast
	}
}

// take adds notes to the corpus, and counts those that are no posts.
func (r *reading) take(notes []*tools.Note) {
	for _, n := range notes {
		switch n.NoteKind {
		case kindRepost, kindGenericRp:
			r.reposts++
		case kindReaction:
			r.reacts++
		}
	}
	r.corpus.addHome(notes)
}

// buckets counts by hour in a short window, else by day or week. A tool that runs out of
// time has counted the newest notes, and is asked again for the time before.
func (p *plan) buckets(args tools.CountArgs, w question.Window) found[tools.AggregateResult] {
	by := "week"
	switch d := w.Until.Sub(w.Since); {
	case d <= 490*time.Hour:
		by = "hour"
	case d <= 490*24*time.Hour:
		by = "day"
	}
	var all tools.AggregateResult
	for range maxCounts {
		got := askPart[tools.AggregateResult](p.turn, "aggregate", tools.AggregateArgs{CountArgs: args, By: by, Limit: 500})
		if got.value == nil {
			return got
		}
		part := *got.value
		if part.TotalAtLeast && len(part.Buckets) > 1 { // the oldest is not counted to its end
			part.Total -= part.Buckets[0].Count
			part.Buckets = part.Buckets[1:]
		}
		all.TotalAtLeast = part.TotalAtLeast
		all.Total += part.Total
		all.Buckets = slices.Concat(part.Buckets, all.Buckets)
		if !part.TotalAtLeast || len(part.Buckets) == 0 {
			break
		}
		first, err := time.Parse(time.RFC3339, part.Buckets[0].Key)
		if err != nil {
			break
		}
		args.Until = unix(first.Add(-time.Second))
	}
	return found[tools.AggregateResult]{value: &all}
}

// whole estimates the part of a window that was not counted, at the rate of the rest.
func whole(a *tools.AggregateResult, w question.Window) *tools.AggregateResult {
	if a == nil || !a.TotalAtLeast || len(a.Buckets) == 0 {
		return a
	}
	first, err := time.Parse(time.RFC3339, a.Buckets[0].Key)
	if counted := w.Until.Sub(first); err == nil && counted > 0 && first.After(w.Since) {
		all := *a
		all.Total += int(float64(a.Total) * float64(first.Sub(w.Since)) / float64(counted))
		return &all
	}
	return a
}

// A page is a window that holds about as many notes as one query returns.
type page struct {
	since, until int64
	notes        int // an estimate
}

// pagesOf splits a window into pages; if they are more than limit, they are chosen evenly
// over the window and left is how many notes stay unread. A page that ends inside a bucket
// is only filled to three quarters, since notes do not come at an even pace.
func pagesOf(a *tools.AggregateResult, w question.Window, limit int) (pages []page, left int) {
	if a == nil {
		return nil, 0
	}
	const part = pageSize * 3 / 4
	starts, counts := bucketStarts(a, w)
	until, sum, most := w.Until.Unix(), 0, pageSize
	end := func(since int64) {
		pages = append(pages, page{since, until, sum})
		until, sum, most = since-1, 0, pageSize
	}
	to := until
	for i, from := range slices.Backward(starts) {
		n := counts[i]
		for sum+n > most {
			if sum > part/2 { // good enough
				end(to + 1)
				continue
			}
			seconds := (to - from + 1) * int64(part-sum) / int64(n)
			if seconds == 0 {
				break // too many at once: cursors follow them
			}
			n, to, sum = n-(part-sum), to-seconds, part
			end(to + 1)
			most = part
		}
		if sum += n; sum == 0 {
			until = from - 1 // nobody wrote: nothing to read
		}
		to = from - 1
	}
	if sum > 0 {
		end(starts[0])
	}
	if all := len(pages); all > limit {
		left = a.Total * (all - limit) / all
		for i := range limit {
			pages[i] = pages[i*all/limit]
		}
		pages = pages[:limit]
	}
	return pages, left
}

// bucketStarts returns the beginnings of the buckets, oldest first. Notes older than the
// first bucket, if there are too many buckets, make one more.
func bucketStarts(a *tools.AggregateResult, w question.Window) (starts []int64, counts []int) {
	first, counted := w.Since.Unix(), 0
	for _, b := range a.Buckets {
		t, err := time.Parse(time.RFC3339, b.Key)
		if err != nil {
			continue
		}
		starts = append(starts, max(t.Unix(), first))
		counts = append(counts, b.Count)
		counted += b.Count
	}
	if rest := a.Total - counted; rest > 0 && (len(starts) == 0 || starts[0] > first) {
		starts, counts = slices.Insert(starts, 0, first), slices.Insert(counts, 0, rest)
	}
	return starts, counts
}

// pages does what readPages does, and returns values.
func (p *plan) pages(base tools.CountArgs, pages []page) (out []tools.Note, lost int) {
	found, lost := p.readPages(base, pages)
	for _, n := range found {
		out = append(out, *n)
	}
	return out, lost
}

// readPages reads pages side by side and follows their cursors. Each note is returned once,
// newest first; lost estimates how many could not be read.
func (p *plan) readPages(base tools.CountArgs, pages []page) (out []*tools.Note, lost int) {
	out = make([]*tools.Note, 0, len(pages)*pageSize)
	seen := make(map[string]bool, len(pages)*pageSize)
	for _, pg := range pages {
		args := tools.QueryArgs{
			Context: base.Context, Author: base.Author, Mentions: base.Mentions, Search: base.Search, Kind: base.Kind,
			IncludeReplies: base.IncludeReplies, Limit: pageSize,
			Since: tools.When(strconv.FormatInt(pg.since, 10)), Until: tools.When(strconv.FormatInt(pg.until, 10)),
		}
		for left := maxRounds; ; {
			got := ask[tools.QueryResult](p.turn, "query", args)
			if got.value == nil {
				if !got.waiting {
					lost += pg.notes
				}
				break
			}
			for i := range got.value.Notes {
				if n := &got.value.Notes[i]; !seen[n.NoteID] {
					seen[n.NoteID] = true
					out = append(out, n)
				}
			}
			if args.Cursor = got.value.Cursor; !got.value.Truncated || args.Cursor == "" {
				break
			}
			if left--; left == 0 {
				lost += max(1, got.value.Total-mostOfAPage)
				break
			}
		}
	}
	return out, lost
}

// fetchTargets reads the missing notes that most people followed have answered or reposted:
// older ones, and those of strangers.
func (p *plan) fetchTargets(c *corpus) {
	for _, id := range c.wanted(maxTargets) {
		got := ask[tools.NoteResult](p.turn, "get_note", tools.GetNoteArgs{NoteID: id})
		if got.value != nil {
			c.addTarget(&got.value.Note)
		}
	}
}

// news counts the notes by people followed that the user was not shown before, and their
// authors.
type news struct {
	notes int
	by    map[*person]bool
}

// leaveOut counts the unseen notes. If the question is about them alone, the others are not
// quoted, and are counted.
func (p *plan) leaveOut(r *reading) {
	r.unseen = p.q.Unseen && p.opt.Seen != nil
	seen := func(id string) bool { return r.unseen && p.opt.Seen(id) }
	r.news = news{by: map[*person]bool{}}
	for _, n := range r.corpus.notes {
		fresh := n.fresh && n.author.followed
		switch {
		case seen(n.id):
			if n.repeated = true; fresh {
				r.seen++
			}
		case fresh:
			r.news.notes++
			r.news.by[n.author] = true
		}
	}
	r.toMe.notes = slices.DeleteFunc(r.toMe.notes, func(n tools.Note) bool {
		if !seen(n.NoteID) {
			return false
		}
		if r.corpus.notes[n.NoteID] == nil {
			r.seen++
		}
		return true
	})
}
