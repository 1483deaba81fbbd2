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

// StartSteps says how the server of a model on this computer is started; goos is the
// system (runtime.GOOS). There is always at least one step.
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

// plainName matches what may stand in a command as it is.
var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/-]{0,120}$`)

// GetSteps says how a model comes onto this computer; nil where that is not known.
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

// longestWait is what a server may ask to wait before it is no longer believed: a day.
const longestWait = 24 * time.Hour

// waitFor returns how long is waited for what a server asks for.
func waitFor(asked float64) time.Duration {
	if !(asked >= 1) || asked > longestWait.Seconds() { // NaN too
		return 0
	}
	return time.Duration(math.Ceil(asked)) * time.Second
}

// waitWords say how long a server asks to wait.
func waitWords(d time.Duration) Phrase {
	switch {
	case d <= 2*time.Minute:
		return plural("It asks to wait {{.Count}} s.", int(d/time.Second))
	case d <= 2*time.Hour:
		return plural("It asks to wait about {{.Count}} minutes.", int(math.Round(d.Minutes())))
	}
	return plural("It asks to wait about {{.Count}} hours.", int(math.Round(d.Hours())))
}

// Countdown is when a question is asked again by itself; the zero value is never.
type Countdown struct{ due time.Time }

// The most that a question is asked again after by itself, and how often in a row.
const (
	mostCountdown  = 5 * time.Minute
	MostCountdowns = 3
)

// CountdownOf returns when a turn that just failed is asked again by itself: only
// where its server said how long to wait, and that is not long.
func CountdownOf(t Turn, now time.Time) Countdown {
	for _, b := range t.Blocks {
		if p, ok := b.(*Problem); ok && p.Wait > 0 && p.Wait <= mostCountdown {
			return Countdown{now.Add(p.Wait)}
		}
	}
	return Countdown{}
}

// Runs reports whether anything is waited for.
func (c Countdown) Runs() bool { return !c.due.IsZero() }

// Left returns the seconds that are left, rounded up; 0 when it is time, or when
// nothing is waited for.
func (c Countdown) Left(now time.Time) int {
	if !c.Runs() {
		return 0
	}
	return max(0, int(math.Ceil(c.due.Sub(now).Seconds())))
}
