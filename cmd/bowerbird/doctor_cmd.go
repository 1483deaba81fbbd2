package main

import (
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// finding is one thing that doctor checked.
type finding struct {
	What string `json:"what"`
	OK   bool   `json:"ok"`
	Says string `json:"says"`
}

func (p *program) doctorCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check the environment: folders, store, keyring, model",
		Args:  usageArgs(noArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			findings := p.examine(cmd.Context())
			if p.json {
				return p.printJSON(map[string]any{"findings": findings})
			}
			for _, f := range findings {
				mark := "ok  "
				if !f.OK {
					mark = "WARN"
				}
				say(p.out, "%s  %-10s %s", mark, f.What, f.Says)
			}
			return nil
		},
	}
}

func (p *program) examine(ctx context.Context) []finding {
	places := p.places()
	findings := []finding{
		{"program", true, "bowerbird " + version + ", " + runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH + ", signatures by " + nostr.Verifier()},
		{"data", true, places.Data},
	}
	settings, err := p.loadSettings()
	findings = append(findings, found("settings", places.Settings, err))
	free, err := ndb.FreeSpace(places.Data)
	if err != nil {
		free, err = ndb.FreeSpace(".") // the data folder does not exist yet
	}
	findings = append(findings, found("disk", sizeWords(free)+" free", err))
	findings = append(findings, p.examineStore(ctx), relaysRow(settings))
	keyringErr := config.Keyring{}.Probe(ctx)
	findings = append(findings, found("keyring", "available", keyringErr))
	if f, any := p.examineKeyFile(keyringErr != nil); any {
		findings = append(findings, f)
	}
	sending := "text goes to the chosen model; local_only = true in the settings keeps it on this computer"
	if settings.Assistant.LocalOnly {
		sending = "text never leaves this computer (local_only in the settings)"
	}
	return append(findings, finding{"sending", true, sending}, p.examineModel(ctx, settings))
}

// examineKeyFile reports on the key file, if there is one, or if one is needed
// because there is no keyring.
func (p *program) examineKeyFile(wanted bool) (finding, bool) {
	path := p.places().Keys
	state, err := config.NewKeyFile(path, time.Now).State()
	says := path + ", protected by a password"
	if state == config.KeyFileNone {
		says = "none yet: \"bowerbird model key PROVIDER\" creates one, protected by a password"
	}
	return found("key file", says, err), wanted || state != config.KeyFileNone
}

func relaysRow(s config.Settings) finding {
	asked := slices.DeleteFunc(slices.Clone(s.Sync.Relays), func(url string) bool { return slices.Contains(s.Sync.Without, url) })
	says := "your relay list"
	if !s.Sync.OnlyOwn {
		says += ", and each author's own relays"
	}
	if len(asked) > 0 {
		says = strings.Join(asked, ", ") + ", " + says
	}
	if len(s.Sync.Without) > 0 {
		says += "; never " + strings.Join(s.Sync.Without, ", ")
	}
	return finding{"relays", true, says}
}

func found(what, says string, err error) finding {
	if err != nil {
		return finding{what, false, err.Error()}
	}
	return finding{what, true, says}
}

func (p *program) examineStore(ctx context.Context) finding {
	if _, err := os.Stat(p.places().Notes); errors.Is(err, os.ErrNotExist) && !p.sample {
		return finding{"store", true, "none yet: sync or import creates one"}
	}
	f := finding{What: "store"}
	err := p.withApp(ctx, app.Read, "", func(a *app.App) error {
		s, err := a.Notes().Stats(ctx)
		f.OK, f.Says = true, numberWords(s.Events, "event")+", "+sizeWords(s.DiskBytes)+" on disk"
		if me := a.Me(); me != (nostr.PubKey{}) {
			f.Says += ", read as " + me.Npub()
		} else {
			f.Says += ", no account chosen"
		}
		return err
	})
	if err != nil {
		return finding{"store", false, err.Error()}
	}
	return f
}

func (p *program) examineModel(ctx context.Context, s config.Settings) finding {
	id := s.Assistant.ModelID()
	if id == config.DefaultModel {
		return finding{"model", true, id + ": built in, sends nothing anywhere"}
	}
	client, err := models.New(p.modelOptions(s)).Client(ctx, models.Choice{ID: id})
	if err == nil {
		_, err = client.List(ctx)
	}
	if err != nil {
		return finding{"model", false, id + ": " + inWords(err).Error()}
	}
	where := "text stays on this computer"
	if host := client.Info().Host; host != "" {
		where = "text is sent to " + host
	}
	return finding{"model", true, id + ": reachable, " + where}
}
