package builtin

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

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
	args := f.args(p.kinds(), w)
	got := ask[tools.QueryResult](p.turn, "query", tools.QueryArgs{
		Context: args.Context, Author: args.Author, Search: args.Search, Kind: args.Kind, IncludeReplies: true, Since: args.Since, Until: args.Until, Limit: maxTable,
	})
	covered := ask[tools.CoverageResult](p.turn, "coverage", tools.CoverageArgs{Since: args.Since, Until: args.Until})
	if p.waiting() {
		return ""
	}
	r := &reading{window: w, narrow: f.narrow(), coverage: covered.value}
	switch {
	case got.value == nil:
		return p.words.Failed
	case len(got.value.Notes) == 0 && (p.q.Articles || p.q.Intent == question.Pictures):
		return p.listNewest() // which says so
	case len(got.value.Notes) == 0:
		return p.nothing(f, w, r, who)
	}
	title := strings.TrimRight(p.title(w, who), ":： ")
	var rows [][]any
	for i := range got.value.Notes {
		n := &got.value.Notes[i]
		rows = append(rows, []any{p.words.When(timeOfNote(n, p), p.calendar.Now), personName(n.Name, n.PubKey), p.cell(n)})
	}
	p.showTable(title, []string{p.words.ColTime, p.words.ColName, p.texts.ColNote}, rows)
	if p.waiting() {
		return ""
	}
	lines := []string{words.Fill(p.texts.Counted, "what", p.counted(got.value.Total, who), "window", p.words.Window(w, p.calendar.Now))}
	if p.anyOf != "" {
		lines = slices.Insert(lines, 0, p.texts.AnyOf)
	}
	if got.value.Total > len(rows) {
		lines = append(lines, words.Fill(p.words.Showing, "n", p.words.Number(len(rows))))
	}
	return strings.Join(append(lines, p.covered(r)...), " ") + "\n"
}

// cell is what a table shows of a note.
func (p *plan) cell(n *tools.Note) string { return clean.Line(n.Content, maxCell) }

func timeOfNote(n *tools.Note, p *plan) time.Time {
	return time.Unix(n.CreatedAtUnix, 0).In(p.calendar.Now.Location())
}

// showTable puts rows before the user.
func (p *plan) showTable(title string, heads []string, rows [][]any) {
	table := tools.TableArgs{Title: title}
	for i, h := range heads {
		table.Columns = append(table.Columns, tools.Column{Key: "c" + strconv.Itoa(i), Label: h})
	}
	for _, row := range rows {
		cells := map[string]json.RawMessage{}
		for i, v := range row {
			if raw, err := json.Marshal(v); err == nil {
				cells["c"+strconv.Itoa(i)] = raw
			}
		}
		table.Rows = append(table.Rows, cells)
	}
	ask[tools.TableResult](p.turn, "render_table", table)
}
