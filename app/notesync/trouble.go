package notesync

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bowerbird/app/relay"
	"bowerbird/netsafe"
)

// Trouble is why a relay answers nothing, or not everything, in categories that a user can
// act on.
type Trouble string

// The troubles.
const (
	NoTrouble    Trouble = ""
	Stopped      Trouble = "stopped"       // by us
	Offline      Trouble = "offline"       // this computer is
	NameUnknown  Trouble = "name unknown"  // its name cannot be resolved
	BadTLS       Trouble = "certificate"   // its certificate is not valid
	NotPermitted Trouble = "not permitted" // our policy refuses the address
	NobodyThere  Trouble = "nobody there"  // nothing accepts connections at the address
	NoAnswer     Trouble = "no answer"     // not in time
	NoRelay      Trouble = "no relay"      // what answers does not speak the protocol
	TurnedAway   Trouble = "turned away"   // it answered the dial with an HTTP status
	WantsLogin   Trouble = "wants login"   // it requires authentication (NIP-42)
	NotForAll    Trouble = "not for all"   // it serves some people only
	AskedTooMuch Trouble = "asked too much"
	Refuses      Trouble = "refuses" // it refuses the request for another reason
	Lost         Trouble = "lost"    // the connection broke
	SendsJunk    Trouble = "sends junk"
	SendsTooMuch Trouble = "sends too much"
	TooLong      Trouble = "too long" // our requests are too long for it
	Unsaid       Trouble = "unsaid"   // anything else
)

// said returns the words of the relay in an error, cleaned but still a stranger's; "" if
// there are none.
func said(err error) string {
	if wrong, ok := errors.AsType[*relay.Error](err); ok {
		return wrong.Detail
	}
	return ""
}

// TroubleOf classifies an error of a relay, and words it.
func TroubleOf(err error) (trouble Trouble, words string) {
	var (
		web   *netsafe.Error
		wrong *relay.Error
	)
	// The relay's error first: a deadline of ours may be its cause.
	switch {
	case err == nil:
		return NoTrouble, ""
	case errors.Is(err, errSlow):
		return NoAnswer, errSlow.Error()
	case errors.As(err, &wrong):
		return troubleOfRelay(wrong)
	case errors.As(err, &web):
		return troubleOfWeb(web)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return Stopped, "the sync was stopped"
	}
	return Unsaid, strings.TrimPrefix(err.Error(), errGivenUp.Error()+": ")
}

func troubleOfRelay(e *relay.Error) (trouble Trouble, words string) {
	detail := ""
	if e.Detail != "" {
		detail = ": " + e.Detail
	}
	switch refused := e.Kind == relay.Rejected; {
	case refused && e.Prefix == "auth-required":
		return WantsLogin, "it requires a login, which Bowerbird does not support yet"
	case refused && e.Prefix == "restricted":
		return NotForAll, "it does not serve everybody" + detail
	case refused && tooMuch(e):
		return AskedTooMuch, "it asked for fewer requests" + detail
	}
	switch e.Kind {
	case relay.Rejected:
		return Refuses, "it refused to answer" + detail
	case relay.NoReply:
		return NoAnswer, "it did not answer in time"
	case relay.Silent, relay.Stalled, relay.TooLong:
		return NoAnswer, "it stopped answering"
	case relay.Lost:
		return Lost, "the connection was lost"
	case relay.Misbehaved:
		return SendsJunk, "it sent too many invalid messages" + detail
	case relay.Frame:
		return SendsJunk, "it sent an invalid message" + detail
	case relay.Overrun, relay.Unruly:
		return SendsTooMuch, "it sent more than was asked for"
	case relay.TooLarge:
		return TooLong, "our requests are too long for it"
	case relay.Closed:
		return Stopped, "the sync was stopped"
	}
	return Unsaid, string(e.Kind) + detail
}

func troubleOfWeb(e *netsafe.Error) (trouble Trouble, words string) {
	cause := ""
	if e.Err != nil {
		cause = ": " + e.Err.Error()
	}
	switch e.Kind {
	case netsafe.Offline:
		return Offline, "this computer is offline"
	case netsafe.DNS:
		return NameUnknown, "no such address"
	case netsafe.TLS:
		return BadTLS, "its certificate is not valid"
	case netsafe.Refused:
		return NotPermitted, "its address is not permitted" + cause
	case netsafe.Unreachable:
		return NobodyThere, "nothing answers at its address"
	case netsafe.Timeout:
		return NoAnswer, "it did not answer in time"
	case netsafe.Protocol:
		return NoRelay, "it does not speak the relay protocol"
	case netsafe.Status:
		return TurnedAway, fmt.Sprintf("it answered with HTTP status %d", e.Status)
	case netsafe.Cancelled:
		return Stopped, "the sync was stopped"
	}
	return Unsaid, string(e.Kind) + cause
}

func (t Trouble) ofTheNetwork() bool {
	switch t {
	case Offline, NameUnknown, NobodyThere, NoAnswer, Lost, NoTrouble:
		return true
	}
	return false
}
