package settings

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/widgets"
)

// newAbout says what Bowerbird is, what it sends where, and what it is made of.
func newAbout(s *Screen) page {
	version := s.host.Version()
	copyIt := widgets.Named("settings.copy-version", widgets.NewButton(lang.L("Copy the version"), widgets.Outline, func() { s.env.Go.Copy("Bowerbird " + version) }))
	item := func(what, text string) fyne.CanvasObject {
		return layout.Column(2, prose.New(prose.Span{Text: what, Bold: true}), note(text))
	}
	body := sheet(lang.L("About"),
		section("",
			newField("Bowerbird "+version, lang.L("Keeps your Nostr notes on your computer and tells you what you missed. A satin bowerbird collects blue things and lays them out for show; this one collects notes."), copyIt),
			note(lang.L("Free software under the MIT licence.")),
		),
		section(lang.L("What is sent where"),
			item(lang.L("Relays"), lang.L("They are asked for the notes of the people you follow, and so learn whom you read. Nothing of yours is written to them.")),
			item(lang.L("The assistant"), lang.L("The built-in assistant and models on this computer send nothing. Any other model receives your question and the notes read for it; its host is shown beside its name.")),
			item(lang.L("Pictures"), lang.L("They come directly from the server that holds them, after a click, or at once for people you follow if you choose so.")),
			item(lang.L("Names"), lang.L("If you type a name such as ada@example.com, example.com is asked whose it is.")),
			item(lang.L("Nothing else"), lang.L("No figures about you or your use are collected or sent. Bowerbird does not look for updates.")),
		),
		section(lang.L("Made with"),
			item("Inter", lang.L("The typeface, under the SIL Open Font License. © The Inter Project Authors")),
			item("Fyne", lang.L("The window, under the BSD 3-Clause licence. © Fyne.io developers")),
			item("Badger", lang.L("The store, under the Apache licence 2.0. © Dgraph Labs")),
			item("go-nostr", lang.L("The note format, under the MIT licence. © nbd")),
			item(lang.L("And others"), lang.L("All components and their licences are listed in docs/dependencies.md, which comes with the source.")),
		),
	)
	return still{body, copyIt}
}
