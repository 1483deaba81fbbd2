// Package answers turns what happens while a question is answered into plain values that
// the window draws and the terminal says: an Assembler takes the events of a turn, live or
// from a saved chat, and gives a Turn, which is a list of blocks (see [Block]).
//
// What a Turn says is in English and at the same time the name of its translation (see
// [Phrase]). Texts by models and strangers are cleaned and bounded in it, as in package
// present. How a block is drawn is left to ui/chat, which enters each in one place.
package answers

import (
	"fmt"
	"time"

	"bowerbird/app"
	"bowerbird/app/builtin"
	"bowerbird/app/chats"
	"bowerbird/app/check"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// Turn is one question and its answer, as blocks that are drawn one below the other. It is
// a value: a later state of the same turn is another Turn, in which unchanged blocks are
// the same pointers.
type Turn struct {
	ID       string
	Number   int // within its chat, from 1
	Question string
	Asked    time.Time
	Scope    app.Scope
	Model    string // "provider:name"
	Host     string // where its text went; "" for this computer
	Toolless bool   // the model got no tools; known only while the window is open
	State    chats.State
	Spent    Spent
	Blocks   []Block

	// Cited are the notes behind the citations of an answer that is still being written.
	// Of one that has ended the block of sources lists them.
	Cited map[int]nostr.ID
}

// Running reports whether the turn is still being answered.
func (t Turn) Running() bool { return t.State == chats.Running }

// Block is one piece of an answer: a pointer to one of the types below. What it points to
// does not change.
type Block interface {
	// Key names the block within its turn, through all its states.
	Key() string
}

// Said is what the model said in one step.
type Said struct {
	Step     int
	Markdown string       // cleaned; ^1 … ^Sources are citations, others plain text
	Sources  int          // how many notes are presented so far
	Final    bool         // nothing more will come
	Marks    []check.Mark // what was found in Markdown
}

// Checked is the result of the check of a model's answer.
type Checked struct{ check.Report }

// Refusal is what the model said instead of an answer.
type Refusal struct {
	Step int
	Text string
}

// Offer lists questions that the built-in can answer.
type Offer struct {
	Step      int
	Questions []string // are asked by a click
	Patterns  []string // have something to be replaced first
}

// Digest is a digest of the built-in, as text and in its parts, with what is drawn within
// it.
type Digest struct {
	Step     int
	Markdown string // as in Said
	Parts    builtin.Digest
	Sources  []Source
	Coverage *Coverage // where something is missing; else nil
	Complete bool      // the relays that were asked confirm the whole window
	Chart    *Chart    // when the notes were written; nil for none
}

// Thinking is what a model thought before a step, shown folded.
type Thinking struct {
	Step  int
	Text  string
	Final bool // the step has begun to answer
}

// Work is what was looked up between two texts.
type Work struct {
	Step  int // of its first call
	Icon  string
	Words Phrase   // "Read 184 notes"
	Facts []Phrase // "61 people you follow", "since Thu 18:00", "without replies"
	Lines []WorkLine
	State WorkState // the worst of its lines
	Since time.Time // when what was read begins; zero when that is not known
}

// WorkState is how far a call has come.
type WorkState uint8

// The states, from the one that says least to the one that says most.
const (
	WorkDone WorkState = iota
	WorkFailed
	WorkUnknown // whether it happened: the program ended while it did more than read
	WorkRunning
	WorkWaiting // for the user's approval
)

// WorkLine is what one call, or several that belong together, asked and found.
type WorkLine struct {
	State   WorkState
	Words   Phrase
	Facts   []Phrase
	Problem string   // why it failed; cleaned
	Details []Detail // of each call, for those who want to know
}

// Detail is a call as the model wrote it.
type Detail struct {
	Tool      string
	Arguments string // JSON, indented
	Answer    string // JSON, indented and cut; "" where it was not kept
}

// Sources are the presented notes of the whole turn.
type Sources struct {
	List    []Source
	Missing int // notes that were to be presented and are not there
}

// Source is one presented note.
type Source struct {
	Index  int // the n of ^n
	ID     nostr.ID
	PubKey nostr.PubKey
	Author string
	Quote  string // a sentence of the note: what the answer quotes, else its first one
	Quoted bool   // the answer quotes it, word for word
	At     time.Time
	Link   string // nostr:nevent1…
	Gone   bool   // the note is not in the store (any more)
}

// Table is a table that the answer shows.
type Table struct {
	Call string
	*tools.TableResult
}

// Chart is a chart that the answer shows, or its data where it was not drawn.
type Chart struct {
	Call string
	*tools.ChartResult
}

// Coverage says how complete the notes are that the answer rests on.
type Coverage struct {
	Words   []Phrase // sentences
	Missing bool     // something is missing: Who and Try again are offered
	Since   time.Time
	Until   time.Time // zero: now
	Summary tools.CoverageSummary
}

// Notice is a line about the turn's course.
type Notice struct {
	Name    string // "thinking", "retrying", "stopped", "interrupted", "cut", "waiting", "asked"
	Words   Phrase
	Then    Phrase // what happens next; empty for nothing
	Actions []Action
}

// Problem is why the turn failed, and what can be done.
type Problem struct {
	Title   Phrase
	Words   []Phrase // sentences
	Actions []Action
	// Wait is how long the server asks to wait; 0 where it does not say, or says what
	// nobody waits for. After it AskAgain may be done without being asked to.
	Wait    time.Duration
	Details string // what is known of it further; cleaned, clamped, "" for nothing
}

// Action is something that a person can do about a turn.
type Action string

// The actions.
const (
	AskAgain     Action = "again"
	GoOn         Action = "go-on" // where the turn was cut off; only the last one of a chat can
	Reply        Action = "reply" // to what the turn waits for, as GoOn does
	AddKey       Action = "add-key"
	EnterKey     Action = "key" // in the place of one that was refused
	UnlockKeys   Action = "unlock"
	AskBuiltin   Action = "builtin"
	AskHere      Action = "here" // of a model on this computer, whichever there is
	ChooseModel  Action = "model"
	CheckAddress Action = "address" // of the model's server, in the settings
	StartServer  Action = "start"   // says how: see StartSteps
	GetModel     Action = "get"     // says how: see GetSteps
	EditQuestion Action = "edit"
	NewChat      Action = "new" // asks there
)

// Foot ends an answer: what can be done with it.
type Foot struct{ Model string }

// Key implements Block.
func (b *Said) Key() string     { return fmt.Sprintf("text:%d", b.Step) }
func (b *Checked) Key() string  { return "checked" }
func (b *Refusal) Key() string  { return fmt.Sprintf("refusal:%d", b.Step) }
func (b *Offer) Key() string    { return fmt.Sprintf("offer:%d", b.Step) }
func (b *Digest) Key() string   { return fmt.Sprintf("digest:%d", b.Step) }
func (b *Thinking) Key() string { return fmt.Sprintf("thinking:%d", b.Step) }
func (b *Work) Key() string     { return fmt.Sprintf("work:%d", b.Step) }
func (b *Sources) Key() string  { return "sources" }
func (b *Table) Key() string    { return "table:" + b.Call }
func (b *Chart) Key() string    { return "chart:" + b.Call }
func (b *Coverage) Key() string { return "coverage" }
func (b *Notice) Key() string   { return "notice:" + b.Name }
func (b *Problem) Key() string  { return "problem" }
func (b *Foot) Key() string     { return "foot" }

// Phrase is a text to translate: Text is the English text and the key of its translations.
// {{.Name}} in it is replaced by a value of Data: a number, a time, [Money], or a cleaned
// text of a stranger.
type Phrase struct {
	Text   string
	Plural bool // Text has plural forms, by Data["Count"]
	Data   map[string]any
}

// phrase returns a phrase with pairs of names and values.
func phrase(text string, pairs ...any) Phrase {
	w := Phrase{Text: text}
	if len(pairs) > 0 {
		w.Data = make(map[string]any, len(pairs)/2)
		for i := 0; i+1 < len(pairs); i += 2 {
			w.Data[pairs[i].(string)] = pairs[i+1]
		}
	}
	return w
}

// plural returns a phrase with plural forms.
func plural(text string, n int, pairs ...any) Phrase {
	w := phrase(text, append(pairs, "Count", n)...)
	w.Plural = true
	return w
}
