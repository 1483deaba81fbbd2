package shell

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// showKeys lists the keys.
func (s *Shell) showKeys() {
	groups := map[string][]fyne.CanvasObject{}
	var order []string
	for _, k := range append(s.actions(), everywhereKeys()...) {
		if k.key == "" {
			continue
		}
		if groups[k.group] == nil {
			order = append(order, k.group)
		}
		groups[k.group] = append(groups[k.group], layout.Row(24, 0,
			prose.Plain(k.name, theme.Small, theme.Text),
			widgets.NewLabel(keyText(k.key, k.mods), theme.Small, theme.Muted)))
	}
	var done func()
	out := widgets.Named("keys.close", widgets.NewIconButton("close", lang.L("Close"), func() { done() }))
	title := prose.New(prose.Span{Text: lang.L("Keyboard shortcuts"), Size: theme.Title, Bold: true})
	content := layout.Column(14, layout.Row(8, 0, title, out))
	for _, g := range order {
		lines := append([]fyne.CanvasObject{prose.New(prose.Span{Text: g, Size: theme.Small, Bold: true})}, groups[g]...)
		content.Add(layout.Column(4, lines...))
	}
	done = widgets.ShowDialog(s.window, content)
}

// everywhereKeys are the keys that screens and widgets handle, for the list of keys.
func everywhereKeys() []action {
	chat, move := lang.L("In the chat"), lang.L("Moving about")
	return []action{
		{name: lang.L("Send"), key: fyne.KeyReturn, group: chat},
		{name: lang.L("New line"), key: fyne.KeyReturn, mods: fyne.KeyModifierShift, group: chat},
		{name: lang.L("Stop the answer"), key: fyne.KeyEscape, group: chat},
		{name: lang.L("Edit the last question"), key: fyne.KeyUp, group: chat},
		{name: lang.L("Next control"), key: fyne.KeyTab, group: move},
		{name: lang.L("Previous control"), key: fyne.KeyTab, mods: fyne.KeyModifierShift, group: move},
		{name: lang.L("Open, press, choose"), key: fyne.KeyReturn, group: move},
		{name: lang.L("Next note"), key: fyne.KeyDown, group: move},
		{name: lang.L("Next page"), key: fyne.KeyPageDown, group: move},
		{name: lang.L("Hide the replies below"), key: fyne.KeyLeft, group: move},
		{name: lang.L("Show the replies below"), key: fyne.KeyRight, group: move},
		{name: lang.L("Close, or back"), key: fyne.KeyEscape, group: move},
	}
}
