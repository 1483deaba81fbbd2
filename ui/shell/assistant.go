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
	"bowerbird/ndb/nostr"
	"bowerbird/ui/chat"
)

// chatScreen shows the assistant and returns its screen; nil while nothing is open.
func (s *Shell) chatScreen() *chat.Screen {
	if !s.ready() {
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

// AskAbout shows the assistant and asks in a new chat about a person.
func (s *Shell) AskAbout(pk nostr.PubKey, name, question string) {
	if sc := s.chatScreen(); sc != nil {
		sc.AskAbout(pk, name, question)
	}
}

// Summarise asks the assistant to sum up the thread around a note.
func (s *Shell) Summarise(id nostr.ID) {
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

// digestAgain is how long is waited after a daily digest that could not be made:
// each try is a question to the model.
const digestAgain = time.Hour

// followDigest makes the daily digest when its time has come, and tells it by a
// notification of the desktop.
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

// digestFailed says so: nobody watches, and the reason may be one that the user can
// do away with.
func (s *Shell) digestFailed(err error) {
	s.opt.Logger.Error("the daily digest", "err", err)
	s.do.Do(func() {
		s.Toast(lang.L("The daily digest could not be made. Bowerbird will try again in an hour."), lang.L("Settings"), func() { s.OpenSettings("assistant") })
	})
}

// dailyDigest asks for the digest if it is due. It runs off the window's thread;
// the chat that it makes is found in the history.
func (s *Shell) dailyDigest(ses *session) error {
	due, err := ses.app.DigestDue(ses.ctx, s.opt.Now())
	if err != nil || !due {
		return err
	}
	if told, err := ses.app.HasNotes(ses.ctx); err != nil || !told {
		return err // it is made as soon as there is something to tell
	}
	answer, err := ses.app.Ask(ses.ctx, app.Question{Text: lang.L("What did I miss since I was last here?"), Unattended: true})
	if err != nil {
		return err
	}
	id := answer.Chat.Info().ID
	if err := wholeAnswer(answer); err != nil {
		chats, storeErr := ses.app.Chats()
		if storeErr == nil {
			storeErr = chats.Delete(context.WithoutCancel(ses.ctx), id) // nobody asked for half of it
		}
		return errors.Join(err, storeErr)
	}
	if err := ses.app.DigestMade(context.WithoutCancel(ses.ctx)); err != nil {
		return err
	}
	// It asks another program, which may be slow: not on the window's thread.
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

// wholeAnswer reads an answer to its end and returns why it has none.
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
