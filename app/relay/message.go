package relay

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"bowerbird/ndb/nostr"
)

type label string

const (
	labelEvent  label = "EVENT"
	labelEOSE   label = "EOSE"
	labelClosed label = "CLOSED"
	labelNotice label = "NOTICE"
	labelNegMsg label = "NEG-MSG"
	labelNegErr label = "NEG-ERR"
)

// message is a message of a relay. Which fields are set depends on the label.
type message struct {
	label label
	sub   string // EVENT, EOSE, CLOSED, NEG-MSG, NEG-ERR
	event []byte // EVENT: not parsed yet
	text  string // CLOSED, NOTICE, NEG-MSG, NEG-ERR: as the relay wrote it
	hint  string // EOSE: NIP-67's "finish" or "more", otherwise ""
}

// parseMessage parses a message. It is strict about what affects the connection (labels,
// subscription ids, that it is one JSON array) and lenient about the rest: a reason that is
// missing or not a string, further elements, and labels of other NIPs are no errors.
func parseMessage(frame []byte) (message, error) {
	var parts []json.RawMessage
	if err := json.Unmarshal(frame, &parts); err != nil {
		return message{}, fmt.Errorf("read message: %w", err)
	}
	name, ok := stringAt(parts, 0)
	if !ok {
		return message{}, errors.New("read message: it does not start with a label")
	}
	m := message{label: label(name)}
	if m.label == "NEG-ERROR" { // as khatru writes it
		m.label = labelNegErr
	}
	switch m.label {
	case labelEvent, labelEOSE, labelClosed, labelNegMsg, labelNegErr:
		if m.sub, ok = stringAt(parts, 1); !ok {
			return message{}, fmt.Errorf("read %s: no subscription id", m.label)
		}
	}
	switch m.label {
	case labelEvent:
		if len(parts) != 3 {
			return message{}, fmt.Errorf("read EVENT: %d elements, want 3", len(parts))
		}
		m.event = parts[2]
	case labelEOSE:
		m.hint, _ = stringAt(parts, 2)
	case labelClosed, labelNegMsg, labelNegErr:
		m.text = textAt(parts, 2)
	case labelNotice:
		m.text = textAt(parts, 1)
	}
	return m, nil
}

func stringAt(parts []json.RawMessage, i int) (string, bool) {
	if i >= len(parts) || len(parts[i]) == 0 || parts[i][0] != '"' {
		return "", false
	}
	var s string
	return s, json.Unmarshal(parts[i], &s) == nil
}

// textAt returns text for people: the content of a string, otherwise the JSON itself.
func textAt(parts []json.RawMessage, i int) string {
	if s, ok := stringAt(parts, i); ok {
		return s
	}
	if i < len(parts) {
		return string(parts[i])
	}
	return ""
}

func reqMessage(sub string, filters []nostr.Filter) ([]byte, error) {
	parts := []any{"REQ", sub}
	for _, f := range filters {
		parts = append(parts, f)
	}
	data, err := json.Marshal(parts)
	if err != nil {
		return nil, fmt.Errorf("write REQ: %w", err)
	}
	return data, nil
}

func closeMessage(sub string) []byte {
	return []byte(`["CLOSE","` + sub + `"]`) // our ids are hex
}

// clean makes a stranger's text safe for one line of a log or a window, at most limit
// bytes: without control, format (bidirectional, zero width, tag) and private characters,
// invalid UTF-8, and line ends.
func clean(s string, limit int) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			r = ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co):
			continue
		}
		if b.Len()+utf8.RuneLen(r) > limit {
			break
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String())
}

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
