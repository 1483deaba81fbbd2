package notesync

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bowerbird/app/relay"
	"bowerbird/netsafe"
)

// inWords says why a relay failed to a person who never heard of frames.
func inWords(err error) string {
	var (
		web   *netsafe.Error
		wrong *relay.Error
	)
	// First what is known of the relay: a deadline of ours may be behind that.
	switch {
	case errors.Is(err, errSlow):
		return errSlow.Error()
	case errors.As(err, &wrong):
		return relayWords(wrong)
	case errors.As(err, &web):
		return webWords(web)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "the sync was stopped"
	}
	return strings.TrimPrefix(err.Error(), errGivenUp.Error()+": ")
}

func relayWords(e *relay.Error) string {
	detail := ""
	if e.Detail != "" {
		detail = ": " + e.Detail
	}
	switch e.Kind {
	case relay.Rejected:
		switch e.Prefix {
		case "auth-required":
			return "it wants a login, which Bowerbird does not do yet"
		case "restricted":
			return "it does not serve everybody" + detail
		case "rate-limited":
			return "it asked for fewer questions" + detail
		}
		return "it refused to answer" + detail
	case relay.NoReply:
		return "it did not answer in time"
	case relay.Silent, relay.Stalled, relay.TooLong:
		return "it stopped answering"
	case relay.Lost:
		return "the connection was lost"
	case relay.Misbehaved:
		return "it sent too much that is not valid" + detail
	case relay.Overrun, relay.Unruly:
		return "it sent more than was asked for"
	case relay.Frame:
		return "it sent what no relay should" + detail
	case relay.TooLarge:
		return "our questions are too long for it"
	}
	return string(e.Kind) + detail
}

func webWords(e *netsafe.Error) string {
	switch e.Kind {
	case netsafe.Offline:
		return "this computer is offline"
	case netsafe.DNS:
		return "no such address"
	case netsafe.TLS:
		return "its certificate is not valid"
	case netsafe.Refused:
		return "its address is not permitted" + cause(e)
	case netsafe.Unreachable:
		return "nobody answers at its address"
	case netsafe.Timeout:
		return "it did not answer in time"
	case netsafe.Protocol:
		return "it does not speak as relays do"
	case netsafe.Status:
		return fmt.Sprintf("it answered with status %d", e.Status)
	case netsafe.Cancelled:
		return "the sync was stopped"
	}
	return string(e.Kind) + cause(e)
}

func cause(e *netsafe.Error) string {
	if e.Err == nil {
		return ""
	}
	return ": " + e.Err.Error()
}
