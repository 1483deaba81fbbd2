package answers

import (
	"cmp"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"bowerbird/app/chats"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/llm"
	"bowerbird/ndb/clean"
	"bowerbird/ui/present"
)

// failure is what is shown of the error of an event.
type failure struct {
	kind    string
	cause   llm.Cause
	message string
	status  int
	wait    float64 // seconds that the server asks for
	said    bool    // there is some of an answer
}

// problemRow is what is shown of a kind of error.
type problemRow struct {
	title, text string // {{.Server}} in them is whose server it is, {{.Host}} where
	quoted      bool   // the server's words are shown
	actions     []Action
	kept        bool // some of an answer may be there, which is kept
}

// problems has a row for each kind in docs/events.md.
var problems = map[string]problemRow{
	"auth":                    {title: "The model did not accept the key", quoted: true, actions: []Action{EnterKey, AskBuiltin, AskAgain}},
	"billing":                 {title: "The model's server requires payment", text: "Check your account there, or choose another model.", quoted: true, actions: []Action{AskAgain, ChooseModel, AskBuiltin}},
	"rate_limit":              {title: "The model was asked too often", quoted: true, actions: []Action{AskAgain, AskBuiltin, ChooseModel}},
	"overloaded":              {title: "The model is busy", text: "It is busy right now. Try again in a little while.", actions: []Action{AskAgain, AskBuiltin, ChooseModel}},
	"server":                  {title: "The model's server has a problem", text: "The problem is not on your side and may pass.", quoted: true, actions: []Action{AskAgain, AskBuiltin, ChooseModel}},
	"not_found":               {title: "The server does not know this model", quoted: true, actions: []Action{ChooseModel, AskBuiltin}},
	"bad_request":             {title: "The model's server did not understand the request", text: "Another model may work.", quoted: true, actions: []Action{ChooseModel, AskBuiltin, AskAgain}},
	"context_overflow":        {title: "This is too much for the model to read at once", text: "Ask in a new chat, or choose a model that can read more.", actions: []Action{NewChat, ChooseModel, AskBuiltin}},
	"no_tool_support":         {title: "This model cannot look into your notes", text: "The settings say how this model looks things up. Set that to automatic there, or choose another model.", quoted: true, actions: []Action{ChooseModel, AskBuiltin, AskAgain}},
	"offline":                 {title: "The model's server cannot be reached", text: "Is this computer online?", actions: []Action{AskAgain, AskHere, ChooseModel}},
	"transport":               {title: "The connection to the model was lost", actions: []Action{AskAgain, AskBuiltin}, kept: true},
	"timeout":                 {title: "The model did not answer in time", actions: []Action{AskAgain, AskBuiltin, ChooseModel}},
	"incomplete":              {title: "The answer was cut off", actions: []Action{AskAgain, AskBuiltin}, kept: true},
	"empty":                   {title: "The model returned an empty answer", actions: []Action{AskAgain, ChooseModel, AskBuiltin}},
	"not_sse":                 {title: "That is not the address of a model's server", text: "The address often ends in /v1.", actions: []Action{CheckAddress, AskBuiltin, AskAgain}},
	"bad_chunk":               {title: "The answer could not be read", actions: []Action{AskAgain, ChooseModel, AskBuiltin}},
	"malformed_function_call": {title: "The model made a request that cannot be read", actions: []Action{AskAgain, ChooseModel, AskBuiltin}},
	"nameless_call":           {title: "The model made a request that cannot be read", actions: []Action{AskAgain, ChooseModel, AskBuiltin}},
	"cancelled":               {title: "The question was cancelled", actions: []Action{AskAgain}},
	"api":                     {title: "The model's server reports an error", quoted: true, actions: []Action{AskAgain, AskBuiltin, ChooseModel}},
}

// hereProblems replaces rows if the server is on this computer.
var hereProblems = map[string]problemRow{
	"offline":    {title: "{{.Server}} is not running on this computer", text: "Start it, then try again.", actions: []Action{StartServer, AskAgain, AskBuiltin, ChooseModel}},
	"server":     {title: "{{.Server}} has a problem", text: "It runs on this computer: restarting it may help.", quoted: true, actions: []Action{AskAgain, StartServer, AskBuiltin, ChooseModel}},
	"overloaded": {title: "{{.Server}} is busy", text: "It may still be reading the model into memory.", quoted: true, actions: []Action{AskAgain, AskBuiltin, ChooseModel}},
	"timeout":    {title: "The model did not answer in time", text: "On this computer a large model can take minutes before its first word. A smaller one is faster.", actions: []Action{AskAgain, ChooseModel, AskBuiltin}},
	"not_found":  {title: "{{.Server}} does not have this model", quoted: true, actions: []Action{GetModel, ChooseModel, AskBuiltin, AskAgain}},
}

// firstOfChat replaces rows for the first question of a chat.
var firstOfChat = map[string]problemRow{
	"context_overflow": {title: "This is too much for the model to read at once", text: "Ask about a shorter time span, or choose a model that can read more.", actions: []Action{EditQuestion, ChooseModel, AskBuiltin}},
}

// rowOf returns the row for an error of a turn.
func rowOf(f failure, t Turn) problemRow {
	if row, known := causeRow(f, t); known {
		return row
	}
	kind := f.kind
	if row, other := hereProblems[kind]; other && t.here() {
		if row.actions[0] == GetModel && len(GetSteps(t.Model)) == 0 {
			row.actions = row.actions[1:]
		}
		return row
	}
	if row, other := firstOfChat[kind]; other && t.Number <= 1 {
		return row
	}
	if row, known := problems[kind]; known {
		return row
	}
	return problems["api"]
}

// here reports whether the turn was sent to a server on this computer.
func (t Turn) here() bool { return t.Host == "" && t.Model != "" && t.Model != config.DefaultModel }

// server names the server that a turn was sent to.
func (t Turn) server() string {
	of := models.NameOf(t.Model)
	return cmp.Or(of.Title, t.Host, clean.Line(of.Name, 60), t.Model)
}

// problemOf words an error of a model, and what can be done.
func problemOf(f failure, t Turn) *Problem {
	row := rowOf(f, t)
	host := cmp.Or(t.Host, t.server())
	p := &Problem{
		Title: phrase(row.title, "Server", t.server(), "Host", host), Actions: row.actions,
		Details: shortened(f.message), Wait: waitFor(f.wait),
	}
	if said := clean.Line(f.message, 160); said != "" && row.quoted {
		status := strconv.Itoa(f.status)
		if f.status > 0 && !strings.Contains(said, status) {
			p.Words = append(p.Words, phrase("{{.Host}} answered “{{.Status}} {{.Text}}”.", "Host", host, "Status", status, "Text", said))
		} else {
			p.Words = append(p.Words, phrase("{{.Host}} answered “{{.Text}}”.", "Host", host, "Text", said))
		}
	}
	if row.text != "" {
		p.Words = append(p.Words, phrase(row.text, "Server", t.server(), "Host", host))
	}
	if row.kept && f.said {
		p.Words = append(p.Words, phrase("The answer so far is kept."))
	}
	if row.quoted && p.Details == clean.Line(f.message, 160) {
		p.Details = "" // the words have all of it
	}
	if p.Wait > 0 {
		p.Words = append(p.Words, waitWords(p.Wait))
	}
	p.Words = append(p.Words, phrase("Your question is kept."))
	if t.Model == config.DefaultModel {
		p.Actions = []Action{AskAgain}
	}
	return p
}

// causes are the reasons for asking again that are worded otherwise than by
// [present.WhatFailed].
var causes = map[string]string{
	"rate_limit":       "The model was asked too often.",
	"offline":          "The model's server cannot be reached.",
	"context_overflow": "That was too much to read at once.",
	"not_sse":          "The answer could not be read.",
	"no_tool_support":  "This model reads about its tools in the text.",
}

// retryNotice words why an answer begins again, and when.
func retryNotice(reason string, after float64) *Notice {
	n := &Notice{Name: "retrying", Words: phrase("Asking again")}
	kind, _, _ := strings.Cut(reason, ": ") // the server's own words follow
	cause := cmp.Or(causes[kind], present.WhatFailed(kind))
	switch {
	case strings.HasPrefix(reason, "^"):
		n.Words = phrase("The model named a source that does not exist.")
	case cause != "" && !strings.Contains(cause, "{{"): // the name of the server is not known here
		n.Words = phrase(cause)
	}
	if after >= 1 {
		n.Then = plural("Asking again in {{.Count}} s", int(math.Ceil(after)))
	} else {
		n.Then = phrase("Asking again")
	}
	return n
}

// obstacles has a row for each obstacle to asking a model.
var obstacles = map[models.Obstacle]problemRow{
	models.KeyMissing:     {title: "This model needs a key", text: "You get one from the provider.", actions: []Action{AddKey, AskBuiltin, ChooseModel}},
	models.AddressMissing: {title: "The address of the model's server is not known", text: "Enter its address in the settings.", actions: []Action{ChooseModel, AskBuiltin}},
	models.ModelUnknown:   {title: "This model is not known", text: "Choose one in the settings.", actions: []Action{ChooseModel, AskBuiltin}},
	models.KeyringLocked:  {title: "The keys are locked", text: "This computer's keyring does not respond. Unlock it, or enter a key in the settings.", actions: []Action{AskAgain, AddKey, AskBuiltin}},
	models.KeysLocked:     {title: "The key file is locked", text: "This model's key is in it.", actions: []Action{UnlockKeys, AskBuiltin, ChooseModel}},
	models.LocalOnlyOn: {
		title: "Nothing was sent from this computer", text: "Your settings do not allow it, and this model is at {{.Host}}, so it was not asked.",
		actions: []Action{AskHere, ChooseModel},
	},
}

// UnaskedTurn returns a turn that could not begin, for an obstacle ("" for none) or
// another error. Its question is not saved.
func UnaskedTurn(head Turn, obstacle models.Obstacle, err error) Turn {
	head.State = chats.Failed
	p := &Problem{
		Title: phrase("The question could not be sent"), Details: shortened(err.Error()),
		Words:   []Phrase{phrase("{{.Text}}", "Text", clean.Line(err.Error(), 300))},
		Actions: []Action{AskAgain, ChooseModel, AskBuiltin},
	}
	if row, known := obstacles[obstacle]; known {
		p.Title, p.Words, p.Actions = phrase(row.title), []Phrase{phrase(row.text, "Host", head.Host)}, row.actions
	}
	if said := clean.Line(err.Error(), 300); p.Words[0].Data["Text"] == said && p.Details == said {
		p.Details = ""
	}
	p.Words = append(p.Words, phrase("Your question is kept."))
	head.Blocks = []Block{p}
	return head
}

// StoppedTurn returns a turn that was stopped before it began. Its question is not saved.
func StoppedTurn(head Turn) Turn {
	head.State = chats.Cancelled
	head.Blocks = []Block{endNotice(chats.Cancelled, false, "", 0)}
	return head
}

// causeProblems replaces the row of a kind if the cause of an error between this computer
// and a server is known. What a row leaves empty is that of [present.CauseWords].
var causeProblems = map[llm.Cause]problemRow{
	llm.CauseName:        {text: "Check the spelling of its address in the settings, and whether this computer is online.", actions: []Action{CheckAddress, AskAgain, AskHere}},
	llm.CauseNobody:      {text: "Check whether it is running, and its address in the settings.", actions: []Action{AskAgain, CheckAddress, AskBuiltin}},
	llm.CauseNoAnswer:    {actions: []Action{AskAgain, AskHere, ChooseModel}},
	llm.CauseUntrusted:   {actions: []Action{AskAgain, AskBuiltin, ChooseModel}},
	llm.CauseExpired:     {actions: []Action{AskAgain, AskBuiltin, ChooseModel}},
	llm.CauseOtherName:   {actions: []Action{CheckAddress, AskAgain, AskBuiltin}},
	llm.CauseCertificate: {actions: []Action{AskAgain, AskBuiltin, ChooseModel}},
	llm.CauseNoTLS:       {actions: []Action{CheckAddress, AskBuiltin, AskAgain}},
	llm.CauseWantsTLS:    {actions: []Action{CheckAddress, AskBuiltin, AskAgain}},
	llm.CauseTLS:         {actions: []Action{AskAgain, AskBuiltin, ChooseModel}},
	llm.CauseCut:         {text: "The server did this, or something in between: a proxy, a firewall, a virus scanner.", actions: []Action{AskAgain, AskBuiltin, ChooseModel}, kept: true},
	llm.CauseProxy:       {actions: []Action{AskAgain, AskHere, ChooseModel}},
	llm.CauseRedirect:    {quoted: true, actions: []Action{CheckAddress, AskBuiltin, AskAgain}},
	llm.CausePlainHTTP:   {actions: []Action{CheckAddress, AskBuiltin}},
	llm.CausePolicy:      {actions: []Action{CheckAddress, AskBuiltin}},
}

// hereCauses replaces rows if the server is on this computer.
var hereCauses = map[llm.Cause]problemRow{
	llm.CauseNobody: hereProblems["offline"],
	llm.CauseCut: {
		title: "{{.Server}} ended the connection", text: "It runs on this computer: its own window or log says more. Restarting it often helps, and so does a smaller model if the memory is full.",
		actions: []Action{AskAgain, StartServer, AskBuiltin, ChooseModel}, kept: true,
	},
}

// causeRow returns the row for the cause of an error.
func causeRow(f failure, t Turn) (problemRow, bool) {
	if row, other := hereCauses[f.cause]; other && t.here() {
		return row, true
	}
	if f.cause == llm.CauseName && t.Host == models.NameOf(t.Model).Host {
		return problems["offline"], true // the known name of a provider is spelled correctly, so the network is down
	}
	row, known := causeProblems[f.cause]
	title, remedy := present.CauseWords(f.cause)
	row.title, row.text = title, cmp.Or(row.text, remedy)
	return row, known
}

// Step is something to do outside of this program: nothing is started from here.
type Step struct {
	Words   Phrase
	Command string // for a terminal; "" for none
}

// StartSteps returns how to start the server of a model on this computer; goos is
// [runtime.GOOS]. There is always at least one step.
func StartSteps(model, goos string) []Step {
	switch models.NameOf(model).Provider {
	case "ollama":
		return startOllama(goos)
	case "lmstudio":
		return []Step{
			{Words: phrase("Open LM Studio, choose a model, and switch the server on under “Developer”.")},
			{Words: phrase("Or in a terminal:"), Command: "lms server start"},
		}
	case "llamacpp":
		return []Step{{Words: phrase("In a terminal, with the file of your model:"), Command: "llama-server --jinja -m model.gguf"}}
	case "vllm":
		return []Step{{Words: phrase("In a terminal, with the name of your model:"), Command: "vllm serve MODEL"}}
	}
	return []Step{{Words: phrase("Start the server the way you set it up.")}}
}

func startOllama(goos string) []Step {
	serve := Step{Words: phrase("Or in a terminal:"), Command: "ollama serve"}
	install := Step{Words: phrase("If it is not installed yet: you get it from ollama.com.")}
	switch goos {
	case "darwin":
		return []Step{{Words: phrase("Open Ollama from the Applications folder.")}, serve, install}
	case "windows":
		return []Step{{Words: phrase("Open Ollama from the Start menu.")}, serve, install}
	}
	serve.Words = phrase("In a terminal:")
	service := Step{Words: phrase("Or, if it was set up as a system service:"), Command: "systemctl start ollama"}
	return []Step{serve, service, install}
}

// plainName matches names that are safe in a command.
var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/-]{0,120}$`)

// GetSteps returns how to download a model; nil if that is not known.
func GetSteps(model string) []Step {
	of := models.NameOf(model)
	if of.Provider != "ollama" || !plainName.MatchString(of.Name) {
		return nil
	}
	return []Step{
		{Words: phrase("In a terminal, once; a model takes up several gigabytes:"), Command: "ollama pull " + of.Name},
		{Words: phrase("Or choose one of the installed ones.")},
	}
}

// longestWait limits how long a server may ask to wait: a longer time is not believed.
const longestWait = 24 * time.Hour

// waitFor returns the wait that a server asks for in seconds; 0 for one that is not
// believed.
func waitFor(asked float64) time.Duration {
	if !(asked >= 1) || asked > longestWait.Seconds() { // NaN too
		return 0
	}
	return time.Duration(math.Ceil(asked)) * time.Second
}

// waitWords words the wait that a server asks for.
func waitWords(d time.Duration) Phrase {
	switch {
	case d <= 2*time.Minute:
		return plural("It asks to wait {{.Count}} s.", int(d/time.Second))
	case d <= 2*time.Hour:
		return plural("It asks to wait about {{.Count}} minutes.", int(math.Round(d.Minutes())))
	}
	return plural("It asks to wait about {{.Count}} hours.", int(math.Round(d.Hours())))
}

// Countdown is when a question is asked again automatically; the zero value is never.
type Countdown struct{ due time.Time }

// The most that a question is asked again after by itself, and how often in a row.
const (
	mostCountdown  = 5 * time.Minute
	MostCountdowns = 3
)

// CountdownOf returns when a failed turn is asked again automatically: only if its server
// asked for a short wait.
func CountdownOf(t Turn, now time.Time) Countdown {
	for _, b := range t.Blocks {
		if p, ok := b.(*Problem); ok && p.Wait > 0 && p.Wait <= mostCountdown {
			return Countdown{now.Add(p.Wait)}
		}
	}
	return Countdown{}
}

// Runs reports whether a question will be asked again.
func (c Countdown) Runs() bool { return !c.due.IsZero() }

// Left returns the seconds that are left, rounded up; 0 when it is time, or for the zero
// value.
func (c Countdown) Left(now time.Time) int {
	if !c.Runs() {
		return 0
	}
	return max(0, int(math.Ceil(c.due.Sub(now).Seconds())))
}
