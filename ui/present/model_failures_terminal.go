package present

import (
	"cmp"
	"fmt"
	"strings"

	"bowerbird/llm"
	"bowerbird/ndb/clean"
)

// kindWords say an error of a model in a terminal, where the window has Problem for a
// question and Failed for the settings.
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
	llm.CauseNobody:      "no model server is running there: check that it is started, and its address; builtin:digest answers without it",
	llm.CauseNoAnswer:    "the model's server does not answer: it may be switched off or in another network, or blocked by a firewall",
	llm.CauseUntrusted:   "the model's server could not prove its identity, so nothing was sent: a virus scanner, or the network of an office or hotel, may be in between; a server of your own needs a certificate that this computer trusts",
	llm.CauseExpired:     "the certificate of the model's server is not valid today, so nothing was sent: check this computer's date and time; if they are right, its operator has to renew it",
	llm.CauseOtherName:   "another server answered instead of the model's, so nothing was sent: check the address; a network that requires you to sign in first, as in a hotel, does this too",
	llm.CauseCertificate: "the model's server could not prove its identity, so nothing was sent: there is something wrong with its certificate",
	llm.CauseNoTLS:       "the model's server does not support encrypted connections, so nothing was sent: if it is in your own network, write its address with http://",
	llm.CauseWantsTLS:    "the model's server only accepts encrypted connections: write its address with https://",
	llm.CauseTLS:         "the model's server and this computer share no encryption method, so nothing was sent",
	llm.CauseCut:         "the model's server, or something in between, ended the connection; ask again. A proxy, a firewall or a virus scanner may do that; if the server runs on this computer, its log says more",
	llm.CauseProxy:       "a proxy requires you to sign in, and Bowerbird cannot: sign in with your browser, or use another network",
	llm.CauseRedirect:    "the model's server redirects to another one, which received nothing: if that is the right one, give its address",
	llm.CausePlainHTTP:   "over the internet others could read the key and your notes, so nothing was sent: write the address with https://",
	llm.CausePolicy:      "nothing was sent: this address is never allowed",
}

// ErrorWords says an error of a model in a line for a terminal, in plain words and with
// what can be done.
func ErrorWords(e *llm.Error) string {
	what := cmp.Or(causeWords[e.Cause], kindWords[e.Kind], kindWords[llm.KindAPI])
	if e.Message == "" || e.Kind == llm.KindCancelled {
		return what
	}
	return fmt.Sprintf("%s (%s)", what, clean.Line(e.Message, 300))
}

// WhyAgain says in a few words why a model is asked again; the reason is that of an
// event, an error's kind with the server's words behind it or words alone.
func WhyAgain(reason string) string {
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
		return clean.Line(reason, 300)
	case said == "":
		return what
	}
	return fmt.Sprintf("%s (%s)", what, clean.Line(said, 300))
}
