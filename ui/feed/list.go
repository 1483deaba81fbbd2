package feed

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"fyne.io/fyne/v2"

	"bowerbird/app"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/note"
	"bowerbird/ui/present"
	"bowerbird/ui/screen"
	"bowerbird/ui/widgets"
)

// How much is read at a time. Pages of ids grow, since a row costs more the more
// often pages are put behind one another; notes are read around what is shown.
const (
	firstPage   = 40
	largestPage = 1280
	loadAround  = 30
	keepNotes   = 600 // present.Notes that are kept at least
)

// listOptions say what a list shows, and whom it notifies.
type listOptions struct {
	ID string
	// Source returns the timeline, whenever the list is read from its beginning. It is
	// called off the window's thread.
	Source func(ctx context.Context) (timeline, error)
	// Changed is called after rows arrived or failed to.
	Changed func(err error)
	// News receives how many new notes wait to be shown.
	News func(n int)
	// Heads names the rows above the notes, which scroll with them. Names with the same
	// prefix up to a colon share a kind, for which Head makes the objects that BindHead
	// fills. All may be nil.
	Heads    func() []string
	Head     func(kind string) fyne.CanvasObject
	BindHead func(name string, o fyne.CanvasObject)
	// Foot makes the row below the last note, once all notes are read; nil for none.
	Foot func() fyne.CanvasObject
	// Shown reports whether the list is on the screen: notes that rest there are marked as
	// seen. nil marks none.
	Shown func() bool
	// Of is whose notes the list holds; zero for anybody's.
	Of nostr.PubKey
	// Still keeps the list from following what arrives in the store.
	Still bool
	// Keep names the place in the list that is saved for the next start; "" keeps none.
	Keep string
}

// footRow is the row below the last note.
const footRow = "foot"

// list is a scrolled timeline of note cards. It holds the ids of all rows, and the notes
// near those in sight. Its methods are called on the window's thread.
type list struct {
	env    screen.Env
	opt    listOptions
	ctx    context.Context
	end    context.CancelFunc
	reader *present.Reader
	rows   *widgets.VirtualList
	watch  *watcher

	heads   int // rows above the notes
	tl      timeline
	stop    context.CancelFunc      // ends the reading of a beginning that is overtaken
	notes   map[string]present.Note // by row
	items   []item                  // of the rows, in the timeline's order
	last    *item                   // the last one read, before folding
	whole   bool                    // nothing is behind the last row
	reading bool                    // a page
	size    int                     // of the next page
	turn    int                     // counts beginnings: answers for an earlier one are dropped
	begun   bool                    // the first page was there
	waiting map[nostr.ID]bool       // newer than the first row
	held    []item                  // that came and have no place yet: see placeNews
	heldOf  int                     // the beginning that they came after
	opened  nostr.ID                // the note whose thread is beside the list
	wanted  []string                // rows in sight whose notes are not read yet
	loading bool                    // they are being read

	placeTimer *time.Timer   // until the place is saved
	savedPlace app.ReadPlace // as it was saved last
	saving     sync.WaitGroup

	looked *time.Timer       // until what is in sight is marked as seen
	marked map[nostr.ID]bool // that were marked
}

func newList(env screen.Env, opt listOptions) *list {
	ctx, end := context.WithCancel(context.Background())
	l := &list{
		env: env, opt: opt, ctx: ctx, end: end, reader: newReader(env),
		notes: map[string]present.Note{}, marked: map[nostr.ID]bool{}, waiting: map[nostr.ID]bool{}, size: firstPage, stop: func() {},
	}
	memory := note.NewMemory()
	l.rows = widgets.NewVirtualList(widgets.VirtualOptions{
		Kind: func(id string) string {
			if _, isNote := idOf(id); isNote {
				return ""
			}
			kind, _, _ := strings.Cut(id, ":")
			return kind
		},
		Make: func(kind string) fyne.CanvasObject {
			switch kind {
			case "":
			case footRow:
				return opt.Foot()
			default:
				return opt.Head(kind)
			}
			card := note.OptionsFor(env, memory)
			card.Line, card.Most, card.Of = true, threadWidth, opt.Of
			card.Key = func(row nostr.ID, key string) bool { return l.walk(rowOf(row), key) }
			card.Changed = func(row nostr.ID) { l.rows.RefreshRow(rowOf(row)) }
			return note.NewCard(card)
		},
		Bind:    l.bind,
		NearEnd: l.more,
		Open:    func(row string) { tap(l.rows.Row(row)) },
	})
	l.rows.ID = opt.ID
	l.rows.OnMoved = l.moved
	if !opt.Still {
		l.watch = watch(ctx, env.App.Notes(), env.App.Me(), func() {
			env.Do.Post(opt.ID+".news", l.take)
		})
	}
	return l
}

func newReader(env screen.Env) *present.Reader {
	return &present.Reader{Store: env.App.Notes(), Me: env.App.Me(), Now: env.App.Now, Words: env.Words}
}

// more reads the next page of ids, and the first notes of it.
func (l *list) more() {
	if !l.begun || l.whole || l.reading || l.last == nil {
		return
	}
	l.reading = true
	turn, tl, after, size, fold := l.turn, l.tl, l.last, l.size, foldBelow(l.items)
	l.env.Do.Go(func() func() {
		items, whole, err := tl.page(l.ctx, after, size)
		kept := fold.fold(items)
		notes := l.read(tl, kept[:min(len(kept), firstPage)])
		return func() {
			if turn != l.turn || l.ctx.Err() != nil {
				return
			}
			l.reading = false
			l.size = min(2*size, largestPage)
			if len(items) > 0 {
				l.last = new(items[len(items)-1])
			}
			l.remember(notes)
			l.items = append(l.items, kept...)
			l.rows.Append(rowsOf(kept)...)
			l.setWhole(whole)
			l.placeNews(items)
			l.showNews()
			l.opt.Changed(err)
		}
	})
}

// read presents the notes of items. It reads the store.
func (l *list) read(tl timeline, items []item) map[string]present.Note {
	notes := make(map[string]present.Note, len(items))
	for _, it := range items {
		if n, err := l.one(tl, it.id); err == nil {
			notes[rowOf(it.id)] = n
		}
	}
	return notes
}

// one presents a note; the error is [ndb.ErrNotFound] for one that is no longer stored.
func (l *list) one(tl timeline, id nostr.ID) (present.Note, error) {
	e, err := l.env.App.Notes().Event(l.ctx, id)
	if err != nil {
		return present.Note{}, err
	}
	n, err := l.reader.FromEvent(l.ctx, e)
	if err == nil && tl.search != nil {
		n = n.Marked(tl.search.query)
	}
	return n, err
}

// bind shows a row. The card of a note that is not read yet is hidden until it is.
func (l *list) bind(row string, o fyne.CanvasObject) {
	card, ok := o.(*note.Card)
	if !ok {
		if l.opt.BindHead != nil && row != footRow {
			l.opt.BindHead(row, o)
		}
		return
	}
	id, _ := idOf(row)
	if card.Note().Row != id {
		unfocus(card) // it shows another note now
	}
	n, there := l.notes[row]
	card.SetOpened(there && n.ID == l.opened)
	card.SetNote(n)
	if there {
		card.Show()
		l.look()
		l.loadAhead(row)
		return
	}
	card.Hide()
	l.wanted = append(l.wanted, row)
	l.loadWanted()
}

// loadAhead reads the notes a little further on before they come into sight.
func (l *list) loadAhead(row string) {
	if l.loading {
		return
	}
	at, _ := l.rows.Index(row)
	ids := l.rows.IDs()
	for _, i := range []int{at + loadAround/2, at - loadAround/2} {
		if i < l.heads || i >= len(ids) {
			continue
		}
		if _, read := l.notes[ids[i]]; !read {
			l.wanted = append(l.wanted, ids[i])
			l.loadWanted()
			return
		}
	}
}

// loadWanted reads the notes around the rows that are wanted.
func (l *list) loadWanted() {
	if l.loading || len(l.wanted) == 0 {
		return
	}
	at, there := l.rows.Index(l.wanted[len(l.wanted)-1])
	l.wanted = nil
	if !there {
		return
	}
	ids := l.rows.IDs()
	var items []item
	for _, row := range ids[max(0, at-loadAround):min(len(ids), at+loadAround)] {
		if id, ok := idOf(row); ok {
			if _, read := l.notes[row]; !read {
				items = append(items, item{id: id})
			}
		}
	}
	l.loading = true
	turn, tl := l.turn, l.tl
	l.env.Do.Go(func() func() {
		notes := l.read(tl, items)
		return func() {
			l.loading = false
			if turn != l.turn || l.ctx.Err() != nil {
				return
			}
			l.remember(notes)
			var gone []nostr.ID
			for _, it := range items {
				row := rowOf(it.id)
				if _, read := notes[row]; !read {
					gone = append(gone, it.id)
				} else if l.rows.Row(row) != nil {
					l.rows.RefreshRow(row)
				}
			}
			l.drop(gone)
			l.stillWanted()
		}
	})
}

// stillWanted reads rows that came into sight while others were being read.
func (l *list) stillWanted() {
	wanted := l.wanted
	l.wanted = nil
	for _, row := range wanted {
		if _, read := l.notes[row]; !read && l.rows.Row(row) != nil {
			l.wanted = append(l.wanted, row)
		}
	}
	l.loadWanted()
}

// remember adds notes, and drops those far from what is in sight.
func (l *list) remember(notes map[string]present.Note) {
	for row, n := range notes {
		l.notes[row] = n
	}
	if len(l.notes) <= 2*keepNotes {
		return
	}
	at, _ := l.rows.Index(l.rows.Top())
	for row := range l.notes {
		i, there := l.rows.Index(row)
		if _, fresh := notes[row]; !fresh && (!there || i < at-keepNotes/2 || i > at+keepNotes/2) && l.rows.Row(row) == nil {
			delete(l.notes, row)
		}
	}
}

// drop removes the rows of notes that are gone.
func (l *list) drop(gone []nostr.ID) {
	away := map[string]bool{}
	for _, id := range gone {
		if _, there := l.rows.Index(rowOf(id)); there {
			away[rowOf(id)] = true
		}
	}
	if len(away) == 0 {
		return
	}
	l.items = slices.DeleteFunc(l.items, func(it item) bool { return away[rowOf(it.id)] })
	for row := range away {
		delete(l.notes, row)
	}
	l.drawItems()
	l.opt.Changed(nil)
}

// drawItems shows the rows of items between heads and foot.
func (l *list) drawItems() {
	rows := slices.Concat(l.rows.IDs()[:l.heads], rowsOf(l.items))
	if l.footed() {
		rows = append(rows, footRow)
	}
	l.rows.SetIDs(rows)
}

// setWhole says whether all notes are read, and shows the foot then.
func (l *list) setWhole(whole bool) {
	l.whole = whole
	switch ids := l.rows.IDs(); {
	case whole && !l.footed() && l.opt.Foot != nil && l.count() > 0:
		l.rows.Append(footRow)
	case !whole && l.footed():
		l.rows.SetIDs(ids[:len(ids)-1])
	}
}

// footed reports whether the foot is shown.
func (l *list) footed() bool {
	ids := l.rows.IDs()
	return len(ids) > 0 && ids[len(ids)-1] == footRow
}

// count returns how many notes are listed so far.
func (l *list) count() int { return len(l.items) }

// close ends what runs for the list. It waits until the place is written, which takes one
// write at most: the store is closed next.
func (l *list) close() {
	if l.placeTimer != nil {
		l.placeTimer.Stop()
	}
	l.keepPlace()
	if l.looked != nil {
		l.looked.Stop()
	}
	l.end()
	l.saving.Wait()
}

// isDamaged reports whether an error only means that some notes could not be read.
func isDamaged(err error) bool { return errors.Is(err, ndb.ErrDamaged) }

// rowOf names the row of an event; 33 bytes, since there may be many.
func rowOf(id nostr.ID) string { return "n" + string(id[:]) }

// idOf returns the event of a row; ok is false for a head.
func idOf(row string) (id nostr.ID, ok bool) {
	if len(row) != 1+len(id) || row[0] != 'n' {
		return id, false
	}
	copy(id[:], row[1:])
	return id, true
}

func rowsOf(items []item) []string {
	rows := make([]string, len(items))
	for i, it := range items {
		rows[i] = rowOf(it.id)
	}
	return rows
}

// markOpened marks the note that is open beside the list; the zero ID marks none.
func (l *list) markOpened(id nostr.ID) {
	if l.opened == id {
		return
	}
	l.opened = id
	for row, n := range l.notes {
		if card, ok := l.rows.Row(row).(*note.Card); ok {
			card.SetOpened(n.ID == id)
		}
	}
}
