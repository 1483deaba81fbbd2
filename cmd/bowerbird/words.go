package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"bowerbird/llm"
	"bowerbird/ndb"
	"bowerbird/ui/answers"
)

// toolLabel says what a tool is doing, to a person.
func toolLabel(name string) string {
	p := answers.Doing(name)
	words := strings.ToLower(p.Text[:1]) + p.Text[1:]
	for name, value := range p.Data {
		words = strings.ReplaceAll(words, "{{."+name+"}}", fmt.Sprint(value))
	}
	return words
}

// kindWords say an error of a model in plain words, and what can be done.
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

// causeWords take the place of a kind's where it is known what is behind an error.
var causeWords = map[llm.Cause]string{
	llm.CauseName:        "no server has this name: check how the address is spelled, and whether this computer is online",
	llm.CauseNobody:      "no model's server listens there: check that it is started, and its address; builtin:digest answers without it",
	llm.CauseNoAnswer:    "the model's server does not answer: it may be switched off or in another network, or a firewall holds back what is sent",
	llm.CauseUntrusted:   "the model's server could not prove that it is the one, so nothing was sent: a virus scanner or the network of an office or a hotel may stand in between; a server of your own needs a certificate that this computer trusts",
	llm.CauseExpired:     "the certificate of the model's server does not hold today, so nothing was sent: check this computer's date and time; if they are right, whoever runs the server has to renew it",
	llm.CauseOtherName:   "another server answered in the place of the model's, so nothing was sent: check the address; a network that wants a sign-in first, as in a hotel, does this too",
	llm.CauseCertificate: "the model's server could not prove that it is the one, so nothing was sent: there is something wrong with its certificate",
	llm.CauseNoTLS:       "the model's server has no encrypted connection, so nothing was sent: if it is in your own network, write its address with http://",
	llm.CauseWantsTLS:    "the model's server takes encrypted connections only: write its address with https://",
	llm.CauseTLS:         "the model's server and this computer know no common encryption, so nothing was sent",
	llm.CauseCut:         "the model's server, or something on the way, ended the connection; ask again. A proxy, a firewall or a virus scanner may do that; where the server runs on this computer, its log says more",
	llm.CauseProxy:       "a proxy on the way wants a sign-in, and Bowerbird signs in to none: sign in with your browser, or use another network",
	llm.CauseRedirect:    "the model's server sends on to another one, which got nothing: if that one is right, give its address",
	llm.CausePlainHTTP:   "over the internet others could read the key and your notes, so nothing was sent: write the address with https://",
	llm.CausePolicy:      "nothing was sent: this address is one that is never asked",
}

// errorWords says an error of a model in plain words, and what can be done.
func errorWords(e *llm.Error) string {
	what := cmp.Or(causeWords[e.Cause], kindWords[e.Kind], kindWords[llm.KindAPI])
	if e.Message == "" || e.Kind == llm.KindCancelled {
		return what
	}
	return fmt.Sprintf("%s (%s)", what, ndb.CleanLine(e.Message, 300))
}

// whyAgain says in a few words why a model is asked again; the reason is that of an
// event, an error's kind with the server's words behind it or words alone.
func whyAgain(reason string) string {
	kind, said, _ := strings.Cut(reason, ": ")
	what, known := kindWords[llm.ErrorKind(kind)]
	if i := strings.IndexAny(what, ";:"); i >= 0 {
		what = what[:i] // without what could be done
	}
	if kind == string(llm.KindNoTools) {
		what = "this model is told of its tools in words"
	}
	switch {
	case !known:
		return ndb.CleanLine(reason, 300)
	case said == "":
		return what
	}
	return fmt.Sprintf("%s (%s)", what, ndb.CleanLine(said, 300))
}

// inWords says what a model's server did wrong, if it was that.
func inWords(err error) error {
	var why *llm.Error
	if errors.As(err, &why) {
		return errors.New(errorWords(why))
	}
	return err
}

func localTime(unix int64) string { return time.Unix(unix, 0).Format("2 January 2006 15:04") }

func sizeWords(bytes int64) string {
	switch {
	case bytes >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
	case bytes >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
}

// reachWords says of how many people the notes are complete, and by whose word.
func reachWords(people, complete, partly, not, relays int) string {
	asFar := ""
	switch {
	case complete == 0:
	case relays == 1:
		asFar = " as far as the one relay asked tells"
	default:
		asFar = fmt.Sprintf(" as far as the %d relays asked tell", relays)
	}
	return fmt.Sprintf("%s: %d complete%s, %d partly, %d not reached", peopleWords(people), complete, asFar, partly, not)
}

// leftOutWords say why people are not complete of whom other relays confirmed all.
func leftOutWords(n int) string {
	if n == 1 {
		return "1 of the partly writes to relays of their own, and none of these was asked for all of it."
	}
	return fmt.Sprintf("%d of the partly write to relays of their own, and none of these was asked for all of it.", n)
}

func peopleWords(n int) string {
	if n == 1 {
		return "1 person"
	}
	return fmt.Sprintf("%d people", n)
}

// numberWords counts things in English.
func numberWords(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
