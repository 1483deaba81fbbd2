package relay

import "strings"

// Kind is why a subscription or a connection ended. A Kind is itself an error,
// so that errors.Is(err, relay.Rejected) tells.
type Kind string

// EOSE is what Sub.Next returns, as io.Reader returns io.EOF, when the relay has
// sent all that it has stored: once on a Live subscription, for ever on a Stored one.
const EOSE Kind = "end of stored events"

// The kinds that end a connection, and all its subscriptions.
const (
	Closed     Kind = "closed"     // by us: Close, or the context ended
	Lost       Kind = "lost"       // the relay closed the connection, or it was cut
	Silent     Kind = "silent"     // no byte for Limits.Dead
	Frame      Kind = "frame"      // a message too long, too slow, binary, or against the protocol
	Misbehaved Kind = "misbehaved" // more bad events than Limits.Bad
)

// The kinds that end one subscription.
const (
	Rejected Kind = "rejected"  // the relay sent CLOSED, or a NOTICE in its place
	NoReply  Kind = "no reply"  // nothing came for Limits.FirstByte
	Stalled  Kind = "stalled"   // nothing more came for Limits.Idle
	TooLong  Kind = "too long"  // no EOSE within Limits.Page
	Overrun  Kind = "overrun"   // more events than the filters' limits allow
	Unruly   Kind = "unruly"    // old events followed the EOSE of a page
	TooLarge Kind = "too large" // our request is longer than the relay takes
)

func (k Kind) Error() string { return string(k) }

// Error is why a connection or a subscription ended.
type Error struct {
	Kind   Kind
	Relay  string // the relay's URL
	Prefix string // for Rejected: NIP-01's machine-readable word, such as "auth-required"; "" when there is none
	Detail string // for a person; what the relay wrote is cleaned and cut
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

// prefixOf returns the machine-readable word that NIP-01 puts before a colon.
func prefixOf(text string) string {
	word, _, found := strings.Cut(text, ":")
	if !found || word == "" || len(word) > 32 || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz-") != "" {
		return ""
	}
	return word
}
