// Package check examines what a language model answered, sentence by sentence, and reports
// what can be checked without understanding it:
//
//   - a sentence that states something cites a presented note, or is marked; headings,
//     introductions, questions, advice, "I found nothing", definitions and the like state
//     nothing;
//   - words in quotation marks are in a note that the sentence cites;
//   - a number of people or notes came from a tool or is in such a note; if a sentence cites
//     notes, the tool counted what the sentence or the notes are about, and every other
//     number of some size is in one of them;
//   - ^n names a presented note;
//   - what only the app can know ("you are up to date") is not claimed by the model, unless
//     it cites a note that may say so about somebody else;
//   - the model's own list of sources, footnotes or drawn frame is left out.
//
// It never reports that a sentence is true. It knows no store, no window and no network, and
// its input may be anything.
//
//	report := check.Text(answer, facts)
//	shown := check.Show(answer, report.Marks, style)
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

// Mark is one finding. Its positions are byte offsets in the text that was checked.
type Mark struct {
	Step  int    `json:"step,omitempty"` // the model call whose text it is; set by [Report.Add]
	Start int    `json:"start"`
	End   int    `json:"end"`
	Kind  Kind   `json:"mark"`
	Text  string `json:"text"`               // what is marked: text[Start:End]
	After int    `json:"sentence_end"`       // the end of the sentence, including its citations
	Note  int    `json:"note,omitempty"`     // QuoteNotFound: the note with similar words
	Says  string `json:"note_has,omitempty"` // these words
	Code  bool   `json:"code,omitempty"`     // it is in a block of code, which ends at After
}

// Note is a presented note; ^1 is the first.
type Note struct {
	Author string // identifies the author
	Name   string // of the author, where it is known
	Text   string // title and content
	Counts []int  // of its answers, likes and the like, as tools gave them
}

// Facts are what an answer is checked against.
type Facts struct {
	Notes  []Note
	Counts []int // reported by tools
	// Of lists, for counts that a tool gave of something in particular, names, keys and
	// words that were searched for.
	Of       map[int][]string
	Names    []string // of the authors of what was read
	Question string   // its words and numbers may be repeated
}

// Report is what was found. Its counts are what was checked, and how much of it passed.
type Report struct {
	Read      int    `json:"notes_read"` // in this turn; set by the caller
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

// Add adds the report of a later text.
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
