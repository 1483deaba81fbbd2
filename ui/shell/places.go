package shell

import "fyne.io/fyne/v2/lang"

// searcher is a search that can be given a query.
type searcher interface {
	SetQuery(text string)
	Query() string
	SelectQuery()
}

// Search shows the search with a query in it.
func (s *Shell) Search(query string) {
	if !s.ready() {
		return
	}
	s.enterOnce(search)
	if sc, ok := s.session.places[search].(searcher); ok {
		sc.SetQuery(query)
	}
}

// pager is a screen of several pages.
type pager interface{ ShowPage(name string) }

// OpenSettings shows a page of the settings.
func (s *Shell) OpenSettings(page string) {
	if !s.ready() {
		return
	}
	s.enterOnce(settings)
	if sc, ok := s.session.places[settings].(pager); ok {
		sc.ShowPage(page)
	}
}

// retry asks for new notes now, and says so: where all is here already nothing else
// would be seen of it.
func (s *Shell) retry() {
	switch {
	case !s.ready():
	case s.session.sample:
		s.Toast(lang.L("The sample is made up: there are no new notes to get."), "", nil)
	default:
		s.session.app.Live().Retry()
		s.Toast(lang.L("Looking for new notes"), "", nil)
	}
}
