package main

import (
	"fmt"
	"time"

	"bowerbird/app/notesync"
)

// relayNews is what was said last of each relay of a sync.
type relayNews map[string]relaySaid

type relaySaid struct {
	trouble string // "" for none
	reached bool   // it was connected before
	hangsUp bool
	slow    bool
}

// line returns what is new of a relay, for a person who watches; "" for nothing.
func (n relayNews) line(st notesync.RelayState, now time.Time) string {
	was := n[st.URL]
	is := relaySaid{trouble: was.trouble, reached: was.reached || st.Connected, hangsUp: was.hangsUp || st.HangsUp, slow: st.Slow}
	defer func() { n[st.URL] = is }()
	var text string
	switch {
	case is.hangsUp && !was.hangsUp:
		text, is.trouble = "it hangs up after each answer, so it is asked one thing at a time", ""
	case is.hangsUp && (st.Connected || st.Trouble == notesync.Lost):
		return "" // as was said
	case st.Trouble == notesync.Stopped || st.Phase == notesync.Resting:
		return "" // our own doing
	case st.Trouble != notesync.NoTrouble:
		if is.trouble = string(st.Phase) + st.Why; is.trouble == was.trouble {
			return ""
		}
		text = st.Why
		switch again := st.Again.Sub(now).Round(time.Second); {
		case st.Trouble == notesync.AskedTooMuch && st.Connected && again > 0:
			text += fmt.Sprintf("; it is asked again in %v", again)
		case st.Phase == notesync.Waiting:
			text += "; it is left alone for now"
		default:
			text += "; it is tried again"
		}
	case !st.Connected:
		return "" // it is being dialled, for the first time or again
	case was.trouble != "" && was.reached:
		text, is.trouble = "it answers again", ""
	case was.trouble != "" || !was.reached:
		text, is.trouble = "connected", ""
	case is.slow && !was.slow:
		text = fmt.Sprintf("it is slow: %.0f seconds to an answer", st.Answer.Seconds())
	default:
		return ""
	}
	return st.URL + ": " + text
}
