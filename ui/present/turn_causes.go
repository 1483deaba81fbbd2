package present

import "bowerbird/app"

// causeProblems are the rows that take the place of a kind's, where it is known what
// is behind an error between this computer and a server.
var causeProblems = map[app.Cause]problemRow{
	app.CauseName: {
		title: "No server is called {{.Host}}", text: "Look whether its address in the settings is spelled right, and whether this computer is online.",
		actions: []Action{CheckAddress, AskAgain, AskHere},
	},
	app.CauseNobody: {
		title: "No model's server listens at {{.Host}}", text: "Look whether it runs, and whether its address in the settings is right.",
		actions: []Action{AskAgain, CheckAddress, AskBuiltin},
	},
	app.CauseNoAnswer: {
		title: "{{.Host}} does not answer", text: "It may be switched off or in another network, or a firewall holds back what is sent. Is this computer online?",
		actions: []Action{AskAgain, AskHere, ChooseModel},
	},
	app.CauseUntrusted: {
		title:   "{{.Host}} could not prove that it is the one",
		text:    "Nobody whom this computer trusts has signed its certificate, so nothing was sent. A virus scanner or the network of an office or a hotel may stand in between. A server of your own needs a certificate that this computer knows.",
		actions: []Action{AskAgain, AskBuiltin, ChooseModel},
	},
	app.CauseExpired: {
		title:   "The certificate of {{.Host}} does not hold today",
		text:    "So nothing was sent. Look whether this computer's date and time are right. If they are, whoever runs the server has to renew its certificate.",
		actions: []Action{AskAgain, AskBuiltin, ChooseModel},
	},
	app.CauseOtherName: {
		title:   "Another server answered in the place of {{.Host}}",
		text:    "Its certificate is for another name, so nothing was sent. Look whether the address is right. A network that wants you to sign in first, as in a hotel, does this too.",
		actions: []Action{CheckAddress, AskAgain, AskBuiltin},
	},
	app.CauseCertificate: {
		title:   "{{.Host}} could not prove that it is the one",
		text:    "There is something wrong with its certificate, so nothing was sent. Whoever runs the server can mend that.",
		actions: []Action{AskAgain, AskBuiltin, ChooseModel},
	},
	app.CauseNoTLS: {
		title:   "{{.Host}} has no encrypted connection",
		text:    "Its address begins with https://, and what answered there speaks http only, so nothing was sent. If the server is in your own network, enter its address with http://.",
		actions: []Action{CheckAddress, AskBuiltin, AskAgain},
	},
	app.CauseWantsTLS: {
		title: "{{.Host}} takes encrypted connections only", text: "Its address begins with http://. Enter it with https://.",
		actions: []Action{CheckAddress, AskBuiltin, AskAgain},
	},
	app.CauseTLS: {
		title:   "{{.Host}} and this computer know no common encryption",
		text:    "That of the server is too old to be safe, or something on the way stands in between, so nothing was sent.",
		actions: []Action{AskAgain, AskBuiltin, ChooseModel},
	},
	app.CauseCut: {
		title: "{{.Host}} ended the connection", text: "It, or something on the way, did so: a proxy, a firewall, a virus scanner.",
		actions: []Action{AskAgain, AskBuiltin, ChooseModel}, kept: true,
	},
	app.CauseProxy: {
		title: "A proxy on the way wants you to sign in", text: "Bowerbird signs in to no proxy. Sign in with your browser, or use another network.",
		actions: []Action{AskAgain, AskHere, ChooseModel},
	},
	app.CauseRedirect: {
		title: "{{.Host}} sends on to another server", text: "Nothing was sent there. If that one is right, enter its address.", quoted: true,
		actions: []Action{CheckAddress, AskBuiltin, AskAgain},
	},
	app.CausePlainHTTP: {
		title:   "The address of the model's server begins with http://",
		text:    "Over the internet, others on the way could read your key and your notes, so nothing was sent. Enter it with https://.",
		actions: []Action{CheckAddress, AskBuiltin},
	},
	app.CausePolicy: {
		title: "Nothing was sent: this address is one that is never asked", text: "Look at the address, or enter another one.",
		actions: []Action{CheckAddress, AskBuiltin},
	},
}

// hereCauses are the rows that are others where the server is on this computer.
var hereCauses = map[app.Cause]problemRow{
	app.CauseNobody: hereProblems["offline"],
	app.CauseCut: {
		title: "{{.Server}} ended the connection", text: "It runs on this computer: its own window or log says more. Starting it again often helps; so does a smaller model, where the memory is full.",
		actions: []Action{AskAgain, StartServer, AskBuiltin, ChooseModel}, kept: true,
	},
}

// causeRow returns what is said of what is behind an error.
func causeRow(f failure, t Turn) (problemRow, bool) {
	if row, other := hereCauses[f.cause]; other && t.here() {
		return row, true
	}
	if f.cause == app.CauseName && t.Host == app.NameOf(t.Model).Host {
		return problems["offline"], true // a provider's own name is spelled right: it is the network
	}
	row, known := causeProblems[f.cause]
	return row, known
}
