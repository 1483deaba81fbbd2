// Package builtin is the model without a language model: builtin:digest, a plain program
// behind [llm.Model] that answers questions about the user's notes on a new computer,
// offline and without a key.
//
// app/builtin/question reads the question, in the languages of app/builtin/language. The
// model calls the same tools through the same agent as every other model, and composes its
// answer from the notes' own sentences. docs/digest.md describes how.
//
// It promises that
//   - every quotation is in the note cited behind it, word for word;
//   - the order of topics depends on how many different people the user follows took part,
//     and on nothing that a stranger can do;
//   - the same notes and the same question give the same answer;
//   - a question that it cannot read is answered with what can be asked, never with a guess.
//
// Finding notes, names and coverage is left to the tools; running calls, showing notes and
// linking ^1 to the agent and the window. It keeps no state between requests, each of which
// contains the whole turn, but for a draft that spares the next step computing it again.
//
//	model := builtin.New(builtin.Options{Me: func() string { return key }})
//	a, err := agent.New(agent.Options{Model: model, Tools: tools.BuiltinTools()})
package builtin

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"bowerbird/app/builtin/language"
	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/llm"
	"bowerbird/tools"
)

// Options give the model what a language model gets in its prompt. The functions are called
// again in each turn.
type Options struct {
	Now       func() time.Time      // default time.Now
	Zone      func() *time.Location // the user's zone; default the machine's
	LastVisit func() time.Time      // when the user was last here; zero or nil: unknown
	// Me returns the user's public key as 64 hex digits, "" if no account is chosen. The
	// user's own notes are read but are no news to them.
	Me func() string
	// Seen reports whether the user was shown a note before this turn, by its id as hex;
	// nil: unknown.
	Seen func(id string) bool
	// Syncing reports whether notes are arriving right now; nil: no.
	Syncing func() bool
	// Fetching returns the state of fetching the user's follows; nil: FetchByHand.
	Fetching func() Fetching
	// Language returns the language of the window, "en" or "de", in which a short question
	// is answered; "" or nil: the question's own.
	Language func() string
	Scope    Scope
	Sample   bool // the notes are made up: no relay is asked for them
}

// Model is builtin:digest. It may be used from any goroutine.
type Model struct {
	*languages
	opt    Options
	quoter *quoter
	made   atomic.Pointer[made]
}

// New returns the model.
func New(opt Options) *Model { return newModel(opt, ownLanguages()) }

func newModel(opt Options, in *languages) *Model {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	orElse(&opt.Zone, time.Local)
	orElse(&opt.LastVisit, time.Time{})
	orElse(&opt.Me, "")
	orElse(&opt.Syncing, false)
	orElse(&opt.Fetching, FetchByHand)
	orElse(&opt.Language, "")
	return &Model{opt: opt, languages: in, quoter: newQuoter()}
}

// orElse makes an option that is not given return a fixed value.
func orElse[T any](option *func() T, value T) {
	if *option == nil {
		*option = func() T { return value }
	}
}

// Info implements [llm.Model]. Nothing leaves this computer, and results are read as
// values, uncut.
func (m *Model) Info() llm.Info {
	return llm.Info{Provider: "builtin", Name: "digest", Typed: true, Steps: maxSteps}
}

// Stream implements [llm.Model]: it answers with the calls of the next step, or with the
// text. Its only error is that of a cancelled context.
func (m *Model) Stream(ctx context.Context, req *llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		t := m.readTurn(ctx, req)
		text := m.answer(t)
		if err := ctx.Err(); err != nil {
			yield(llm.Event{}, &llm.Error{Kind: llm.KindCancelled, Message: "the digest was cancelled", Err: err})
			return
		}
		for _, ev := range t.events(text) {
			if !yield(ev, nil) {
				return
			}
		}
	}
}

// events returns what the model emits in this step: its calls, or the text line by line.
func (t *turn) events(text string) []llm.Event {
	var evs []llm.Event
	echo := map[string]json.RawMessage{echoNow: strconv.AppendInt(nil, t.calendar.Now.Unix(), 10)}
	evs = append(evs, llm.Event{Type: llm.EventEcho, Echo: echo})
	if len(t.pending) > 0 {
		for i := range t.pending {
			evs = append(evs, llm.Event{Type: llm.EventToolCall, Call: &t.pending[i]})
		}
		return append(evs, llm.Event{Type: llm.EventFinish, Finish: "tool_calls"})
	}
	for line := range strings.Lines(text) {
		evs = append(evs, llm.Event{Type: llm.EventText, Delta: line})
	}
	return append(evs, llm.Event{Type: llm.EventFinish, Finish: "stop"})
}

// answer replays the plan of the question from its start. Results of earlier steps are
// there at once; what is still unknown becomes the calls of this step, and the text is
// discarded.
func (m *Model) answer(t *turn) string {
	asked := m.parser.Read(t.question, t.calendar, t.talk(m.opt.Language()))
	q := asked.On(m.opt.Scope.Thread, m.opt.Scope.Person)
	if t.waiting() { // for whether a word is somebody's name
		return ""
	}
	p := &plan{Model: m, turn: t, q: q, words: inWindow(m.words[q.Lang], m.opt.Fetching()), texts: &m.words[q.Lang].Asked, me: m.opt.Me()}
	if m.opt.Scope.Everyone {
		p.words, p.stored = forEveryone(p.words)
	}
	if q.Articles {
		ofArticles := *p.words
		ofArticles.Note, ofArticles.ColNotes = p.texts.Article, p.texts.ColArticles
		p.words = &ofArticles
	}
	if noun, ok := p.nouns()[q.Intent]; ok {
		ofThese := *p.words
		ofThese.Note = noun
		p.words = &ofThese
	}
	p.q.Person, p.q.Other, p.q.Topic = asTyped(q.Person, t.question), asTyped(q.Other, t.question), asTyped(q.Topic, t.question)
	if p.settleName(); p.waiting() {
		return ""
	}
	if p.settleLoose(); p.waiting() {
		return ""
	}
	w := p.windowOrDefault()
	unknownVisit := p.q.Window.ByVisit && !w.ByVisit
	if unknownVisit && (q.Intent == question.Search || q.Intent == question.FindThread) {
		p.q.Window = w
		p.q.Window.Asked = true
	}
	text := p.reply()
	if p.q.Except != "" && !p.leavesOut() {
		p.q.Passed = append(p.q.Passed, p.q.Except)
	}
	if unknownVisit && !p.waiting() && slices.Contains([]question.Intent{question.Search, question.FindThread, question.ForMe, question.Conversed}, q.Intent) { // the others say so themselves
		text = strings.TrimRight(text, "\n") + "\n\n" + words.Fill(p.words.NoVisit, "window", p.words.Window(w, p.calendar.Now)) + "\n"
	}
	if passed := p.passed(); passed != "" && !p.waiting() && !offersOnly(text) {
		text = passed + "\n\n" + text
	}
	if p.q.Except != "" && p.leavesOut() && !p.waiting() && !offersOnly(text) {
		text = words.Fill(p.texts.LeftOut, "words", p.inMarks([]string{p.q.Except})) + "\n\n" + text
	}
	if q.Unread != "" {
		text = strings.TrimRight(text, "\n") + "\n\n" + words.Fill(p.texts.Second, "question", label(q.Unread, 100)) + "\n"
	}
	return text
}

// offersOnly reports whether an answer only lists what can be asked.
func offersOnly(text string) bool {
	_, is := ReadOffer(text)
	return is
}

// passed names the words of the question that the answer takes no account of.
func (p *plan) passed() string {
	if len(p.q.Passed) == 0 || p.q.Intent == question.Unknown {
		return ""
	}
	return words.Fill(p.texts.Passed, "words", p.inMarks(p.q.Passed))
}

// nouns are what notes are called in the answers to questions about some of them.
func (p *plan) nouns() map[question.Intent]words.Noun {
	unanswered := p.texts.NoAnswer
	if p.q.Questions {
		unanswered = p.texts.NoAnswerAsked
	}
	return map[question.Intent]words.Noun{question.Pictures: p.texts.Picture, question.Links: p.texts.Link, question.Unanswered: unanswered}
}

// asTyped returns a part of a question, which was read in lower case, as the user typed it.
func asTyped(part, question string) string {
	low := strings.ToLower(question)
	if i := strings.Index(low, part); i >= 0 && len(low) == len(question) {
		return question[i : i+len(part)]
	}
	return part
}

// reply answers the question.
func (p *plan) reply() string {
	if w := p.q.Window; w.Asked && w.Until.Before(oldest(p.calendar)) && !slices.Contains([]question.Intent{question.Help, question.Cannot, question.Unknown}, p.q.Intent) {
		return p.wordByWord(words.Fill(p.words.Nothing, "window", p.words.Window(w, p.calendar.Now)))
	}
	if p.q.Form == question.AsTable && slices.Contains([]question.Intent{question.Digest, question.Articles, question.Pictures, question.Links, question.Unanswered}, p.q.Intent) {
		return p.noteTable()
	}
	switch p.q.Intent {
	case question.Digest:
		return p.digest()
	case question.Search:
		return p.search()
	case question.Thread:
		return p.thread()
	case question.LaterStory:
		return p.story()
	case question.LongestThread:
		return p.longestThread()
	case question.TopHashtags:
		return p.hashtags()
	case question.TopPosters:
		if p.q.Kinds != 0 || p.q.Hours != (question.Hours{}) {
			return p.tally()
		}
		return p.ranking("author", p.words.PostersTitle, func(b tools.AggregateBucket) string {
			return personName(b.Label, b.Key)
		})
	case question.Partners:
		return p.tally()
	case question.Count:
		return p.count()
	case question.WhoIs:
		return p.whoIs()
	case question.ForMe:
		return p.forMe()
	case question.Series:
		return p.series()
	case question.Popular:
		return p.popular()
	case question.Following:
		return p.following()
	case question.Compared:
		return p.compare()
	case question.Articles, question.Pictures, question.Links, question.Unanswered, question.Latest:
		return p.listNewest()
	case question.Quiet:
		return p.quiet()
	case question.Conversed:
		return p.conversed()
	case question.FindThread:
		return p.findThread()
	case question.Help:
		if p.q.Thanks {
			return p.texts.Welcome + "\n"
		}
		return p.help()
	case question.Cannot:
		if p.q.TooLong {
			return p.near(p.texts.TooLong)
		}
		if p.q.Followers {
			return p.near(p.texts.Followers)
		}
		if p.q.Outside {
			return p.near(p.texts.Outside)
		}
		return p.near(p.texts.Cannot)
	default:
		return p.held()
	}
}

// plan is one question on its way to an answer.
type plan struct {
	*Model
	*turn
	q     question.Question
	words *words.Texts
	texts *words.Asking
	// stored states how complete all stored notes are; "" if the question is about the
	// people followed.
	stored string
	me     string
	who    *tools.ProfileResult // the person the question is about; nil for none
	anyOf  string               // a search for any word of the topic, if no note has all of them
}

// languages are what the model reads and writes.
type languages struct {
	parser  *question.Reader
	grammar *grammar
	words   map[string]*words.Texts
}

func makeLanguages(all []*language.Language) *languages {
	return &languages{parser: question.New(language.Lexicons(all)), grammar: newGrammar(all), words: language.Answers(all)}
}

// ownLanguages are the languages of this program, loaded with the first question.
var ownLanguages = sync.OnceValue(func() *languages { return makeLanguages(language.All()) })

// Tongue is the language in which a question is answered, for what the program itself
// writes beside an answer of any model.
type Tongue struct{ words *words.Texts }

// TongueOf returns the language in which a question is answered if the window is in
// another; "" or "en": the window is in English.
func TongueOf(asked, window string) Tongue {
	q := ownLanguages().parser.Read(asked, question.Calendar{Now: time.Now()}, &question.Talk{Lang: window})
	return Tongue{ownLanguages().words[q.Lang]}
}

// Sources is the title of a list of the notes that an answer cites.
func (t Tongue) Sources() string { return t.words.Sources }

// When formats a time in now's zone, with the year if it is another.
func (t Tongue) When(at, now time.Time) string { return t.words.When(at, now) }

// Day names a day: "Fri 20 Nov".
func (t Tongue) Day(at time.Time) string { return t.words.OnDay(at) }
