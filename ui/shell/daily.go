package shell

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/app/agent"
	"bowerbird/app/config"
)

// digestPause is how often the time of the daily digest is checked.
const digestPause = time.Minute

// digestAgain is the pause after a daily digest that failed: each try is a question to the
// model.
const digestAgain = time.Hour

// followDigest makes the daily digest when it is due, and announces it with a notification
// of the desktop.
func (s *Shell) followDigest() {
	ses := s.session
	go func() {
		tick := time.NewTicker(digestPause)
		defer tick.Stop()
		var notBefore time.Time
		var failed config.Settings // with which it could not be made
		for {
			now, set := s.opt.Now(), ses.app.Settings()
			if !now.Before(notBefore) || set.Assistant != failed.Assistant || set.Digest != failed.Digest {
				notBefore = time.Time{}
				if err := s.dailyDigest(ses); err != nil && ses.ctx.Err() == nil {
					s.digestFailed(err)
					notBefore, failed = now.Add(digestAgain), set
				}
			}
			select {
			case <-ses.ctx.Done():
				return
			case <-tick.C:
			}
		}
	}()
}

// digestFailed reports that the daily digest failed, perhaps for a reason that the user
// can change.
func (s *Shell) digestFailed(err error) {
	s.opt.Logger.Error("the daily digest", "err", err)
	s.do.Do(func() {
		s.Toast(lang.L("The daily digest could not be made. Bowerbird will try again in an hour."), lang.L("Settings"), func() { s.OpenSettings("assistant") })
	})
}

// dailyDigest asks for the digest if it is due, off the window's thread. Its chat appears
// in the history.
func (s *Shell) dailyDigest(ses *session) error {
	due, err := ses.app.DigestDue(ses.ctx, s.opt.Now())
	if err != nil || !due {
		return err
	}
	if has, err := ses.app.HasNotes(ses.ctx); err != nil || !has {
		return err // it is made once there are notes
	}
	answer, err := ses.app.Ask(ses.ctx, app.Question{Text: lang.L("What did I miss since I was last here?"), Unattended: true})
	if err != nil {
		return err
	}
	id := answer.Chat.Info().ID
	if err := wholeAnswer(answer); err != nil {
		chats, storeErr := ses.app.Chats()
		if storeErr == nil {
			storeErr = chats.Delete(context.WithoutCancel(ses.ctx), id) // half a digest would be in the history
		}
		return errors.Join(err, storeErr)
	}
	if err := ses.app.DigestMade(context.WithoutCancel(ses.ctx)); err != nil {
		return err
	}
	// This asks another program, which may be slow, so not on the window's thread.
	s.fyne.SendNotification(fyne.NewNotification(
		lang.L("Your digest is ready"), lang.L("What the people you follow wrote since you were last here.")))
	s.do.Do(func() {
		if s.session != ses {
			return
		}
		s.Toast(lang.L("Your daily digest is ready"), lang.L("Show"), func() {
			if sc := s.chatScreen(); sc != nil && s.session == ses {
				sc.OpenChat(id)
			}
		})
	})
	return nil
}

// wholeAnswer reads an answer to its end and returns why it is not complete.
func wholeAnswer(answer *app.Answer) error {
	err := errors.New("the answer ended in the middle")
	for e := range answer.Events {
		switch e.Type {
		case agent.EventError:
			return fmt.Errorf("asking: %w", e.Err)
		case agent.EventFinish:
			if e.Finish != agent.FinishCancelled { // else half of it is there
				err = nil
			}
		}
	}
	return err
}
