package answers

import (
	"cmp"

	"bowerbird/app/models"
	"bowerbird/llm"
	"bowerbird/ui/present"
)

// causeProblems are the rows that take the place of a kind's, where it is known what
// is behind an error between this computer and a server. Those without a text have that
// of present.RemedyFor.
var causeProblems = map[llm.Cause]problemRow{
	llm.CauseName: {
		title: "No server is called {{.Host}}", text: "Check the spelling of its address in the settings, and whether this computer is online.",
		actions: []Action{CheckAddress, AskAgain, AskHere},
	},
	llm.CauseNobody: {
		title: "No model server is running at {{.Host}}", text: "Check whether it is running, and its address in the settings.",
		actions: []Action{AskAgain, CheckAddress, AskBuiltin},
	},
	llm.CauseNoAnswer: {
		title: "{{.Host}} does not answer", text: "It may be switched off or in another network, or blocked by a firewall. Is this computer online?",
		actions: []Action{AskAgain, AskHere, ChooseModel},
	},
	llm.CauseUntrusted: {
		title:   "{{.Host}} could not prove its identity",
		actions: []Action{AskAgain, AskBuiltin, ChooseModel},
	},
	llm.CauseExpired: {
		title:   "The certificate of {{.Host}} is not valid today",
		actions: []Action{AskAgain, AskBuiltin, ChooseModel},
	},
	llm.CauseOtherName: {
		title:   "Another server answered instead of {{.Host}}",
		actions: []Action{CheckAddress, AskAgain, AskBuiltin},
	},
	llm.CauseCertificate: {
		title:   "{{.Host}} could not prove its identity",
		actions: []Action{AskAgain, AskBuiltin, ChooseModel},
	},
	llm.CauseNoTLS: {
		title:   "{{.Host}} does not support encrypted connections",
		actions: []Action{CheckAddress, AskBuiltin, AskAgain},
	},
	llm.CauseWantsTLS: {
		title:   "{{.Host}} only accepts encrypted connections",
		actions: []Action{CheckAddress, AskBuiltin, AskAgain},
	},
	llm.CauseTLS: {
		title:   "{{.Host}} and this computer share no encryption method",
		actions: []Action{AskAgain, AskBuiltin, ChooseModel},
	},
	llm.CauseCut: {
		title: "{{.Host}} ended the connection", text: "The server did this, or something in between: a proxy, a firewall, a virus scanner.",
		actions: []Action{AskAgain, AskBuiltin, ChooseModel}, kept: true,
	},
	llm.CauseProxy: {
		title:   "A proxy requires you to sign in",
		actions: []Action{AskAgain, AskHere, ChooseModel},
	},
	llm.CauseRedirect: {
		title: "{{.Host}} redirects to another server", quoted: true,
		actions: []Action{CheckAddress, AskBuiltin, AskAgain},
	},
	llm.CausePlainHTTP: {
		title:   "The address of the model's server begins with http://",
		actions: []Action{CheckAddress, AskBuiltin},
	},
	llm.CausePolicy: {
		title:   "Nothing was sent: this address is never allowed",
		actions: []Action{CheckAddress, AskBuiltin},
	},
}

// hereCauses are the rows that are others where the server is on this computer.
var hereCauses = map[llm.Cause]problemRow{
	llm.CauseNobody: hereProblems["offline"],
	llm.CauseCut: {
		title: "{{.Server}} ended the connection", text: "It runs on this computer: its own window or log says more. Restarting it often helps, and so does a smaller model if the memory is full.",
		actions: []Action{AskAgain, StartServer, AskBuiltin, ChooseModel}, kept: true,
	},
}

// causeRow returns what is said of what is behind an error.
func causeRow(f failure, t Turn) (problemRow, bool) {
	if row, other := hereCauses[f.cause]; other && t.here() {
		return row, true
	}
	if f.cause == llm.CauseName && t.Host == models.NameOf(t.Model).Host {
		return problems["offline"], true // a provider's own name is spelled right: it is the network
	}
	row, known := causeProblems[f.cause]
	row.text = cmp.Or(row.text, present.RemedyFor(f.cause))
	return row, known
}
