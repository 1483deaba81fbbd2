package answers

import (
	"math"
	"regexp"
	"time"

	"bowerbird/app/models"
)

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
