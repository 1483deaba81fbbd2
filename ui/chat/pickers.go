package chat

import (
	"net"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/ui/widgets"
)

// scope is what an answer may look at.
type scope bool // all notes that are stored here

// apply puts the scope into a question.
func (c scope) apply(q *app.Question) {}

func (c scope) label() string {
	if c {
		return lang.L("All notes stored here")
	}
	return lang.L("From people I follow")
}

// drawPickers says what the pickers stand at.
func (s *Screen) drawPickers() {
	s.composer.scope.SetText(s.scope.label())
	s.composer.model.SetText(s.modelName(s.model.ID))
}

func (s *Screen) chooseScope(at fyne.CanvasObject) {
	item := func(c scope) widgets.MenuItem {
		return widgets.MenuItem{Text: c.label(), Checked: s.scope == c, Do: func() {
			s.scope = c
			s.drawPickers()
		}}
	}
	widgets.ShowMenu(at, item(false), item(true))
}

func (s *Screen) chooseModel(at fyne.CanvasObject) {
	var items []widgets.MenuItem
	for _, m := range s.models() {
		items = append(items, widgets.MenuItem{Text: s.modelName(m.ID), Checked: m == s.model, Do: func() {
			s.model = m
			s.drawPickers()
		}})
	}
	items = append(items, widgets.MenuItem{Text: lang.L("Choose another model…"), Do: func() { s.env.Go.OpenSettings("assistant") }})
	widgets.ShowMenu(at, items...)
}

// models are those that can be chosen here.
func (s *Screen) models() []app.ModelChoice {
	return []app.ModelChoice{{ID: builtinModel}}
}

// modelName says which model it is and where its text goes.
func (s *Screen) modelName(id string) string {
	if id == "" || id == builtinModel {
		return lang.L("Built-in · stays on this computer")
	}
	_, name, _ := strings.Cut(id, ":")
	if host := s.hostOf(id); host != "" {
		return lang.L("{{.Model}} · sent to {{.Host}}", in("Model", name, "Host", host))
	}
	return lang.L("{{.Model}} · on this computer", in("Model", name))
}

// hostOf returns the host that a model's text goes to; "" for this computer. It
// may be called on any goroutine.
func (s *Screen) hostOf(id string) string {
	if id == "" || id == builtinModel {
		return ""
	}
	provider, _, _ := strings.Cut(id, ":")
	host, err := app.ServerHost(provider, "")
	if err != nil {
		return provider
	}
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	if ip := net.ParseIP(name); name == "localhost" || ip != nil && ip.IsLoopback() {
		return ""
	}
	return host
}
