package chat

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/ui/answers"
	"bowerbird/ui/chart"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/table"
	"bowerbird/ui/theme"
)

// shownBlock draws a table or a chart.
func (s *Screen) shownBlock(r row) []fyne.CanvasObject { return []fyne.CanvasObject{s.madeOf(r)} }

// madeOf returns the widget of a table or chart. It is made once and kept with the chat, so
// that a table stays sorted and a chart stays as the user left it.
func (s *Screen) madeOf(r row) fyne.CanvasObject {
	made, ok := s.made[r.id]
	if !ok || made.of != r.block {
		made = madeBlock{r.block, s.makeShown(r)}
		s.made[r.id] = made
	}
	return made.object
}

// madeBlock is a widget with the block that it was made from.
type madeBlock struct {
	of     answers.Block
	object fyne.CanvasObject
}

func (s *Screen) makeShown(r row) fyne.CanvasObject {
	switch b := r.block.(type) {
	case *answers.Table:
		s.loadNames(r.id, b.TableResult)
		return card(theme.Line, cardInsets, table.New(b.TableResult, s.tableOptions(r.id)))
	case *answers.Digest:
		return s.drawnChart(r.id, b.Chart)
	case *answers.Chart:
		if b.Chart != nil && b.Refused == "" {
			return s.drawnChart(r.id, b)
		}
		return s.refusedChart(r.id, b.ChartResult)
	}
	return layout.Stack()
}

func (s *Screen) drawnChart(id string, b *answers.Chart) fyne.CanvasObject {
	opt := chart.Options{ID: "chat.chart", Save: s.saver.Ask, Table: s.tableOptions(id), Grown: func() { s.list.RefreshRow(id) }}
	return card(theme.Line, cardInsets, chart.NewWidget(b.Chart, opt))
}

// refusedChart shows the data of a chart that was refused, and why.
func (s *Screen) refusedChart(id string, c *tools.ChartResult) fyne.CanvasObject {
	why := prose.Plain(lang.L("This chart could not be drawn: {{.Text}}", in("Text", present.Isolate(clean.Line(c.Refused, 300)))), theme.Small, theme.Muted)
	column := layout.Column(10, why)
	if c.Table != nil {
		s.loadNames(id, c.Table)
		column.Add(table.New(c.Table, s.tableOptions(id)))
	}
	return card(theme.Line, cardInsets, column)
}

func (s *Screen) tableOptions(id string) table.Options {
	return table.Options{
		ID: "chat." + kindOf(id), OpenNote: s.env.Go.OpenThread, OpenPerson: s.env.Go.OpenProfile, Copy: s.env.Go.Copy,
		Name:   s.names.named,
		Person: func(name string) nostr.PubKey { return s.people[name] },
		Face:   func(pk nostr.PubKey) fyne.CanvasObject { return s.faces.avatar(pk, theme.AvatarSmall) },
		When:   s.sayWhen,
		Grown:  func() { s.list.RefreshRow(id) },
	}
}

// cellNames are what tables show in place of codes: the name of a person, the beginning of
// a note. They are read when a table is first shown, off the window's thread.
type cellNames map[[32]byte]string

// named returns the name for a code, "" until it is read.
func (n cellNames) named(c nostr.Code) string { return n[codeKey(c)] }

// codeKey returns the id or public key in a code. Codes of the same thing may differ in
// their relays.
func codeKey(c nostr.Code) [32]byte {
	if c.Event != (nostr.ID{}) {
		return c.Event
	}
	return c.PubKey
}

// nameLength limits how much of a note its name holds, in characters.
const nameLength = 60

// sayWhen words a time in a cell; day: without the time of day.
func (s *Screen) sayWhen(at time.Time, day bool) string {
	if day {
		return inWords().Date(at, s.now())
	}
	return inWords().Moment(at, s.now())
}

// loadNames reads the names for the codes in a table, and who is meant by a name, then
// redraws it.
func (s *Screen) loadNames(rowID string, t *tools.TableResult) {
	var missing []nostr.Code
	for _, c := range table.Codes(t) {
		if _, asked := s.names[codeKey(c)]; !asked {
			s.names[codeKey(c)] = ""
			missing = append(missing, c)
		}
	}
	if len(missing) == 0 && s.people != nil {
		return
	}
	s.away(func() func() {
		found := make(cellNames, len(missing))
		for _, c := range missing {
			found[codeKey(c)] = s.nameOf(s.ctx, c)
		}
		people, err := s.reader.Named(s.ctx)
		if err != nil {
			people = map[string]nostr.PubKey{} // names lead nowhere
		}
		return func() {
			for key, name := range found {
				s.names[key] = name
			}
			s.people = people
			delete(s.made, rowID)
			s.list.RefreshRow(rowID)
		}
	})
}

// nameOf returns the name for a code; "" if the person has no name or the note is not
// stored.
func (s *Screen) nameOf(ctx context.Context, c nostr.Code) string {
	if c.Event == (nostr.ID{}) {
		p, err := s.env.App.Notes().Profile(ctx, c.PubKey)
		if err != nil || p.Name == "" && p.DisplayName == "" {
			return "" // the code says more than a made-up name
		}
		return present.Isolate(present.Name(p))
	}
	n, err := s.find.FindNote(ctx, c.Event)
	if err != nil {
		return ""
	}
	text := n.Title
	if text == "" {
		text = n.Text
	}
	return present.Isolate(n.Author) + ": " + present.Isolate(clean.Line(text, nameLength))
}
