package shell

import (
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

// Ask opens the assistant and asks in a new chat.
func (s *Shell) Ask(question string) {
	if sc := s.chatScreen(); sc != nil {
		sc.Ask(question)
	}
}

// AskAbout opens the assistant and asks in a new chat about a person.
func (s *Shell) AskAbout(pk nostr.PubKey, name, question string) {
	if sc := s.chatScreen(); sc != nil {
		sc.AskAbout(pk, name, question)
	}
}

// Summarise asks the assistant for a summary of the thread around a note.
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
