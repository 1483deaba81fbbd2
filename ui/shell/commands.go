package shell

import "fyne.io/fyne/v2/lang"

// commands are what the palette does besides the actions that have a key: pages of
// the settings, ways to read, and what can be done with the thread that is open.
// Each is found by the words that people may have for it, too.
func (s *Shell) commands() []action {
	list := s.hereCommands()
	for _, page := range []struct{ name, title, also string }{
		{"account", lang.L("Settings: account"), lang.L("person, name, key, npub, profile, you, read as")},
		{"assistant", lang.L("Settings: assistant"), lang.L("model, AI, Ollama, provider, key, password, privacy, offline, price, prompt, temperature, daily digest, notification")},
		{"relays", lang.L("Settings: relays"), lang.L("servers, days, how far back, fetch")},
		{"appearance", lang.L("Settings: appearance"), lang.L("language, German, English, dark, theme, font, pictures, compact")},
		{"storage", lang.L("Settings: storage"), lang.L("delete, remove, disk, space, folder, backup, export, save, data")},
		{"about", lang.L("Settings: about"), lang.L("version, licence, help")},
	} {
		list = append(list, action{name: page.title, also: page.also, do: func() { s.OpenSettings(page.name) }})
	}
	return append(list, s.wayCommands()...)
}

// wayCommands lead to other notes than those that are open.
func (s *Shell) wayCommands() []action {
	list := []action{{name: lang.L("Use another account"), also: lang.L("account, person, change, log in, sign in, switch"), do: s.ChoosePerson}}
	if s.session.sample {
		return append(list, action{name: lang.L("Leave the sample"), also: lang.L("own notes, demo, exit"), do: s.LeaveSample})
	}
	return append(list, action{name: lang.L("Open the sample"), also: lang.L("demo, example, try, look around"), do: s.OpenSample})
}

// hereCommands are about what is open.
func (s *Shell) hereCommands() []action {
	list := []action{{name: lang.L("What did I miss since I was last here?"), also: lang.L("digest, summary, news, summarise"), do: func() {
		if sc := s.chatScreen(); sc != nil {
			sc.Digest()
		}
	}}}
	if e := s.route.top(); e != nil && e.kind == threadEntry {
		id := e.note
		list = append(list, action{name: lang.L("Summarise this thread"), also: lang.L("summary, assistant, sum up"), do: func() { s.Summarise(id) }})
	}
	if e := s.route.top(); e != nil && e.kind == profileEntry {
		who := e.who
		list = append(list, action{name: lang.L("Copy this person’s key"), also: "npub", do: func() { s.Copy(who.Npub()) }})
	}
	return list
}

// welcomeActions are what can be done while nobody is chosen yet.
func (s *Shell) welcomeActions() []action {
	list := []action{{name: lang.L("Open the sample"), also: lang.L("demo, example, try, look around"), do: s.OpenSample}}
	for _, a := range s.actions() {
		if a.anywhere || a.always {
			list = append(list, a)
		}
	}
	return list
}

// paletteActions are all that the palette offers now; none while nothing is open.
func (s *Shell) paletteActions() []action {
	switch {
	case s.ready():
		return append(s.actions(), s.commands()...)
	case s.session != nil && s.session.welcome != nil:
		return s.welcomeActions()
	}
	return nil
}
