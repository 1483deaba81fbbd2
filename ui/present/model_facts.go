package present

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/llm"
	"bowerbird/ndb/clean"
)

// Fact is something that is known of a model, or that is not known of it.
type Fact struct {
	ID   string // which one: factWindow, …
	What string // "Context window"
	Text string // "32,768 tokens (about 25,000 words)"
	Why  string // in sentences: "As Ollama says."; "" where that needs no word
	Tone Tone   // ToneWarn for what a user may want to change
}

// The facts.
const (
	factWindow  = "window"
	factTools   = "tools"
	factSize    = "size"
	factPrice   = "price"
	factRefused = "refused"
)

// Asked is whether a model's server was asked about the model.
type Asked uint8

// What became of asking.
const (
	NotAsked Asked = iota
	Answered
	Unanswered
)

// Facts says what is known of a model, line by line, each with its reason. at is the
// model, as far as its server's name and place are concerned.
func (w Words) Facts(f models.Facts, at models.State, asked Asked) []Fact {
	if at.Provider.ID == models.Builtin || at.Provider.ID == "" {
		return nil
	}
	facts := []Fact{w.windowFact(f, at, asked), w.toolsFact(f, at)}
	if f.Params > 0 {
		facts = append(facts, w.sizeFact(f, at))
	}
	facts = append(facts, w.priceFact(f, at, asked))
	if len(f.Refuses) > 0 {
		facts = append(facts, w.refusedFact(f))
	}
	return facts
}

// usualWindow is what a model is taken to read at once where nobody said.
const usualWindow = 32_768

// smallWindow is from where on downwards a model reads too little at once for many
// notes.
const smallWindow = 12_000

func (w Words) windowFact(f models.Facts, at models.State, asked Asked) Fact {
	out := Fact{ID: factWindow, What: w.say("Context window")}
	if f.Context == 0 || f.ContextFrom == llm.FromDefault {
		out.Text = w.say("Not known; assumed to be {{.Tokens}}", "Tokens", w.tokens(cmp.Or(f.Context, usualWindow)))
		out.Why = w.unreported(at, asked) + " " + w.say("If you know it, enter it under “Advanced”.")
		return out
	}
	out.Text, out.Why = w.tokens(f.Context), w.source(f.ContextFrom, at)
	if f.MostContext > f.Context {
		out.Why = sentences(out.Why, w.say("The model could read {{.Tokens}}, which takes more memory.", "Tokens", w.tokens(f.MostContext)))
	}
	if f.Context < smallWindow {
		out.Tone = ToneWarn
		out.Why = sentences(out.Why, w.say("That is little: it sees only part of many notes."))
	}
	return out
}

// tokens writes a number of tokens and how many words that is.
func (w Words) tokens(n int) string {
	words := rough(float64(n) * wordsAToken)
	return w.say("{{.Tokens}} tokens (about {{.Words}} words)", "Tokens", w.Number(n), "Words", w.Number(int(words)))
}

// wordsAToken is how many words of usual text a token is.
const wordsAToken = 0.75

// rough rounds to two digits: 24,576 is 25,000.
func rough(x float64) float64 {
	if x < 10 {
		return math.Round(x)
	}
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Round(x/unit) * unit
}

func (w Words) toolsFact(f models.Facts, at models.State) Fact {
	out := Fact{ID: factTools, What: w.say("Looks things up")}
	switch f.Format {
	case config.FormatNone:
		out.Text, out.Tone = w.say("Not at all: it answers without your notes"), ToneWarn
		if f.FormatFrom == llm.FromUser {
			out.Why = w.say("Your choice.")
		}
	case config.FormatNative, "":
		out.Text = w.say("Directly")
		switch f.FormatFrom {
		case llm.FromUser:
			out.Why = w.say("Your choice.")
		case llm.FromServer, llm.FromList:
			out.Why = w.source(f.FormatFrom, at)
		default:
			out.Why = w.say("As most models support. If its server does not, the first question will show it.")
		}
	default:
		out.Text = w.say("In the text: the instructions explain how to ask for notes")
		out.Why = w.textWhy(f, at)
	}
	return out
}

// textWhy words why a model calls its tools in the text.
func (w Words) textWhy(f models.Facts, at models.State) string {
	why := w.say("Models with this name have no other way.")
	switch f.FormatFrom {
	case llm.FromUser:
		why = w.say("Your choice.")
	case llm.FromRefusal:
		why = w.say("Its server refused the standard way.")
	case llm.FromServer, llm.FromList:
		why = w.say("{{.Name}} reports no other way.", "Name", w.serverName(at))
	}
	return sentences(why, w.say("In the format of {{.Manner}}.", "Manner", w.formatName(f.Format)))
}

func (w Words) sizeFact(f models.Facts, at models.State) Fact {
	out := Fact{ID: factSize, What: w.say("Size"), Text: w.parameters(f.Params)}
	if f.ActiveParams > 0 && f.ActiveParams < f.Params {
		out.Text = w.say("{{.All}}, of which {{.Some}} are active at a time", "All", out.Text, "Some", w.billions(f.ActiveParams))
	}
	size := f.Params
	switch {
	case size < 4:
		out.Why = w.say("Very small: fast, but often wrong when a question takes several steps.")
	case size < 12:
		out.Why = w.say("Small: good for short summaries, less so for questions that take several steps.")
	case size < 60:
		out.Why = w.say("Medium: follows most questions well.")
	default:
		out.Why = w.say("Large: for the hardest questions.")
	}
	if at.Host == "" && f.Params >= 12 {
		out.Why = sentences(out.Why, w.say("It takes up about {{.Size}} of memory.", "Size", w.Bytes(int64(f.Params*bytesAParameter*1e9))))
	}
	return out
}

// bytesAParameter is what a parameter takes in memory in the form in which most models
// are run at home.
const bytesAParameter = 0.6

// parameters writes a number of parameters, given in billions.
func (w Words) parameters(billions float64) string {
	return w.say("{{.N}} parameters", "N", w.billions(billions))
}

// billions writes a number of billions, or of millions where there is not one.
func (w Words) billions(n float64) string {
	switch {
	case n < 1:
		return w.say("{{.N}} million", "N", w.decimal(math.Round(n*1000), 0))
	case n < 20:
		return w.say("{{.N}} billion", "N", w.decimal(math.Round(n*10)/10, 1))
	}
	return w.say("{{.N}} billion", "N", w.decimal(math.Round(n), 0))
}

// A usual question, for saying what one costs: tokens that are read and written, all
// steps together.
const (
	usualInput  = 30_000
	usualOutput = 1_000
)

func (w Words) priceFact(f models.Facts, at models.State, asked Asked) Fact {
	out := Fact{ID: factPrice, What: w.say("Costs")}
	switch {
	case f.Price == nil && at.Host == "", f.Price != nil && f.Price.Free() && at.Host == "" && f.PriceFrom != llm.FromUser:
		out.Text = w.say("Nothing: it runs on this computer")
	case f.Price == nil:
		out.Text = w.say("Not known")
		out.Why = w.unreported(at, asked) + " " + w.say("See the price list there. You can enter a price under “Advanced”.")
	case f.Price.Free():
		out.Text, out.Why = w.say("Nothing"), w.source(f.PriceFrom, at)
	default:
		question := (usualInput*f.Price.Input + usualOutput*f.Price.Output) / 1e6
		out.Text = w.say("About {{.Price}} for a typical question", "Price", w.Dollars(question))
		if question < leastDollars {
			out.Text = w.say("Less than {{.Price}} for a typical question", "Price", w.Dollars(leastDollars))
		}
		out.Why = sentences(
			w.say("{{.Input}} per million tokens of input, {{.Output}} per million of output.", "Input", w.Dollars(f.Price.Input), "Output", w.Dollars(f.Price.Output)),
			w.source(f.PriceFrom, at))
	}
	return out
}

// leastDollars is the smallest amount that is said.
const leastDollars = 0.001

// Dollars writes an amount of US dollars, small ones with more digits: "$0.0042".
func (w Words) Dollars(x float64) string {
	if x > 0 && x < leastDollars {
		return w.say("less than {{.Amount}}", "Amount", w.Dollars(leastDollars))
	}
	amount := w.fixed(x, 2)
	switch {
	case x == math.Trunc(x):
		amount = w.fixed(x, 0)
	case x < 0.01:
		amount = w.decimal(x, 4)
	case x < 0.1:
		amount = w.decimal(x, 3)
	}
	return w.say("${{.N}}", "N", amount)
}

func (w Words) refusedFact(f models.Facts) Fact {
	return Fact{
		ID: factRefused, What: w.say("Left out"),
		Text: w.count(len(f.Refuses), "1 part of a question that its server refused", "{{.N}} parts of a question that its server refused"),
		Why:  Isolate(clean.Line(strings.Join(f.Refuses, ", "), 200)),
	}
}

// source words by what something is known.
func (w Words) source(s llm.Source, at models.State) string {
	switch s {
	case llm.FromUser:
		return w.say("Your setting.")
	case llm.FromServer:
		return w.say("Reported by {{.Name}}.", "Name", w.serverName(at))
	case llm.FromList:
		return w.say("From {{.Name}}'s list.", "Name", w.serverName(at))
	case llm.FromName:
		return w.say("From its name.")
	}
	return ""
}

// serverName is what a model's server is called in a sentence.
func (w Words) serverName(at models.State) string {
	if at.Provider.NeedsAddress || at.Provider.Name == "" {
		return w.say("its server")
	}
	return w.providerName(at.Provider)
}

// unreported words that a model's server does not report something.
func (w Words) unreported(at models.State, asked Asked) string {
	switch asked {
	case NotAsked:
		return w.say("Its server has not been asked yet.")
	case Unanswered:
		return w.say("Its server does not answer now.")
	}
	if at.Provider.NeedsAddress || at.Provider.Name == "" {
		return w.say("Its server does not report it.")
	}
	return w.say("{{.Name}} does not report it.", "Name", w.providerName(at.Provider))
}

// sentences joins sentences, without empty ones.
func sentences(all ...string) string {
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return s == "" }), " ")
}
