// Package check looks at what a language model answered, sentence by sentence, and says
// what can be checked of it without understanding it:
//
//   - a sentence that states something cites a presented note, or is marked; headings,
//     introductions, questions, advice, "I found nothing", what a word means and the like
//     state nothing;
//   - words in quotation marks stand in a note that the sentence cites;
//   - a number of people or notes was given by a tool, or stands in such a note; where a
//     sentence cites notes, the tool gave it for what the sentence or the notes speak of,
//     and every other number of some size stands in one of them;
//   - ^n names a presented note;
//   - what only the app can know ("you are up to date") is not said by the model, unless
//     it cites a note that may say so of somebody else;
//   - a list of sources, footnotes or a drawn frame of the model's own is left out.
//
// It never says that a sentence is true. It knows no store, no window and no network,
// and what it is given by a model or a note may be anything.
package check

// Kind is what is wrong with a piece of an answer.
type Kind string

// The kinds of marks.
const (
	Uncited       Kind = "uncited"
	QuoteNotFound Kind = "quote_not_in_note"
	NumberUnknown Kind = "number_not_given"
	Dangling      Kind = "dangling"
	AppOnly       Kind = "app_only_claim"
	OwnSources    Kind = "own_sources"
)

// Mark is one finding. Its places are bytes of the text that was checked.
type Mark struct {
	Step  int    `json:"step,omitempty"` // the model call that said it; set by who checks several texts
	Start int    `json:"start"`
	End   int    `json:"end"`
	Kind  Kind   `json:"mark"`
	Text  string `json:"text"`               // what is marked: text[Start:End]
	After int    `json:"sentence_end"`       // where the sentence ends, its citations included
	Note  int    `json:"note,omitempty"`     // QuoteNotFound: the note that says something like it
	Says  string `json:"note_has,omitempty"` // its words in the place of Text
	Code  bool   `json:"code,omitempty"`     // it stands in a block of code, which ends at After
}

// Note is a presented note; ^1 is the first.
type Note struct {
	Author string // tells authors apart
	Name   string // of the author, where it is known
	Text   string // title and content
	Counts []int  // of its answers, likes and the like, as tools gave them
}

// Facts are what an answer is held against.
type Facts struct {
	Notes  []Note
	Counts []int // that tools gave
	// Of tells what a count is of, where tools gave it of something alone: names, keys and
	// words that were searched for.
	Of       map[int][]string
	Names    []string // of the authors of what was read
	Question string   // its words and numbers may be repeated
}

// Report is what was found. The numbers count what was looked at, and how much of it
// held.
type Report struct {
	Read      int    `json:"notes_read"` // in this turn; set by who knows
	Sentences int    `json:"sentences"`  // that state something
	Cited     int    `json:"cited"`
	Quotes    int    `json:"quotes"`
	Found     int    `json:"quotes_found"`
	Numbers   int    `json:"numbers"` // of people and of notes
	Given     int    `json:"numbers_given"`
	Marks     []Mark `json:"marks"`
}

// Of returns the marks of a step's text.
func (r *Report) Of(step int) []Mark {
	var marks []Mark
	for _, m := range r.Marks {
		if m.Step == step {
			marks = append(marks, m)
		}
	}
	return marks
}

// Add joins the report of a later text.
func (r *Report) Add(step int, more Report) {
	r.Sentences += more.Sentences
	r.Cited += more.Cited
	r.Quotes += more.Quotes
	r.Found += more.Found
	r.Numbers += more.Numbers
	r.Given += more.Given
	for _, m := range more.Marks {
		m.Step = step
		r.Marks = append(r.Marks, m)
	}
}
