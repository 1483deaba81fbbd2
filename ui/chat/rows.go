package chat

import (
	"fmt"

	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
)

// The kinds of rows. Rows of one kind are drawn by the same drawers.
const (
	rowSync     = "sync"    // the first fetching of notes
	rowOpening  = "opening" // "Since you were last here"
	rowQuestion = "question"
	rowSaid     = "said"
	rowRefusal  = "refusal"
	rowThinking = "thinking"
	rowWork     = "work"
	rowSource   = "source"
	rowMore     = "more" // below the sources
	rowNote     = "note" // a source as a card
	rowTable    = "table"
	rowChart    = "chart"
	rowCoverage = "coverage"
	rowNotice   = "notice"
	rowProblem  = "problem"
	rowFoot     = "foot"
	rowEnd      = "end"
)

// row is one line of the list: a block of an answer, or a part of one.
type row struct {
	id    string
	kind  string
	gap   float32 // above
	turn  int     // its place in the conversation
	block present.Block
	index int  // rowSource, rowNote: the source's place in its list
	first bool // rowSource: has the card's upper side
	last  bool // rowSource: has the card's lower side
	open  bool // opened by the user
	lit   bool // rowSource: a citation led here
}

// The spaces above rows.
const (
	gapBlock float32 = 12
	gapTurn  float32 = 22
	gapClose float32 = 4
)

// firstSources is how many sources are shown before "Show all".
const firstSources = 3

// seen is what the user opened in the rows, by their ids.
type seen struct {
	open  map[string]bool // chips, thoughts, all sources
	cards map[string]bool // sources as note cards
	lit   string          // the row of the source that a citation led to
}

func newSeen() *seen { return &seen{open: map[string]bool{}, cards: map[string]bool{}} }

// rowsOf lists the rows of a conversation's turns.
func rowsOf(turns []present.Turn, s *seen) []row {
	var rows []row
	for i, t := range turns {
		gap := gapTurn
		if i == 0 {
			gap = gapBlock + theme.Unit
		}
		rows = append(rows, row{id: questionID(i), kind: rowQuestion, turn: i, gap: gap})
		for _, b := range t.Blocks {
			rows = append(rows, blockRows(i, b, s)...)
		}
	}
	return rows
}

func questionID(turn int) string { return fmt.Sprintf("q:%d", turn) }

func blockID(turn int, b present.Block) string { return fmt.Sprintf("b:%d:%s", turn, b.Key()) }

func sourceID(turn, index int) string { return fmt.Sprintf("s:%d:%d", turn, index) }

func blockRows(turn int, b present.Block, s *seen) []row {
	id := blockID(turn, b)
	r := row{id: id, turn: turn, block: b, gap: gapBlock, open: s.open[id]}
	switch b := b.(type) {
	case *present.Said:
		r.kind = rowSaid
	case *present.Refusal:
		r.kind = rowRefusal
	case *present.Thinking:
		r.kind = rowThinking
	case *present.Work:
		r.kind = rowWork
	case *present.Sources:
		return sourceRows(r, b, s)
	case *present.Table:
		r.kind = rowTable
	case *present.Chart:
		r.kind = rowChart
	case *present.Coverage:
		r.kind = rowCoverage
	case *present.Notice:
		r.kind = rowNotice
	case *present.Problem:
		r.kind = rowProblem
	case *present.Foot:
		r.kind, r.gap = rowFoot, gapClose
	}
	return []row{r}
}

// sourceRows lists the sources of a turn, each a row of its own so that hundreds
// cost what is seen of them.
func sourceRows(r row, b *present.Sources, s *seen) []row {
	shown := len(b.List)
	more := shown > firstSources || b.Missing > 0
	if !r.open {
		shown = min(shown, firstSources)
	}
	cards := s.cards[r.id]
	var rows []row
	for i := range shown {
		one := r
		one.id, one.kind, one.index, one.gap = sourceID(r.turn, b.List[i].Index), rowSource, i, 0
		one.first, one.last = i == 0, i == shown-1 && !more
		one.lit = s.lit == one.id
		if one.first || cards {
			one.gap = gapBlock
		}
		if cards {
			one.id, one.kind = "n"+one.id, rowNote
		}
		rows = append(rows, one)
	}
	end := r
	end.kind, end.gap = rowMore, 0
	end.first = cards || shown == 0 // stands by itself
	if cards {
		end.gap = gapClose
	}
	if more || cards {
		rows = append(rows, end)
	}
	return rows
}

// citation returns the row of a turn's source, and the row that has to be opened
// for it to be shown; "" for none.
func citation(turns []present.Turn, turn, index int) (target, opens string) {
	if turn >= len(turns) {
		return "", ""
	}
	for _, b := range turns[turn].Blocks {
		list, ok := b.(*present.Sources)
		if !ok {
			continue
		}
		for i, s := range list.List {
			if s.Index == index {
				if i >= firstSources {
					opens = blockID(turn, b)
				}
				return sourceID(turn, index), opens
			}
		}
	}
	return "", ""
}

// cardInsets are those of a card's content.
var cardInsets = layout.Insets{Top: 14, Right: 16, Bottom: 14, Left: 16}
