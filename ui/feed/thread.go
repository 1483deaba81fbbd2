package feed

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb"
	"bowerbird/ui/layout"
	"bowerbird/ui/note"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// Thread is the conversation around a note.
type Thread struct {
	env     screen.Env
	id      ndb.ID
	ctx     context.Context
	end     context.CancelFunc
	reader  *present.Reader
	content fyne.CanvasObject
	count   *widgets.Label
	rows    *widgets.VirtualList
	memory  *note.Memory

	thread present.Thread
	byID   map[string]row
}

// row is one line of a thread.
type row struct {
	kind   string // "missing", "ancestor", "focus", "reply", "more"
	note   present.Note
	branch present.Branch
}

// indent is how far a reply stands to the right of what it answers, in points.
const indent float32 = 40

// NewThread makes the screen.
func NewThread(env screen.Env, id ndb.ID) *Thread {
	ctx, end := context.WithCancel(context.Background())
	t := &Thread{env: env, id: id, ctx: ctx, end: end, reader: newReader(env), byID: map[string]row{}, memory: note.NewMemory()}
	back := widgets.NewIconButton("back", lang.L("Back"), env.Go.Back)
	back.ID = "thread.back"
	title := widgets.NewLabel(lang.L("Thread"), theme.Heading, theme.Text)
	title.Bold = true
	t.count = widgets.NewLabel("", theme.Small, theme.Muted)
	sum := widgets.NewButton(lang.L("Summarise"), widgets.Outline, func() { env.Go.Summarise(id) })
	sum.ID = "thread.summarise"
	t.rows = widgets.NewVirtualList(widgets.VirtualOptions{
		Kind: func(id string) string { return t.byID[id].kind },
		Make: t.make,
		Bind: t.bind,
	})
	t.rows.ID = "thread.list"
	t.content = widgets.NewPage(
		widgets.NewHead(layout.Row(10, 2, back, title, t.count, sum)), t.rows)
	t.load()
	return t
}

func (t *Thread) load() {
	t.env.Do.Go(func() func() {
		thread, err := t.reader.Thread(t.ctx, t.id)
		return func() {
			if t.ctx.Err() != nil {
				return
			}
			if err != nil {
				t.env.Go.Toast(err.Error(), "", nil)
				return
			}
			t.thread = thread
			t.lay()
		}
	})
}

// lay puts the thread's rows into the list.
func (t *Thread) lay() {
	var ids []string
	add := func(id string, r row) {
		if r.note.Missing {
			r.kind = "missing"
		}
		t.byID[id] = r
		ids = append(ids, id)
	}
	for _, n := range t.thread.Ancestors {
		add(n.Row.String(), row{kind: "ancestor", note: n})
	}
	add(t.thread.Focus.Row.String(), row{kind: "focus", note: t.thread.Focus})
	for _, b := range t.thread.Replies {
		add(b.Note.Row.String(), row{kind: "reply", note: b.Note, branch: b})
		if b.Continue > 0 {
			add("more:"+b.Note.Row.String(), row{kind: "more", branch: b})
		}
	}
	t.count.SetText(lang.N("{{.Count}} replies", t.thread.Total, map[string]any{"Count": t.thread.Total}))
	t.rows.SetIDs(ids)
	t.rows.RefreshAll()
}

func (t *Thread) make(kind string) fyne.CanvasObject {
	size := note.Feed
	switch kind {
	case "missing", "more":
		return prose.New()
	case "focus":
		size = note.Focus
	case "reply":
		size = note.Reply
	}
	return note.NewCard(note.Options{
		Go: t.env.Go, Words: t.env.Words, Do: t.env.Do, Loader: loader(t.env), Auto: auto(t.env),
		Compact: t.env.Look.Compact, Line: true, Size: size, Memory: t.memory,
		Changed: func(row ndb.ID) { t.rows.RefreshRow(row.String()) },
		LookFor: t.lookFurther,
	})
}

func (t *Thread) bind(id string, o fyne.CanvasObject) {
	r := t.byID[id]
	switch o := o.(type) {
	case *note.Card:
		o.SetIndent(indent * float32(r.branch.Depth))
		o.SetNote(r.note)
	case *prose.Text:
		if r.kind == "more" {
			o.SetSpans(prose.Span{Text: lang.L("Continue this thread"), Size: theme.Small, Tap: func() { t.env.Go.OpenThread(r.branch.Note.ID) }})
			return
		}
		o.SetSpans(
			prose.Span{Text: lang.L("In reply to a note that is on none of your relays.") + " ", Size: theme.Small, Color: theme.Muted},
			prose.Span{Text: lang.L("Look further"), Size: theme.Small, Tap: func() { t.lookFurther(r.note.ID) }, ID: "thread.further"})
	}
}

// lookFurther asks more relays for a note that is not stored.
func (t *Thread) lookFurther(id ndb.ID) {
	t.env.Do.Go(func() func() {
		found, err := t.env.App.FetchNotes(t.ctx, []ndb.ID{id}, nil)
		return func() {
			switch {
			case t.ctx.Err() != nil:
			case err != nil:
				t.env.Go.Toast(err.Error(), "", nil)
			case found == 0:
				t.env.Go.Toast(lang.L("No relay that was asked has this note."), "", nil)
			default:
				t.load()
			}
		}
	})
}

// Content implements screen.Screen.
func (t *Thread) Content() fyne.CanvasObject { return t.content }

// Shown implements screen.Screen.
func (t *Thread) Shown() {}

// Hidden implements screen.Screen.
func (t *Thread) Hidden() {}

// Focus implements screen.Screen.
func (t *Thread) Focus(fyne.Canvas) {}

// Close implements screen.Screen.
func (t *Thread) Close() { t.end() }
