package relay

import "strings"

// Kind is why a subscription or a connection ended. A Kind is itself an error, for
// errors.Is(err, relay.Rejected).
type Kind string

// EOSE is returned by [Sub.Next], as io.EOF is by an io.Reader, at the end of the stored
// events: once by a Live subscription, again and again by a Stored one.
const EOSE Kind = "end of stored events"

// The kinds that end a connection, and all its subscriptions.
const (
	Closed     Kind = "closed"     // by us: Close was called, or the context ended
	Lost       Kind = "lost"       // the relay closed the connection, or it was cut
	Silent     Kind = "silent"     // no byte for Limits.Dead
	Frame      Kind = "frame"      // a message that is too long, too slow, binary, or violates the protocol
	Misbehaved Kind = "misbehaved" // more bad events than Limits.Bad
)

// The kinds that end one subscription.
const (
	Rejected Kind = "rejected"  // the relay sent CLOSED, or a NOTICE instead
	NoReply  Kind = "no reply"  // nothing arrived for Limits.FirstByte
	Stalled  Kind = "stalled"   // nothing more arrived for Limits.Idle
	TooLong  Kind = "too long"  // no EOSE within Limits.Page
	Overrun  Kind = "overrun"   // more events than the filters' limits allow
	Unruly   Kind = "unruly"    // old events after the EOSE of a page
	TooLarge Kind = "too large" // our request is longer than the relay accepts
)

func (k Kind) Error() string { return string(k) }

// Error is why a connection or a subscription ended.
type Error struct {
	Kind   Kind
	Relay  string // the relay's URL
	Prefix string // for Rejected: the machine-readable prefix of NIP-01, such as "auth-required"; "" if there is none
	Detail string // for people; words of the relay are cleaned and cut
	Err    error
}

func (e *Error) Error() string {
	msg := "relay " + e.Relay + ": " + string(e.Kind)
	if e.Detail != "" {
		msg += ": " + e.Detail
	}
	if e.Err != nil {
		msg += ": " + e.Err.Error()
	}
	return msg
}

func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the error's Kind.
func (e *Error) Is(target error) bool {
	kind, ok := target.(Kind)
	return ok && kind == e.Kind
}

// prefixOf returns the machine-readable prefix (NIP-01) of a message; "" if it has none.
func prefixOf(text string) string {
	word, _, found := strings.Cut(text, ":")
	if !found || word == "" || len(word) > 32 || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz-") != "" {
		return ""
	}
	return word
}
