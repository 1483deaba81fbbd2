package models

import (
	"context"
	"errors"
	"time"

	"bowerbird/llm"
)

// Failure is what is known of an error between the program and a model's server.
type Failure struct {
	Kind   string        // as docs/events.md names it; "" for an error of another making
	Cause  llm.Cause     // what is behind it
	Said   string        // by the server, or by us; cut short, and a stranger's
	Status int           // of HTTP; 0 when none
	Wait   time.Duration // that the server asks for before the next question; 0: none
}

// FailureOf takes an error of a model apart.
func FailureOf(err error) Failure {
	var e *llm.Error
	switch {
	case errors.As(err, &e):
	case errors.Is(err, context.Canceled): // before it was asked, while its key was looked for
		return Failure{Kind: string(llm.KindCancelled)}
	default:
		return Failure{Cause: llm.CauseOf(err)}
	}
	return Failure{
		Kind: string(e.Kind), Cause: llm.CauseOf(err), Said: e.Message, Status: e.Status,
		Wait: time.Duration(e.RetryAfterSeconds * float64(time.Second)),
	}
}
