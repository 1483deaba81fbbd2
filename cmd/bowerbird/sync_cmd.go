package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"bowerbird/app"
	"bowerbird/app/account"
	"bowerbird/app/config"
	"bowerbird/app/live"
	"bowerbird/app/notesync"
	"bowerbird/app/upkeep"
)

func (p *program) syncCmd() *cobra.Command {
	var o live.SyncOptions
	cmd := &cobra.Command{
		Use:   "sync",
		Short: "fetch the notes of the people you follow",
		Long: `Fetches contacts, relay lists, profiles and the last days of the notes of the
people that KEY follows, newest first. It may be stopped at any moment; the
next run continues where it was. The person named with --as becomes the account
once their contact list is found.`,
		Args: usageArgs(noArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("days") && (o.Days < 1 || o.Days > config.MostDays) {
				return usagef("--days %d: want 1 to %d", o.Days, config.MostDays)
			}
			return p.withApp(cmd.Context(), app.Write, "", func(a *app.App) error {
				return p.sync(cmd.Context(), a, o)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.As, "as", "", "whom to read as (KEY)")
	flags.StringArrayVar(&o.Authors, "author", nil, "fetch these people instead of those you follow (KEY; may be repeated)")
	flags.StringArrayVar(&o.Relays, "relay", nil, "ask only this relay (may be repeated)")
	flags.IntVar(&o.Days, "days", 0, "how many days back (default 3, or that of the settings)")
	flags.BoolVar(&o.Once, "once", false, "end when everything asked for is there or given up")
	flags.BoolVar(&o.AllowPrivate, "allow-private", false, "permit ws:// and relays on this computer or network")
	return cmd
}

func (p *program) sync(ctx context.Context, a *app.App, o live.SyncOptions) error {
	o.Progress = p.syncProgress()
	wasPending := a.Upkeep().Recovery().Pending()
	summary, err := a.Live().Sync(ctx, o)
	if m := a.Upkeep().Recovery(); wasPending && m.Fetched {
		p.say("%s", recoveryWords(m))
	}
	stopped := ctx.Err() != nil
	switch begun := len(summary.Relays) > 0; {
	case begun && p.json:
		if jsonErr := p.printJSON(summary); jsonErr != nil {
			return jsonErr
		}
	case begun:
		p.printSummary(summary)
	}
	switch {
	case stopped && o.Once:
		return errors.New("stopped before it was done; run it again to continue")
	case stopped:
		return nil // the way to end a sync without --once
	case err != nil:
		return syncAdvice(err)
	case summary.Complete == 0 && summary.Partly == 0 && summary.People > 0:
		if summary.Stored > 0 {
			return fmt.Errorf("%d new events were fetched, but for nobody is any part of the time complete; run it again to continue", summary.Stored)
		}
		return fmt.Errorf("no relay sent anything; what was stored before is still there: check your network, or name a relay with --relay")
	}
	return nil
}

// recoveryWords says what a sync has fetched of notes that were damaged.
func recoveryWords(m upkeep.Recovery) string {
	switch {
	case m.Unknown:
		return "what the relays still have of the damaged notes was fetched again; how many are missing is not known"
	case m.Missing > 0:
		return fmt.Sprintf("the damaged notes were fetched again, except about %s that no relay has", numberWords(m.Missing, "note"))
	}
	return "the damaged notes were fetched again"
}

// syncAdvice adds to an error what to do.
func syncAdvice(err error) error {
	next := ""
	switch {
	case errors.Is(err, account.ErrNobodyChosen):
		return usageError{errors.New("whose notes? Name somebody: bowerbird sync --as you@example.com")}
	case errors.Is(err, notesync.ErrNoNetwork):
		next = "check your network; \"ask\" answers from what is stored"
	case errors.Is(err, notesync.ErrNoContacts):
		next = "name a relay that has it with --relay, or fetch people with --author"
	case errors.Is(err, notesync.ErrNobody):
		next = "follow somebody with another client, or fetch people with --author"
	case errors.Is(err, notesync.ErrNoRelays):
		next = "name one with --relay (ws:// and this computer need --allow-private)"
	default:
		return err
	}
	return fmt.Errorf("%w; %s", err, next)
}

// syncProgress shows how far a sync is: in place on a terminal, otherwise as a line now and
// then.
func (p *program) syncProgress() func(notesync.Progress) {
	every := 5 * time.Second
	if p.line.to != nil {
		every = 100 * time.Millisecond
	}
	var last time.Time
	stage, relays := "", relayNews{}
	return func(g notesync.Progress) {
		if g.Change != nil {
			if line := relays.line(*g.Change, time.Now()); line != "" {
				p.say("%s", line)
				last = time.Time{}
			}
		}
		if time.Since(last) < every && g.Stage == stage {
			return
		}
		last, stage = time.Now(), g.Stage
		p.progress("%s", syncWords(g))
	}
}

// syncWords says how far a sync is, the most important first, since a terminal may be
// narrow.
func syncWords(g notesync.Progress) string {
	line := cmp.Or(stageWords[g.Stage], g.Stage) + ": " + numberWords(g.Stored, "new note")
	if g.Windows > 0 {
		line += fmt.Sprintf(", %d of %d parts", g.Filled, g.Windows)
	}
	if g.People > 0 {
		line += fmt.Sprintf(", %s at %s", peopleWords(g.People), numberWords(g.Relays, "relay"))
	}
	if g.Left > 0 {
		left := "less than a minute"
		if minutes := int(g.Left.Round(time.Minute) / time.Minute); minutes == 1 {
			left = "about a minute"
		} else if minutes > 1 {
			left = fmt.Sprintf("about %d minutes", minutes)
		}
		line += fmt.Sprintf("; %s left: %s answers %.0f questions a minute", left, g.Limited, max(2, g.PerMinute))
	}
	return line
}

var stageWords = map[string]string{
	"lists":    "finding whom you follow",
	"profiles": "fetching names and relays",
	"notes":    "fetching notes",
	"context":  "fetching what notes refer to",
	"live":     "watching for new notes",
}

func (p *program) printSummary(s notesync.Summary) {
	say(p.out, "%s.", numberWords(s.Stored, "new event"))
	say(p.out, "%s.", reachWords(s.People, s.Complete, s.Partly, s.Unreachable, s.RelaysAsked))
	switch n := s.OwnLeftOut; {
	case n == 1:
		say(p.out, "1 of the partly writes to relays of their own, and none of these was asked for all of it.")
	case n > 1:
		say(p.out, "%d of the partly write to relays of their own, and none of these was asked for all of it.", n)
	}
	for _, r := range s.Relays {
		line := fmt.Sprintf("  %s: %s, %d events, %.1f kB", r.URL, r.State, r.Events, float64(r.Bytes)/1e3)
		if r.Error != "" {
			line += ": " + r.Error
		}
		say(p.out, "%s", line)
	}
}

// relayNews is what was last said of each relay of a sync.
type relayNews map[string]relaySaid

type relaySaid struct {
	trouble string // "" for none
	reached bool   // it was connected before
	hangsUp bool
	slow    bool
}

// line returns what is new about a relay, for a person who is watching; "" for nothing.
func (n relayNews) line(st notesync.RelayState, now time.Time) string {
	was := n[st.URL]
	is := relaySaid{trouble: was.trouble, reached: was.reached || st.Connected, hangsUp: was.hangsUp || st.HangsUp, slow: st.Slow}
	defer func() { n[st.URL] = is }()
	var text string
	switch {
	case is.hangsUp && !was.hangsUp:
		text, is.trouble = "it hangs up after each answer, so it is asked one thing at a time", ""
	case is.hangsUp && (st.Connected || st.Trouble == notesync.Lost):
		return "" // nothing new
	case st.Trouble == notesync.Stopped || st.Phase == notesync.Resting:
		return "" // by us
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
