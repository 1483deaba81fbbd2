package shell

import (
	"runtime"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"
)

// action is a command that works from anywhere: by its name in the palette, or by its key.
// Ctrl+/ lists the keys.
type action struct {
	name     string // in words, translated
	key      fyne.KeyName
	mods     fyne.KeyModifier
	also     string // other words that the palette finds it by
	group    string // where the list of keys puts it
	do       func()
	quiet    bool // not in the palette
	anywhere bool // works on the welcome too
	always   bool // its key works while a dialog is open too

	// How the palette draws it, beside its name.
	icon   string
	face   func() fyne.CanvasObject   // in place of the icon
	more   string                     // muted, after the name
	detail string                     // muted, at the right
	marks  func(text string) [][2]int // what it was found by, in a text
}

// ctrl is the modifier of shortcuts: Command on a Mac.
func ctrl() fyne.KeyModifier {
	if runtime.GOOS == "darwin" {
		return fyne.KeyModifierSuper
	}
	return fyne.KeyModifierControl
}

// actions returns all commands with keys, in the order of the palette.
func (s *Shell) actions() []action {
	to, text, other := lang.L("Go to"), lang.L("Text size"), lang.L("Everything else")
	goTo := func(name string, key fyne.KeyName, p place) action {
		return action{name: name, icon: string(p), key: key, mods: ctrl(), group: to, do: func() { s.enter(p) }}
	}
	return []action{
		goTo(lang.L("Assistant"), fyne.Key1, assistant),
		goTo(lang.L("Home"), fyne.Key2, home),
		goTo(lang.L("Search"), fyne.Key3, search),
		goTo(lang.L("Relays"), fyne.Key4, relays),
		goTo(lang.L("Settings"), fyne.KeyComma, settings),
		{name: lang.L("Back"), icon: "back", key: fyne.KeyLeft, mods: fyne.KeyModifierAlt, group: to, do: s.Back},
		{name: lang.L("New chat"), icon: "plus", key: fyne.KeyN, mods: ctrl(), group: other, do: s.newChat},
		{name: lang.L("Find notes and people"), icon: "search", key: fyne.KeyF, mods: ctrl(), group: other, do: s.find},
		{name: lang.L("Get new notes now"), icon: "retry", key: fyne.KeyF5, group: other, also: lang.L("try again, refresh, sync"), do: s.retry},
		{name: lang.L("Light or dark"), icon: "moon", key: fyne.KeyD, mods: ctrl() | fyne.KeyModifierShift, group: other, also: lang.L("theme, appearance"), anywhere: true, do: s.toggleMode},
		{name: lang.L("Larger text"), icon: "edit", key: fyne.KeyEqual, mods: ctrl(), group: text, anywhere: true, do: func() { s.scaleText(+10) }},
		{name: lang.L("Smaller text"), icon: "edit", key: fyne.KeyMinus, mods: ctrl(), group: text, anywhere: true, do: func() { s.scaleText(-10) }},
		{name: lang.L("Default text size"), icon: "edit", key: fyne.Key0, mods: ctrl(), group: text, anywhere: true, do: func() { s.scaleText(0) }},
		{name: lang.L("Find anything by name"), key: fyne.KeyK, mods: ctrl(), group: other, quiet: true, do: s.openPalette},
		{name: lang.L("Keyboard shortcuts"), icon: "question", key: fyne.KeySlash, mods: ctrl(), group: other, do: s.showKeys},
		{name: lang.L("Quit"), icon: "close", key: fyne.KeyQ, mods: ctrl(), group: other, always: true, do: s.quit},
	}
}

// addShortcuts makes the keys of all actions work in the window. While a dialog or a menu
// is open only the key that quits works: what is covered must not change unseen.
func (s *Shell) addShortcuts() {
	for _, a := range s.actions() {
		if a.key == "" || a.mods == 0 {
			continue
		}
		for _, sc := range typedAs(a.key, a.mods) {
			s.window.Canvas().AddShortcut(sc, func(fyne.Shortcut) {
				if a.always || !s.covered() {
					a.do()
				}
			})
		}
	}
	s.window.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) {
		if s.covered() {
			s.closeForeign(e.Name)
			return
		}
		switch e.Name {
		case fyne.KeyEscape:
			s.Back()
		case fyne.KeyF5:
			s.retry()
		default:
			if sc, ok := s.first().(keyTaker); ok {
				sc.TypedKey(e)
			}
		}
	})
}

// typedAs returns the ways to type a shortcut: on many keyboards + is = with Shift, on
// others it has its own key.
func typedAs(key fyne.KeyName, mods fyne.KeyModifier) []fyne.Shortcut {
	all := []fyne.Shortcut{&desktop.CustomShortcut{KeyName: key, Modifier: mods}}
	if key == fyne.KeyEqual {
		all = append(all,
			&desktop.CustomShortcut{KeyName: key, Modifier: mods | fyne.KeyModifierShift},
			&desktop.CustomShortcut{KeyName: fyne.KeyPlus, Modifier: mods},
			&desktop.CustomShortcut{KeyName: fyne.KeyPlus, Modifier: mods | fyne.KeyModifierShift})
	}
	return all
}

// covered reports whether a dialog or a menu is open.
func (s *Shell) covered() bool { return s.window.Canvas().Overlays().Top() != nil }

// closeForeign closes one of Fyne's own dialogs on Escape, which they ignore; ours handle
// it themselves.
func (s *Shell) closeForeign(key fyne.KeyName) {
	if dialog, ok := s.window.Canvas().Overlays().Top().(*widget.PopUp); ok && key == fyne.KeyEscape {
		dialog.Hide()
	}
}

// keyText writes a shortcut as it is printed on keys.
func keyText(key fyne.KeyName, mods fyne.KeyModifier) string {
	return strings.Join(keysOf(key, mods), "+")
}

// keysOf are the keys of a shortcut as they are printed.
func keysOf(key fyne.KeyName, mods fyne.KeyModifier) (parts []string) {
	for _, m := range []struct {
		mod  fyne.KeyModifier
		name string
	}{
		{fyne.KeyModifierControl, lang.L("Ctrl")},
		{fyne.KeyModifierSuper, "Cmd"},
		{fyne.KeyModifierAlt, "Alt"},
		{fyne.KeyModifierShift, lang.L("Shift")},
	} {
		if mods&m.mod != 0 {
			parts = append(parts, m.name)
		}
	}
	return append(parts, keyName(key))
}

// keyName is what is printed on a key.
func keyName(key fyne.KeyName) string {
	switch key {
	case fyne.KeyLeft:
		return lang.L("Left arrow")
	case fyne.KeyRight:
		return lang.L("Right arrow")
	case fyne.KeyUp:
		return lang.L("Up arrow")
	case fyne.KeyDown:
		return lang.L("Down arrow")
	case fyne.KeyPageDown:
		return lang.L("Page down")
	case fyne.KeyReturn:
		return lang.L("Enter")
	case fyne.KeyEscape:
		return lang.L("Esc")
	case fyne.KeyEqual:
		return "+"
	}
	return string(key)
}

// commands are the actions of the palette without keys: pages of the settings, ways to
// other notes, and what can be done with the open thread or profile.
func (s *Shell) commands() []action {
	list := []action{{name: lang.L("What did I miss since I was last here?"), icon: "assistant", also: lang.L("digest, summary, news, summarise"), do: func() {
		if sc := s.chatScreen(); sc != nil {
			sc.Digest()
		}
	}}}
	switch e := s.route.top(); {
	case e == nil:
	case e.kind == threadEntry:
		list = append(list, action{name: lang.L("Summarise this thread"), icon: "assistant", also: lang.L("summary, assistant, sum up"), do: func() { s.Summarise(e.note) }})
	case e.kind == profileEntry:
		list = append(list, action{name: lang.L("Copy this person’s key"), icon: "copy", also: "npub", do: func() { s.Copy(e.who.Npub()) }})
	}
	for _, page := range []struct{ name, title, also string }{
		{"account", lang.L("Settings: account"), lang.L("person, name, key, npub, profile, you, read as")},
		{"assistant", lang.L("Settings: assistant"), lang.L("model, AI, Ollama, provider, key, password, privacy, offline, price, prompt, temperature, daily digest, notification")},
		{"tools", lang.L("Settings: tools and permissions"), lang.L("MCP, servers, permissions, allow")},
		{"relays", lang.L("Settings: relays"), lang.L("servers, days, how far back, fetch")},
		{"appearance", lang.L("Settings: appearance"), lang.L("language, German, English, dark, theme, font, pictures, compact")},
		{"storage", lang.L("Settings: storage"), lang.L("delete, remove, disk, space, folder, backup, export, save, data")},
		{"about", lang.L("Settings: about"), lang.L("version, licence, help")},
	} {
		list = append(list, action{name: page.title, icon: "settings", also: page.also, do: func() { s.OpenSettings(page.name) }})
	}
	list = append(list, action{name: lang.L("Use another account"), icon: "users", also: lang.L("account, person, change, log in, sign in, switch"), do: s.ChoosePerson})
	if s.session.sample {
		return append(list, action{name: lang.L("Leave the sample"), icon: "home", also: lang.L("own notes, demo, exit"), do: s.LeaveSample})
	}
	return append(list, action{name: lang.L("Open the sample"), icon: "home", also: lang.L("demo, example, try, look around"), do: s.OpenSample})
}

// welcomeActions are the actions on the welcome screen, before an account is chosen.
func (s *Shell) welcomeActions() []action {
	list := []action{{name: lang.L("Open the sample"), icon: "home", also: lang.L("demo, example, try, look around"), do: s.OpenSample}}
	for _, a := range s.actions() {
		if a.anywhere || a.always {
			list = append(list, a)
		}
	}
	return list
}

// paletteActions are the actions that the palette offers now; none while nothing is open.
func (s *Shell) paletteActions() []action {
	switch {
	case s.ready():
		return append(s.actions(), s.commands()...)
	case s.session != nil && s.session.welcome != nil:
		return s.welcomeActions()
	}
	return nil
}
