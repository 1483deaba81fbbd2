package main

import (
	"errors"
	"fmt"
	"time"

	"bowerbird/app/llm"
	"bowerbird/ndb"
)

// toolLabel says what a tool is doing, to a person.
func toolLabel(name string) string {
	labels := map[string]string{
		"query":         "looking through the notes",
		"present_notes": "gathering the sources",
		"get_note":      "reading a note",
		"get_thread":    "reading a thread",
		"get_profile":   "looking at a profile",
		"find_profile":  "looking for a person",
		"count":         "counting",
		"aggregate":     "counting",
		"coverage":      "checking what is complete",
		"current_time":  "looking at the clock",
		"random_uuid":   "making an id",
		"render_table":  "making a table",
		"render_chart":  "making a chart",
	}
	if label, ok := labels[name]; ok {
		return label
	}
	return "calling " + ndb.CleanLine(name, 64)
}

// errorWords says an error of a model in plain words, and what can be done.
func errorWords(e *llm.Error) string {
	what := map[llm.ErrorKind]string{
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
	}[e.Kind]
	if what == "" {
		what = "the model's server reports an error"
	}
	if e.Message == "" || e.Kind == llm.KindCancelled {
		return what
	}
	return fmt.Sprintf("%s (%s)", what, ndb.CleanLine(e.Message, 300))
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

// numberWords counts things in English.
func numberWords(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
