package notesync

import (
	"context"
	"errors"

	"bowerbird/app/relay"
	"bowerbird/netsafe"
)

// Trouble is why a relay gives nothing, or less than was asked for, as far as a
// person can do something about it.
type Trouble string

// The troubles.
const (
	NoTrouble    Trouble = ""
	Stopped      Trouble = "stopped"       // by us
	Offline      Trouble = "offline"       // this computer is
	NameUnknown  Trouble = "name unknown"  // there is no such address
	BadTLS       Trouble = "certificate"   // it cannot show that it is who it says
	NotPermitted Trouble = "not permitted" // our policy refuses the address
	NobodyThere  Trouble = "nobody there"  // nothing answers at the address
	NoAnswer     Trouble = "no answer"     // not in time
	NoRelay      Trouble = "no relay"      // what is there does not speak as relays do
	TurnedAway   Trouble = "turned away"   // it answered the dial with an HTTP status
	WantsLogin   Trouble = "wants login"   // it asks who the user is
	NotForAll    Trouble = "not for all"   // it serves some people only
	AskedTooMuch Trouble = "asked too much"
	Refuses      Trouble = "refuses" // it does not answer the question, for another reason
	Lost         Trouble = "lost"    // the connection broke
	SendsJunk    Trouble = "sends junk"
	SendsTooMuch Trouble = "sends too much"
	TooLong      Trouble = "too long" // our questions are, for it
	Unsaid       Trouble = "unsaid"   // anything else
)

// TroubleOf says which trouble an error of a relay is.
func TroubleOf(err error) Trouble {
	trouble, _ := troubleOf(err)
	return trouble
}

// troubleOf says which trouble an error is, and what the relay itself said: clean,
// but a stranger's words; "" for nothing.
func troubleOf(err error) (trouble Trouble, said string) {
	var (
		web   *netsafe.Error
		wrong *relay.Error
	)
	switch {
	case err == nil:
		return NoTrouble, ""
	case errors.Is(err, errSlow):
		return NoAnswer, ""
	case errors.As(err, &wrong):
		return troubleOfRelay(wrong), wrong.Detail
	case errors.As(err, &web):
		return troubleOfWeb(web), ""
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return Stopped, ""
	}
	return Unsaid, ""
}

func troubleOfRelay(e *relay.Error) Trouble {
	switch e.Kind {
	case relay.Rejected:
		switch {
		case e.Prefix == "auth-required":
			return WantsLogin
		case e.Prefix == "restricted":
			return NotForAll
		case tooMuch(e):
			return AskedTooMuch
		}
		return Refuses
	case relay.NoReply, relay.Silent, relay.Stalled, relay.TooLong:
		return NoAnswer
	case relay.Lost:
		return Lost
	case relay.Misbehaved, relay.Frame:
		return SendsJunk
	case relay.Overrun, relay.Unruly:
		return SendsTooMuch
	case relay.TooLarge:
		return TooLong
	case relay.Closed:
		return Stopped
	}
	return Unsaid
}

func troubleOfWeb(e *netsafe.Error) Trouble {
	switch e.Kind {
	case netsafe.Offline:
		return Offline
	case netsafe.DNS:
		return NameUnknown
	case netsafe.TLS:
		return BadTLS
	case netsafe.Refused:
		return NotPermitted
	case netsafe.Unreachable:
		return NobodyThere
	case netsafe.Timeout:
		return NoAnswer
	case netsafe.Protocol:
		return NoRelay
	case netsafe.Status:
		return TurnedAway
	case netsafe.Cancelled:
		return Stopped
	}
	return Unsaid
}

// ofTheNetwork reports whether it may be our network that fails and not the relay.
func (t Trouble) ofTheNetwork() bool {
	switch t {
	case Offline, NameUnknown, NobodyThere, NoAnswer, Lost, NoTrouble:
		return true
	}
	return false
}
