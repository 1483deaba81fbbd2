package present

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"bowerbird/app/models"
	"bowerbird/llm"
	"bowerbird/ndb/clean"
)

// failed is what went wrong between the program and a model's server.
type failed struct {
	What string // in a sentence
	Do   string // what the user can do about it
	Said string // the server's own words; "" if they add nothing
}

// String says all of it in one paragraph.
func (f failed) String() string {
	return sentences(f.What, f.Do, f.Said)
}

// failedRow words a kind of error. {{.Name}} is the name of the server, {{.Host}} its
// address, {{.Model}} the model.
type failedRow struct {
	what, do string
	// here is what to do in place of do where the server runs on this computer.
	here   string
	quoted bool // the server's words are shown
	title  bool // what is a title, without a period
}

// failedKinds has a row for each kind in docs/events.md that the settings can meet.
var failedKinds = map[string]failedRow{
	"auth": {
		what: "{{.Name}} did not accept the key.", do: "Copy all of it again there, and enter it below.",
		here: "It requires the key that it was started with. Enter it below.", quoted: true,
	},
	"billing": {what: "{{.Name}} requires payment.", do: "Check your account there, or choose another model.", quoted: true},
	"rate_limit": {
		what: "It was asked too often.", do: "Wait a little, then test again. Some models have a daily limit.", quoted: true,
	},
	"overloaded": {what: "The model is busy.", do: "It is busy right now. Test again in a little while, or choose another one."},
	"server": {
		what: "The model's server has a problem.", do: "The problem is not on your side and may pass. Test again in a little while.",
		here: "Its own window or log says more. Restarting it often helps, and so does a smaller model if the memory is full.", quoted: true,
	},
	"not_found": {
		what: "{{.Name}} does not know the model {{.Model}}.", do: "Choose one from its list below.",
		here: "Choose one from its list below, or download it there first.", quoted: true,
	},
	"bad_request": {
		what: "The server did not understand the request.",
		do:   "If you set something under “Advanced”, clear it: this model may not support it. Otherwise choose another model.", quoted: true,
	},
	"context_overflow": {
		what: "Even a short question is too much for this model.", do: "Choose a model that reads more at once.",
		here: "Increase how much it reads at once where it was started, or choose another model.", quoted: true,
	},
	"no_tool_support": {
		what: "The model cannot look things up by itself.",
		do:   "Under “Advanced”, let it look things up in the text, or choose another model.", quoted: true,
	},
	"offline": {
		what: "{{.Host}} cannot be reached.", do: "Check whether this computer is online, then test again.",
		here: "Start {{.Name}} on this computer, then test again. If it uses another address, enter that below.",
	},
	"transport": {what: "The connection was lost.", do: "Test again. If this happens each time, something in between may be stopping it: a proxy, a firewall, a virus scanner."},
	"timeout": {
		what: "The model did not answer in time.", do: "Test again in a little while, or choose another model.",
		here: "A large model takes minutes to load. Test again; a smaller one answers sooner.",
	},
	"incomplete":              {what: "The answer was cut off.", do: "Test again. If it is cut off each time, choose another model."},
	"empty":                   {what: "The model returned an empty answer.", do: "Test again. If the answer is empty each time, choose another model."},
	"not_sse":                 {what: "That is not the address of a model's server.", do: "Something else answered there. The address often ends in /v1."},
	"bad_chunk":               {what: "The answer could not be read.", do: "Check whether there is a newer version of the server, or choose another one."},
	"malformed_function_call": {what: "The model made a request that cannot be read.", do: "Test again. If this happens each time, choose another way for it to look things up, under “Advanced”, or choose another model."},
	"nameless_call":           {what: "The model made a request that cannot be read.", do: "Test again. If this happens each time, choose another way for it to look things up, under “Advanced”, or choose another model."},
	"cancelled":               {what: "It was stopped.", do: "Test again."},
	"api":                     {what: "The model's server reports an error.", do: "Test again, or choose another model.", quoted: true},
}

// failedCauses replaces the row of a kind if the cause is known. The chat and the terminal
// use these rows too (see [CauseWords]), so that what is a title, without a period.
var failedCauses = map[llm.Cause]failedRow{
	llm.CauseName: {what: "No server is called {{.Host}}", do: "Check the spelling of the address, and whether this computer is online."},
	llm.CauseNobody: {
		what: "No model server is running at {{.Host}}", do: "Check whether it is running, and the address.",
		here: "Start {{.Name}} on this computer, then test again. If it uses another address, enter that below.",
	},
	llm.CauseNoAnswer: {
		what: "{{.Host}} does not answer",
		do:   "It may be switched off or in another network, or blocked by a firewall. Check whether this computer is online.",
	},
	llm.CauseUntrusted: {
		what: "{{.Host}} could not prove its identity",
		do:   "Its certificate is not signed by anybody this computer trusts, so nothing was sent. A virus scanner, or the network of an office or hotel, may be in between. A server of your own needs a certificate that this computer trusts.",
	},
	llm.CauseExpired: {
		what: "The certificate of {{.Host}} is not valid today",
		do:   "So nothing was sent. Check this computer's date and time. If they are right, the operator of the server has to renew its certificate.",
	},
	llm.CauseOtherName: {
		what: "Another server answered instead of {{.Host}}",
		do:   "Its certificate is for another name, so nothing was sent. Check the address. A network that requires you to sign in first, as in a hotel, does this too.",
	},
	llm.CauseCertificate: {
		what: "{{.Host}} could not prove its identity",
		do:   "There is something wrong with its certificate, so nothing was sent. The operator of the server can fix that.",
	},
	llm.CauseNoTLS: {
		what: "{{.Host}} does not support encrypted connections",
		do:   "Its address begins with https://, but it answers with http only, so nothing was sent. If the server is in your own network, enter its address with http://.",
	},
	llm.CauseWantsTLS: {what: "{{.Host}} only accepts encrypted connections", do: "Its address begins with http://. Enter it with https://."},
	llm.CauseTLS: {
		what: "{{.Host}} and this computer share no encryption method",
		do:   "The server's is too old to be safe, or something is in between, so nothing was sent.",
	},
	llm.CauseCut: {
		what: "{{.Host}} ended the connection",
		do:   "The server did this, or something in between: a proxy, a firewall, a virus scanner. Test again.",
		here: "Its own window or log says more. Restarting it often helps, and so does a smaller model if the memory is full.",
	},
	llm.CauseProxy:     {what: "A proxy requires you to sign in", do: "Bowerbird cannot sign in to a proxy. Sign in with your browser, or use another network."},
	llm.CauseRedirect:  {what: "{{.Host}} redirects to another server", do: "Nothing was sent there. If that is the right server, enter its address.", quoted: true},
	llm.CausePlainHTTP: {what: "The address of the model's server begins with http://", do: "Over the internet, others could read your key and your notes, so nothing was sent. Enter it with https://."},
	llm.CausePolicy:    {what: "Nothing was sent: this address is never allowed", do: "Check the address, or enter another one."},
}

// The rows that take the place of others, by whom was asked for what.
var (
	nobodyHere = failedRow{what: "{{.Name}} does not answer on this computer."}
	noList     = failedRow{what: "There is no list of models at this address.", do: "Check the address; it often ends in /v1. If you know a model's name, type it and press Enter."}
	wantsKey   = failedRow{what: "The server requires a key.", do: "Enter the key that the server was set up with, or that you were given for it."}
)

// Failure words what went wrong between the program and a model's server, and what can be
// done. The server's own words are cleaned and shortened.
func (w Words) Failure(err error, at models.State) failed {
	var local *models.LocalOnlyError
	if errors.As(err, &local) {
		return failed{What: w.say("Nothing was sent."), Do: w.stays(local.Host)}
	}
	f := modelError(err)
	row, known := failedRowOf(f, at)
	if !known {
		return failed{What: w.say("This did not work: {{.Reason}}", "Reason", clean.Line(err.Error(), 300))}
	}
	out := failed{What: w.filled(row.what, at), Do: w.filled(row.do, at)}
	if row.title {
		out.What += "."
	}
	if at.Host == "" && row.here != "" {
		out.Do = w.filled(row.here, at)
	}
	if f.Kind == llm.KindRateLimit && f.RetryAfterSeconds > 0 {
		out.Do = w.count(int(math.Ceil(f.RetryAfterSeconds)), "It asks to wait 1 second.", "It asks to wait {{.N}} seconds.")
	}
	if said := clean.Line(f.Message, 160); said != "" && row.quoted {
		out.Said = w.say("It said: “{{.Text}}”.", "Text", Isolate(said))
	}
	return out
}

// modelError returns the kind and cause of an error, which need not be an [llm.Error].
func modelError(err error) *llm.Error {
	known := llm.Error{Cause: llm.CauseOf(err)}
	var e *llm.Error
	switch {
	case errors.As(err, &e):
		known.Kind, known.Message, known.RetryAfterSeconds = e.Kind, e.Message, e.RetryAfterSeconds
	case errors.Is(err, context.Canceled): // before it was asked, while its key was looked for
		known = llm.Error{Kind: llm.KindCancelled}
	}
	return &known
}

// failedRowOf finds the row of a failure.
func failedRowOf(f *llm.Error, at models.State) (failedRow, bool) {
	row, known := failedKinds[string(f.Kind)]
	// The known name of a provider is spelled correctly, so the network is down.
	misspelled := f.Cause != llm.CauseName || at.Host != at.Provider.Host
	if near, ok := failedCauses[f.Cause]; ok && misspelled {
		row, known = near, true
		row.title = true
	}
	asked := at.Name != "" && at.Name != askedForList
	switch {
	case !known:
	case f.Kind == llm.KindNotFound && !asked:
		row = noList
	case f.Kind == llm.KindAuth && !at.Provider.NeedsKey:
		row.what, row.do, row.here = wantsKey.what, wantsKey.do, ""
	case at.Host == "" && at.Provider.Local && (f.Kind == llm.KindOffline || f.Cause == llm.CauseNobody):
		row.what, row.title = nobodyHere.what, false
	}
	return row, known
}

// WhatFailed returns what a kind of a model's error is, in English, which is the key of its
// translations; "" for a kind without a row.
func WhatFailed(kind string) string { return failedKinds[kind].what }

// CauseWords returns the cause of a model's error and what can be done about it, in
// English like WhatFailed; both are "" for a cause without a row. In title, {{.Host}} is
// the model's server.
func CauseWords(cause llm.Cause) (title, remedy string) {
	row := failedCauses[cause]
	return row.what, row.do
}

// askedForList is the name of the model in requests for a list.
const askedForList = "?"

// filled translates a text about a model's server.
func (w Words) filled(text string, at models.State) string {
	if text == "" {
		return ""
	}
	name := w.providerName(at.Provider)
	if at.Provider.NeedsAddress || name == "" {
		name = w.say("The server")
	}
	host := at.Host
	if host == "" {
		host = w.say("this computer")
	}
	pairs := []any{}
	for place, value := range map[string]string{"Name": name, "Host": host, "Model": Isolate(clean.Line(at.Name, 80))} {
		if strings.Contains(text, "{{."+place+"}}") {
			pairs = append(pairs, place, value)
		}
	}
	return w.say(text, pairs...)
}

// kindWords word the errors of a model for the terminal.
var kindWords = map[llm.ErrorKind]string{
	llm.KindAuth:          "the model's server does not accept the API key; set another one with \"bowerbird model key\"",
	llm.KindBilling:       "the model's server wants payment: check your account there",
	llm.KindRateLimit:     "the model's server was asked too often; try again in a while",
	llm.KindOverloaded:    "the model's server is overloaded; try again in a while",
	llm.KindServer:        "the model's server has an error of its own; try again, or choose another model",
	llm.KindNotFound:      "the server does not know this model; see \"bowerbird model list\"",
	llm.KindBadRequest:    "the model's server did not understand the request; choose another model, or report this",
	llm.KindContext:       "the question and its notes are too long for this model; ask about a shorter time, or choose a model with a larger window",
	llm.KindNoTools:       "this model cannot use tools, which it needs to read your notes; choose another one",
	llm.KindOffline:       "the model's server cannot be reached: is it started, and is this computer online? builtin:digest answers without it",
	llm.KindTransport:     "the connection to the model's server broke; ask again",
	llm.KindTimeout:       "the model's server did not answer in time; try again, or choose another model",
	llm.KindIncomplete:    "the answer broke off; ask again",
	llm.KindEmpty:         "the model answered nothing; ask again, or choose another model",
	llm.KindNotSSE:        "the server did not answer like a model's server; check its address (it often ends in /v1)",
	llm.KindBadChunk:      "the server sent what cannot be read; ask again, or choose another model",
	llm.KindMalformedCall: "the model called a tool in a way that cannot be read; ask again, or choose another model",
	llm.KindNamelessCall:  "the model called a tool without saying which; ask again, or choose another model",
	llm.KindCancelled:     "stopped",
	llm.KindAPI:           "the model's server reports an error",
}

// causeWords replaces those rows of [CauseWords] that name a place on the screen, or need
// the name of the server.
var causeWords = map[llm.Cause]string{
	llm.CauseName:     "no server has this name: check how the address is spelled, and whether this computer is online",
	llm.CauseNobody:   "no model server is running there: check that it is started, and its address; builtin:digest answers without it",
	llm.CauseNoAnswer: "the model's server does not answer: it may be switched off or in another network, or blocked by a firewall",
	llm.CauseCut:      "the model's server, or something in between, ended the connection; ask again. A proxy, a firewall or a virus scanner may do that; if the server runs on this computer, its log says more",
}

// ErrorWords words an error of a model in a line for the terminal, with what can be done.
func ErrorWords(e *llm.Error) string {
	what := cmp.Or(causeWords[e.Cause], kindWords[e.Kind], kindWords[llm.KindAPI])
	if title, remedy := CauseWords(e.Cause); causeWords[e.Cause] == "" && title != "" {
		title = strings.ReplaceAll(title, "{{.Host}}", "the model's server")
		what = strings.ToLower(title[:1]) + title[1:] + ". " + strings.TrimSuffix(remedy, ".")
	}
	if e.Message == "" || e.Kind == llm.KindCancelled {
		return what
	}
	return fmt.Sprintf("%s (%s)", what, clean.Line(e.Message, 300))
}

// WhyAgain words in a few words why a model is asked again. reason is that of an event:
// the kind of an error followed by the server's words, or words alone.
func WhyAgain(reason string) string {
	if names, refused := strings.CutPrefix(reason, llm.ToolRefused); refused {
		return fmt.Sprintf("without %s, which the model's provider does not accept", clean.Line(names, 300))
	}
	kind, said, _ := strings.Cut(reason, ": ")
	what, known := kindWords[llm.ErrorKind(kind)]
	if i := strings.IndexAny(what, ";:"); i >= 0 {
		what = what[:i] // without what could be done
	}
	if kind == string(llm.KindNoTools) {
		what = "this model gets its tools described as text"
	}
	switch {
	case !known:
		return clean.Line(reason, 300)
	case said == "":
		return what
	}
	return fmt.Sprintf("%s (%s)", what, clean.Line(said, 300))
}
