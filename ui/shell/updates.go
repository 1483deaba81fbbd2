package shell

import (
	"time"

	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/present"
)

// updatePause is how often it is checked whether to look for a newer version. Relays are
// asked less often: see [app.App.Update].
const updatePause = time.Hour

// followUpdates reports once in a session that there is a newer version.
func (s *Shell) followUpdates() {
	ses := s.session
	if !ses.app.LooksForUpdates() {
		return
	}
	go func() {
		tick := time.NewTicker(updatePause)
		defer tick.Stop()
		for shown := ""; ; {
			version, err := ses.app.Update(ses.ctx)
			if err != nil && ses.ctx.Err() == nil {
				s.opt.Logger.Info("looking for a newer version", "err", err)
			}
			if version != "" && version != shown {
				shown = version
				s.do.Do(func() {
					if s.session == ses {
						s.Toast(lang.L("Bowerbird {{.Version}} is available", map[string]any{"Version": present.Isolate(version)}), lang.L("Show"), func() { s.OpenSettings("about") })
					}
				})
			}
			select {
			case <-ses.ctx.Done():
				return
			case <-tick.C:
			}
		}
	}()
}
