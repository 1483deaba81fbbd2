package shell

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// find returns the actions that match a text: each of its words must begin a word of the
// name or of the synonyms. Those whose name begins with the text come first.
func find(list []action, text string) []action {
	words := strings.Fields(strings.ToLower(text))
	var found []action
	for _, a := range list {
		if !a.quiet && hasAll(strings.Fields(strings.ToLower(a.name+" "+a.also)), words) {
			found = append(found, a)
		}
	}
	text = strings.ToLower(strings.TrimSpace(text))
	slices.SortStableFunc(found, func(a, b action) int {
		return starts(b, text) - starts(a, text)
	})
	return found
}

func starts(a action, text string) int {
	if text != "" && strings.HasPrefix(strings.ToLower(a.name), text) {
		return 1
	}
	return 0
}

func hasAll(have, want []string) bool {
	for _, w := range want {
		if !slices.ContainsFunc(have, func(h string) bool { return strings.HasPrefix(h, w) }) {
			return false
		}
	}
	return true
}

// mostFound is how many lines the palette shows at a time.
const mostFound = 14

// linesFrom returns the first of n lines to show, so that the selected one is visible.
func linesFrom(selected, n int) int {
	return max(0, min(selected-mostFound/2, n-mostFound))
}

// openPalette shows a field that runs actions by name. Any other text can be searched for
// or asked.
func (s *Shell) openPalette() {
	all := s.paletteActions()
	if len(all) == 0 {
		return
	}
	var done func()
	list := layout.Column(0)
	var shown []action
	selected := 0
	entry := widgets.Named("palette.entry", widgets.NewEntry(lang.L("What do you want to do?")))
	fill := func() {
		list.Objects = nil
		from := linesFrom(selected, len(shown))
		to := min(from+mostFound, len(shown))
		for i, a := range shown[from:to] {
			list.Add(paletteLine(a, from+i == selected, func() { done(); a.do() }))
		}
		if hidden := len(shown) - (to - from); hidden > 0 {
			list.Add(layout.Pad(layout.Sides(7, 10), widgets.NewLabel(
				lang.N("{{.N}} more: type, or go on with the arrow keys", hidden, map[string]any{"N": hidden}), theme.Small, theme.Faint)))
		}
		list.Refresh()
	}
	search := func(text string) {
		shown = append(find(all, text), s.otherwise(text)...)
		selected = 0
		fill()
	}
	entry.OnChanged = search
	entry.OnSubmitted = func(string) {
		if selected < len(shown) {
			done()
			shown[selected].do()
		}
	}
	entry.OnKey = func(key fyne.KeyName) bool {
		step := map[fyne.KeyName]int{fyne.KeyDown: 1, fyne.KeyUp: -1}[key]
		if step == 0 || len(shown) == 0 {
			return false
		}
		selected = (selected + step + len(shown)) % len(shown)
		fill()
		return true
	}
	search("")
	done = widgets.ShowDialog(s.window, layout.Column(10, entry, list))
	s.window.Canvas().Focus(entry)
}

// otherwise returns what can be done with a text that is no action.
func (s *Shell) otherwise(text string) []action {
	text = strings.TrimSpace(text)
	if text == "" || !s.ready() {
		return nil
	}
	return []action{
		{name: lang.L("Search notes and people for “{{.Text}}”", map[string]any{"Text": text}), do: func() { s.Search(text) }},
		{name: lang.L("Ask the assistant: “{{.Text}}”", map[string]any{"Text": text}), do: func() { s.Ask(text) }},
	}
}

func paletteLine(a action, selected bool, do func()) fyne.CanvasObject {
	name := widgets.NewLabel(a.name, theme.Body, theme.Text)
	keys := ""
	if a.key != "" {
		keys = keyText(a.key, a.mods)
	}
	line := widgets.Named("palette:"+a.name, widgets.NewTappable(layout.Pad(layout.Sides(7, 10),
		layout.Row(12, 0, name, widgets.NewLabel(keys, theme.Small, theme.Faint))), do))
	line.SetSelected(selected)
	return line
}

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
			widgets.NewLabel(k.name, theme.Small, theme.Text),
			widgets.NewLabel(keyText(k.key, k.mods), theme.Small, theme.Muted)))
	}
	var done func()
	out := widgets.Named("keys.close", widgets.NewIconButton("close", lang.L("Close"), func() { done() }))
	title := prose.New(prose.Span{Text: lang.L("Keys"), Size: theme.Title, Bold: true})
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
