package chat

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	rowOffer    = "offer" // what can be asked
	rowDigest   = "digest"
	rowChecked  = "checked"
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

// row is one line of the list: a block of an answer, or a part of one. Rows that
// are equal look the same.
type row struct {
	id    string // see rowID
	kind  string
	text  string // rowQuestion: what was asked
	at    int    // rowQuestion: which version it is, of how many; 0 where there is one
	of    int
	gap   float32 // above
	turn  int     // its place in the conversation
	block present.Block
	index int  // rowSource, rowNote: the source's place in its list
	first bool // rowSource: has the card's upper side
	last  bool // rowSource, in a box: has the card's lower side
	boxed bool // stands in the box of what was checked
	bare  bool // rowQuestion: the head says what was asked
	open  bool // opened by the user
	parts int  // how often the user asked for more of it
	deep  bool // opened to its details; rowSaid: without what has no note
	lit   bool // rowSource: a citation led here
	goes  bool // rowNotice: the turn can go on
	left  int  // rowProblem: the seconds until it is asked again; 0 where it is not
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
	chat  int             // which of the chats that were shown: no two have rows of one name
	open  map[string]bool // chips, thoughts, all sources
	parts map[string]int  // how often more of a very long text was asked for
	cards map[string]bool // sources as note cards
	lit   string          // the row of the source that a citation led to
}

func newSeen(chat int) *seen {
	return &seen{chat: chat, open: map[string]bool{}, parts: map[string]int{}, cards: map[string]bool{}}
}

// rowID names a row. Its kind can be read from its name, also when it is gone.
func (s *seen) rowID(kind string, turn int, key string) string {
	return fmt.Sprintf("%s|%d.%d.%s", kind, s.chat, turn, key)
}

// kindOf returns the kind of a row by its name.
func kindOf(id string) string {
	kind, _, _ := strings.Cut(id, "|")
	return kind
}

// rowsOf lists the rows of a conversation's turns.
func rowsOf(turns []present.Turn, s *seen) []row {
	var rows []row
	for i, t := range turns {
		gap := gapTurn
		if i == 0 {
			gap = gapBlock + theme.Unit
		}
		asked := row{id: s.rowID(rowQuestion, i, ""), kind: rowQuestion, text: t.Question, turn: i, gap: gap}
		var answer []row
		for _, b := range t.Blocks {
			answer = append(answer, blockRows(i, b, s)...)
		}
		if i == 0 && slices.ContainsFunc(answer, func(r row) bool { return r.kind == rowDigest }) {
			asked.bare, asked.gap = true, theme.Unit
		}
		box(answer)
		rows = append(append(rows, asked), answer...)
	}
	return rows
}

// box puts the sources and the coverage into the box of what was checked.
func box(rows []row) {
	at := slices.IndexFunc(rows, func(r row) bool { return r.kind == rowChecked })
	if at < 0 {
		return
	}
	end := at + 1
	for end < len(rows) && slices.Contains([]string{rowSource, rowMore, rowCoverage}, rows[end].kind) {
		rows[end].boxed, rows[end].last, rows[end].gap = true, false, 0
		end++
	}
	rows[end-1].last = true
}

func blockRows(turn int, b present.Block, s *seen) []row {
	r := row{turn: turn, block: b, gap: gapBlock, kind: kindOfBlock(b)}
	r.id = s.rowID(r.kind, turn, b.Key())
	r.open, r.parts = s.open[r.id], s.parts[r.id]
	r.deep = s.open[r.id+deepID]
	switch b := b.(type) {
	case *present.Said:
		r.deep = s.open[s.rowID(rowChecked, turn, (*present.Checked)(nil).Key())]
	case *present.Sources:
		return sourceRows(r, b, s)
	case *present.Foot:
		r.gap = gapClose
	}
	return []row{r}
}

// deepID behind a row's name names its details.
const deepID = ":details"

func kindOfBlock(b present.Block) string {
	switch b.(type) {
	case *present.Said:
		return rowSaid
	case *present.Offer:
		return rowOffer
	case *present.Digest:
		return rowDigest
	case *present.Checked:
		return rowChecked
	case *present.Refusal:
		return rowRefusal
	case *present.Thinking:
		return rowThinking
	case *present.Work:
		return rowWork
	case *present.Sources:
		return rowMore
	case *present.Table:
		return rowTable
	case *present.Chart:
		return rowChart
	case *present.Coverage:
		return rowCoverage
	case *present.Notice:
		return rowNotice
	case *present.Problem:
		return rowProblem
	}
	return rowFoot
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
		one.kind, one.index, one.gap = rowSource, i, 0
		one.first, one.last = i == 0, i == shown-1 && !more
		if cards {
			one.kind = rowNote
		}
		one.id = s.rowID(one.kind, r.turn, strconv.Itoa(b.List[i].Index))
		one.lit = s.lit == one.id
		if one.first || cards {
			one.gap = gapBlock
		}
		rows = append(rows, one)
	}
	end := r
	end.gap = 0
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
func citation(turns []present.Turn, turn, index int, s *seen) (target, opens string) {
	if turn >= len(turns) {
		return "", ""
	}
	for _, b := range turns[turn].Blocks {
		list, ok := b.(*present.Sources)
		if !ok {
			continue
		}
		more, kind := s.rowID(rowMore, turn, b.Key()), rowSource
		if s.cards[more] {
			kind = rowNote
		}
		for i, one := range list.List {
			if one.Index == index {
				if i >= firstSources {
					opens = more
				}
				return s.rowID(kind, turn, strconv.Itoa(index)), opens
			}
		}
	}
	return "", ""
}

// cardInsets are those of a card's content.
var cardInsets = layout.Insets{Top: 14, Right: 16, Bottom: 14, Left: 16}
