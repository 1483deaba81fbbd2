package shell

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/ndb"
	"bowerbird/ui/chat"
)

// chatScreen shows the assistant and returns its screen; nil while nothing is open.
func (s *Shell) chatScreen() *chat.Screen {
	if s.session == nil {
		return nil
	}
	s.enterOnce(assistant)
	sc, _ := s.session.places[assistant].(*chat.Screen)
	return sc
}

// Ask shows the assistant and asks in a new chat.
func (s *Shell) Ask(question, looking string) {
	if sc := s.chatScreen(); sc != nil {
		sc.Ask(question, looking)
	}
}

// Summarise asks the assistant to sum up the thread around a note.
func (s *Shell) Summarise(id ndb.ID) {
	if sc := s.chatScreen(); sc != nil {
		sc.Summarise(id)
	}
}

func (s *Shell) newChat() {
	if sc := s.chatScreen(); sc != nil {
		sc.NewChat()
		sc.Focus(s.window.Canvas())
	}
}

// digestPause is how often it is looked whether the daily digest is due.
const digestPause = time.Minute

// followDigest makes the daily digest when its time has come, and tells it by a
// notification of the desktop.
func (s *Shell) followDigest() {
	ses := s.session
	go func() {
		tick := time.NewTicker(digestPause)
		defer tick.Stop()
		for {
			if err := s.dailyDigest(ses); err != nil && ses.ctx.Err() == nil {
				s.opt.Logger.Error("the daily digest", "err", err)
			}
			select {
			case <-ses.ctx.Done():
				return
			case <-tick.C:
			}
		}
	}()
}

// dailyDigest asks for the digest if it is due. It runs off the window's thread;
// the chat that it makes is found in the history.
func (s *Shell) dailyDigest(ses *session) error {
	due, err := ses.app.DigestDue(ses.ctx, s.opt.Now())
	if err != nil || !due {
		return err
	}
	answer, err := ses.app.Ask(ses.ctx, app.Question{Text: lang.L("What did I miss since yesterday?")})
	if err != nil {
		return err
	}
	for range answer.Events {
		if ses.ctx.Err() != nil {
			return ses.ctx.Err() // it is made at the next start
		}
	}
	if err := ses.app.DigestMade(context.WithoutCancel(ses.ctx)); err != nil {
		return err
	}
	s.do.Do(func() {
		if s.session != ses {
			return
		}
		s.fyne.SendNotification(fyne.NewNotification(
			lang.L("Your digest is ready"), lang.L("What the people you follow wrote since yesterday.")))
		s.Toast(lang.L("Your daily digest is ready"), lang.L("Show"), func() {
			if sc := s.chatScreen(); sc != nil {
				sc.OpenChat(answer.Chat.Info().ID)
			}
		})
	})
	return nil
}
