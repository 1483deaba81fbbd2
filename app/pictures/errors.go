package pictures

import (
	"context"
	"errors"
	"net/http"

	"bowerbird/netsafe"
)

// Trouble is why a picture cannot be shown, in words for people.
type Trouble string

// The troubles.
const (
	BadAddress  Trouble = "This picture has no safe address"
	NotFound    Trouble = "The picture is no longer there"
	NoAnswer    Trouble = "The picture's server does not answer"
	Offline     Trouble = "This computer is offline"
	TooLarge    Trouble = "The picture is too large"
	NotAPicture Trouble = "This is not a picture"
	Damaged     Trouble = "The picture is damaged"
	TooSlow     Trouble = "The picture took too long"
)

// Error says why a picture cannot be shown.
type Error struct {
	Trouble Trouble
	Err     error // the cause; nil for none
}

func (e *Error) Error() string {
	if e.Err == nil {
		return string(e.Trouble)
	}
	return string(e.Trouble) + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// Words says it to people, without the cause.
func (e *Error) Words() string { return string(e.Trouble) }

// fetchError says in our words why a picture was not fetched. The caller's own
// cancelling stays what it is.
func fetchError(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	trouble := NoAnswer
	var e *netsafe.Error
	errors.As(err, &e)
	switch {
	case e == nil:
	case e.Kind == netsafe.Refused:
		trouble = BadAddress
	case e.Kind == netsafe.TooLarge:
		trouble = TooLarge
	case e.Kind == netsafe.Offline:
		trouble = Offline
	case e.Kind == netsafe.Timeout:
		trouble = TooSlow
	case e.Kind == netsafe.Status && (e.Status == http.StatusNotFound || e.Status == http.StatusGone):
		trouble = NotFound
	}
	return &Error{trouble, err}
}
