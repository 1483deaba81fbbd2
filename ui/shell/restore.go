package shell

import (
	"context"

	"fyne.io/fyne/v2/lang"
)

// restore puts the last backup in the place of the user's own data.
func (s *Shell) restore() {
	s.rootShows(opening(lang.L("Restoring the backup")))
	s.busy++
	s.do.Go(func() func() {
		day, err := s.opt.Restore(context.Background())
		return func() {
			s.busy--
			switch {
			case s.closing:
				s.finish()
			case err != nil:
				s.opt.Logger.Error("restoring the backup", "err", err)
				s.rootShows(s.cannotOpen(err, false))
			default:
				s.opt.Logger.Info("restored the backup", "of", day)
				s.open(false, nil)
			}
		}
	})
}
