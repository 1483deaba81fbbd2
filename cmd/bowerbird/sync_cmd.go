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
		Short: "Fetch the notes of the people you follow",
		Long: `Fetches the contact list of KEY, and the relay lists, profiles and recent notes
of the people that KEY follows, newest first. You can stop it at any time; the
next run continues where it left off. The person named with --as becomes the
account once their contact list is found.`,
		Args: usageArgs(noArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("days") && (o.Days < 1 || o.Days > config.MostDays) {
				return usagef("--days %d: must be 1 to %d", o.Days, config.MostDays)
			}
			settings, err := p.loadSettings()
			if err != nil {
				return err
			}
			if err := o.CheckRelays(settings.Sync); err != nil {
				return err // before a store is opened, or even created, to no purpose
			}
			return p.withApp(cmd.Context(), app.Write, "", func(a *app.App) error {
				return p.sync(cmd.Context(), a, o)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.As, "as", "", "`KEY` of the person to read as")
	flags.StringArrayVar(&o.Authors, "author", nil, "`KEY` of a person to fetch, instead of the people you follow (may be repeated)")
	flags.StringArrayVar(&o.Relays, "relay", nil, "`URL` of a relay; only these are asked (may be repeated)")
	flags.IntVar(&o.Days, "days", 0, "how many days back to fetch (default: as in the settings, or 3)")
	flags.BoolVar(&o.Once, "once", false, "end when everything has been fetched or given up")
	flags.BoolVar(&o.AllowPrivate, "allow-private", false, "allow ws:// relays and relays on this computer or network")
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
		return errors.New("stopped before it finished; run it again to continue")
	case stopped:
		return nil // the way to end a sync without --once
	case err != nil:
		return syncAdvice(err)
	case summary.Complete == 0 && summary.Partly == 0 && summary.People > 0:
		if summary.Stored > 0 {
			return fmt.Errorf("%d new events were fetched, but no relay confirmed any part of the period for anybody; run it again to continue", summary.Stored)
		}
		return fmt.Errorf("no relay sent anything; check your network, or name a relay with --relay (what was stored before is unchanged)")
	}
	return nil
}

// recoveryWords returns what a sync has fetched of notes that were damaged, in words.
func recoveryWords(m upkeep.Recovery) string {
	switch {
	case m.Unknown:
		return "The damaged notes that the relays still have were fetched again; how many are missing is unknown."
	case m.Missing > 0:
		return fmt.Sprintf("The damaged notes were fetched again, except about %s that no relay has.", numberWords(m.Missing, "note"))
	}
	return "The damaged notes were fetched again."
}

// syncAdvice adds to an error what to do.
func syncAdvice(err error) error {
	next := ""
	switch {
	case errors.Is(err, account.ErrNobodyChosen):
		return usageError{errors.New("no account is chosen; name one, for example: bowerbird sync --as you@example.com")}
	case errors.Is(err, notesync.ErrNoNetwork):
		next = "check your network; \"bowerbird ask\" answers from the stored notes meanwhile"
	case errors.Is(err, notesync.ErrNoContacts):
		next = "name a relay that has it with --relay, or fetch people with --author"
	case errors.Is(err, notesync.ErrNobody):
		next = "follow somebody with another client, or fetch people with --author"
	case errors.Is(err, notesync.ErrNoRelays):
		next = "name one with --relay (ws:// relays and relays on this computer need --allow-private)"
	default:
		return err
	}
	return fmt.Errorf("%w; %s", err, next)
}

// syncProgress shows the progress of a sync: in place on a terminal, otherwise as a line now
// and then.
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

// syncWords formats the progress of a sync, the most important first, since a terminal may
// be narrow.
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
		line += fmt.Sprintf("; %s left: %s answers %.0f requests per minute", left, g.Limited, max(2, g.PerMinute))
	}
	return line
}

var stageWords = map[string]string{
	"lists":    "finding the people you follow",
	"profiles": "fetching names and relays",
	"notes":    "fetching notes",
	"context":  "fetching the notes that these refer to",
	"live":     "watching for new notes",
}

func (p *program) printSummary(s notesync.Summary) {
	say(p.out, "%s.", numberWords(s.Stored, "new event"))
	say(p.out, "%s.", reachWords(s.People, s.Complete, s.Partly, s.Unreachable, s.RelaysAsked))
	if s.OwnLeftOut > 0 {
		say(p.out, "For %d of the people with partial coverage, none of their own relays was asked for the whole period.", s.OwnLeftOut)
	}
	for _, r := range s.Relays {
		line := fmt.Sprintf("  %s: %s, %d events, %.1f kB", r.URL, r.State, r.Events, float64(r.Bytes)/1e3)
		if r.Error != "" {
			line += ": " + r.Error
		}
		say(p.out, "%s", line)
	}
}

// relayNews is what was last shown of each relay of a sync.
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
		text, is.trouble = "it closes the connection after each answer, so it is sent one request at a time", ""
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
			text += fmt.Sprintf("; asking again in %v", again)
		case st.Phase == notesync.Waiting:
			text += "; not trying again for now"
		default:
			text += "; trying again"
		}
	case !st.Connected:
		return "" // it is being dialled, for the first time or again
	case was.trouble != "" && was.reached:
		text, is.trouble = "it answers again", ""
	case was.trouble != "" || !was.reached:
		text, is.trouble = "connected", ""
	case is.slow && !was.slow:
		text = fmt.Sprintf("it is slow: %.0f seconds per answer", st.Answer.Seconds())
	default:
		return ""
	}
	return st.URL + ": " + text
}
