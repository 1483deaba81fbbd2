package chat

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"bowerbird/ui/answers"
	"bowerbird/ui/layout"
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

// row is one line of the list: a block of an answer, or a part of one. Equal rows look the
// same.
type row struct {
	id        string // see rowID
	kind      string
	text      string // rowQuestion: what was asked
	at        int    // rowQuestion: which version it is, of how many; 0 where there is one
	of        int
	gap       float32 // above
	turn      int     // its place in the conversation
	block     answers.Block
	index     int  // rowSource, rowNote: the source's place in its list
	first     bool // rowSource: has the card's upper side
	last      bool // rowSource, in a box: has the card's lower side
	boxed     bool // is in the box of the check
	bare      bool // rowQuestion: the head says what was asked
	open      bool // opened by the user
	parts     int  // how often the user asked for more of it
	deep      bool // opened to its details; rowSaid: without what has no note
	resumable bool // rowNotice: the turn can go on
	left      int  // rowProblem: the seconds until it is asked again; 0 where it is not
}

// The spaces above rows.
const (
	gapBlock float32 = 12
	gapTurn  float32 = 22
	gapClose float32 = 4
)

// firstSources is how many sources are shown before "Show all".
const firstSources = 3

// seen is what the user has opened, by the ids of rows.
type seen struct {
	chat  int             // which of the chats that were shown: no two have rows of one name
	open  map[string]bool // chips, thoughts, all sources
	parts map[string]int  // how often more of a very long text was asked for
	cards map[string]bool // sources as note cards
}

// rowID returns the id of a row. It begins with the kind, so that the kind of a removed
// row is still known.
func (s *seen) rowID(kind string, turn int, key string) string {
	return fmt.Sprintf("%s|%d.%d.%s", kind, s.chat, turn, key)
}

// kindOf returns the kind of a row by its name.
func kindOf(id string) string {
	kind, _, _ := strings.Cut(id, "|")
	return kind
}

// rowKind describes the rows of one kind.
type rowKind struct {
	shows answers.Block // a nil of its type; nil for rows that show no block
	// rows lists the rows of a block that are more, or others, than one of its kind.
	rows   func(r row, s *seen) []row
	drawer func(*Screen) drawer
}

// rowKinds are all kinds of rows, and which of them draws a type of block. This table is
// the one place where a block is registered.
type rowKinds struct {
	named   map[string]rowKind
	showing map[reflect.Type]string // the name of what shows a block
}

func newRowKinds() rowKinds {
	k := rowKinds{showing: map[reflect.Type]string{}, named: map[string]rowKind{
		rowSync:     {drawer: func(s *Screen) drawer { return drawer{s.sync.box, s.sync.draw} }},
		rowOpening:  {drawer: func(s *Screen) drawer { return drawer{s.opening.box, s.opening.draw} }},
		rowQuestion: {drawer: newQuestion},
		rowSaid:     {shows: (*answers.Said)(nil), rows: saidRows, drawer: newSaid},
		rowOffer:    {shows: (*answers.Offer)(nil), drawer: newOffer},
		rowDigest:   {shows: (*answers.Digest)(nil), drawer: newDigest},
		rowChecked:  {shows: (*answers.Checked)(nil), drawer: rebuilt((*Screen).checked)},
		rowRefusal:  {shows: (*answers.Refusal)(nil), drawer: newRefusal},
		rowThinking: {shows: (*answers.Thinking)(nil), drawer: newThinking},
		rowWork:     {shows: (*answers.Work)(nil), drawer: newWork},
		rowSource:   {drawer: newSource},
		rowMore:     {shows: (*answers.Sources)(nil), rows: sourceRows, drawer: rebuilt((*Screen).sourcesEnd)},
		rowNote:     {drawer: newNoteRow},
		rowTable:    {shows: (*answers.Table)(nil), drawer: rebuilt((*Screen).shownBlock)},
		rowChart:    {shows: (*answers.Chart)(nil), drawer: rebuilt((*Screen).shownBlock)},
		rowCoverage: {shows: (*answers.Coverage)(nil), drawer: newCoverage},
		rowNotice:   {shows: (*answers.Notice)(nil), drawer: newNotice},
		rowProblem:  {shows: (*answers.Problem)(nil), drawer: newProblem},
		rowFoot:     {shows: (*answers.Foot)(nil), rows: footRows, drawer: newFoot},
		rowEnd:      {drawer: func(*Screen) drawer { return drawer{space(1, 1), func(row) {}} }},
	}}
	for name, kind := range k.named {
		if kind.shows != nil {
			k.showing[reflect.TypeOf(kind.shows)] = name
		}
	}
	return k
}

// list lists the rows of a conversation's turns.
func (k rowKinds) list(turns []answers.Turn, s *seen) []row {
	var rows []row
	for i, t := range turns {
		gap := gapTurn
		if i == 0 {
			gap = gapBlock + theme.Unit
		}
		asked := row{id: s.rowID(rowQuestion, i, ""), kind: rowQuestion, text: t.Question, turn: i, gap: gap}
		asked.open = s.open[asked.id]
		var answer []row
		for _, b := range t.Blocks {
			answer = append(answer, k.blockRows(i, b, s)...)
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

func (k rowKinds) blockRows(turn int, b answers.Block, s *seen) []row {
	r := row{turn: turn, block: b, gap: gapBlock, kind: k.showing[reflect.TypeOf(b)]}
	r.id = s.rowID(r.kind, turn, b.Key())
	r.open, r.parts = s.open[r.id], s.parts[r.id]
	r.deep = s.open[r.id+deepID]
	if rows := k.named[r.kind].rows; rows != nil {
		return rows(r, s)
	}
	return []row{r}
}

// deepID behind a row's name names its details.
const deepID = ":details"

// saidRows returns the text, without unsupported sentences if the user chose so in the box
// of the check.
func saidRows(r row, s *seen) []row {
	r.deep = s.open[s.rowID(rowChecked, r.turn, (*answers.Checked)(nil).Key())]
	return []row{r}
}

func footRows(r row, _ *seen) []row {
	r.gap = gapClose
	return []row{r}
}

// sourceRows returns a row for each source, so that only those in sight cost anything.
func sourceRows(r row, s *seen) []row {
	b := r.block.(*answers.Sources)
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
		if one.first || cards {
			one.gap = gapBlock
		}
		rows = append(rows, one)
	}
	end := r
	end.gap = 0
	end.first = cards || shown == 0 // no card above it
	if cards {
		end.gap = gapClose
	}
	if more || cards {
		rows = append(rows, end)
	}
	return rows
}

// cardInsets are those of a card's content.
var cardInsets = layout.Insets{Top: 14, Right: 16, Bottom: 14, Left: 16}
