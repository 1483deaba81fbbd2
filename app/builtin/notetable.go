package builtin

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/ndb/clean"
	"bowerbird/tools"
)

// maxTable is how many notes a table lists, and maxCell how many runes of each.
const (
	maxTable = 100
	maxCell  = 160
)

// noteTable answers a question about notes with a table of them.
func (p *plan) noteTable() string {
	w := p.windowOrDefault()
	f, who, stop := p.whose()
	if stop != "" || p.waiting() {
		return stop
	}
	if p.settleWords(f, w); p.waiting() {
		return ""
	}
	f.search = p.topicWords()
	got, r := p.newest(f, w, maxTable), p.coverage(f, w)
	if p.waiting() {
		return ""
	}
	switch {
	case got == nil:
		return p.words.Failed
	case len(got.Notes) == 0 && p.q.Intent != question.Digest:
		return p.listNewest() // which says so
	case len(got.Notes) == 0:
		return p.nothing(f, w, r, who)
	}
	title := strings.TrimRight(p.title(w, who), ":： ")
	if p.q.Kinds != 0 {
		p.popularTable(title, got.Notes)
	} else {
		var rows [][]any
		for i := range got.Notes {
			n := &got.Notes[i]
			rows = append(rows, []any{p.when(n.CreatedAtUnix), personName(n.Name, n.PubKey), p.cell(n)})
		}
		p.showTable(title, []string{p.words.ColTime, p.words.ColName, p.texts.ColNote}, rows)
	}
	if p.waiting() {
		return ""
	}
	lines := []string{words.Fill(p.texts.Counted, "what", p.counted(got.Total, who), "window", p.words.Window(w, p.calendar.Now))}
	if p.anyOf != "" {
		lines = slices.Insert(lines, 0, p.texts.AnyOf)
	}
	if got.Total > len(got.Notes) {
		lines = append(lines, words.Fill(p.words.Showing, "n", p.words.Number(len(got.Notes))))
	}
	return strings.Join(append(lines, p.covered(r)...), " ") + "\n"
}

// cell is what a table shows of a note's text.
func (p *plan) cell(n *tools.Note) string { return clean.Line(n.Content, maxCell) }

// showTable shows rows under the headings of their columns.
func (p *plan) showTable(title string, heads []string, rows [][]any) {
	cols := make([]tools.Column, len(heads))
	for i, h := range heads {
		cols[i] = tools.Column{Key: "c" + strconv.Itoa(i), Label: h}
	}
	p.table(title, cols, rows)
}

func (p *plan) table(title string, cols []tools.Column, rows [][]any) found[tools.TableResult] {
	table := tools.TableArgs{Title: title, Columns: cols}
	for _, row := range rows {
		cells := map[string]json.RawMessage{}
		for i, v := range row {
			if raw, err := json.Marshal(v); err == nil {
				cells[cols[i].Key] = raw
			}
		}
		table.Rows = append(table.Rows, cells)
	}
	return ask[tools.TableResult](p.turn, "render_table", table)
}
