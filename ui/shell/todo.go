package shell

import (
	"bowerbird/ndb"
	"bowerbird/ui/chat"
	"golang.org/x/text/language"
)

func (s *Shell) language() language.Tag { return language.English }
func (s *Shell) followDigest()          {}
func (s *Shell) newChat()               { s.enterOnce(assistant) }
func (s *Shell) retry() {
	if s.session != nil && !s.session.sample {
		s.session.app.Live().Retry()
	}
}

func (s *Shell) Search(string) { s.enterOnce(search) }

// Ask shows the assistant and asks in a new chat.
func (s *Shell) Ask(question, looking string) {
	s.enterOnce(assistant)
	if sc, ok := s.session.places[assistant].(*chat.Screen); ok {
		sc.Ask(question, looking)
	}
}
func (s *Shell) Summarise(ndb.ID)    { s.enterOnce(assistant) }
func (s *Shell) OpenSettings(string) { s.enterOnce(settings) }
