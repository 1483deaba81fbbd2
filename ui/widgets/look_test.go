package widgets_test

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	fynewidget "fyne.io/fyne/v2/widget"

	"bowerbird/assets"
	"bowerbird/internal/testkit"
	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

func TestLook(t *testing.T) {
	if testing.Short() {
		t.Skip("takes so long beside the race detector that tips appear, which Fyne's test driver shows off the window's thread")
	}
	for name, opt := range map[string]theme.Options{
		"light": {Mode: theme.Light}, "dark": {Mode: theme.Dark}, "large": {Mode: theme.Light, Scale: 2}, "small": {Mode: theme.Dark, Scale: 0.8},
	} {
		useTheme(t, opt)
		for part, make := range map[string]func() fyne.CanvasObject{"controls": controls, "fyne": fyneControls, "icons": icons} {
			content := make()
			width := float32(900)
			if opt.Scale > 1 {
				width = 1400
			}
			w := show(t, widgets.NewRoot(layout.Stack(widgets.NewGround(theme.Background), layout.Pad(layout.All(24), content))), width, 100)
			w.Resize(fyne.NewSize(width, layout.HeightFor(content, width-48)+48))
			testkit.Picture(t, part+"-"+name, w.Canvas().Capture())
		}
		overlays(t, name)
	}
}

// states are a widget at rest and in each of its states.
func states(make func() fyne.CanvasObject) fyne.CanvasObject {
	row := layout.Row(18, -1)
	for i := range 5 {
		o := make()
		switch i {
		case 1:
			o.(desktop.Hoverable).MouseIn(&desktop.MouseEvent{})
		case 2:
			o.(desktop.Mouseable).MouseDown(&desktop.MouseEvent{Button: desktop.MouseButtonPrimary})
		case 3:
			o.(fyne.Focusable).FocusGained()
		case 4:
			o.(fyne.Disableable).Disable()
		}
		row.Add(o)
	}
	return row
}

func nothing() {}

func controls() fyne.CanvasObject {
	column := layout.Column(16)
	for _, s := range []widgets.Style{widgets.Primary, widgets.Outline, widgets.Quiet, widgets.Danger} {
		column.Add(states(func() fyne.CanvasObject { return widgets.NewButton("Try again", s, nothing) }))
	}
	column.Add(states(func() fyne.CanvasObject { return widgets.NewIconButton("search", "Search", nothing) }))
	column.Add(states(func() fyne.CanvasObject { return widgets.NewLink("Show all 6 sources", nothing) }))
	column.Add(states(func() fyne.CanvasObject { return widgets.NewChip("Who posted most?", nothing) }))
	column.Add(states(func() fyne.CanvasObject { return widgets.NewPicker("From people I follow", nothing) }))
	column.Add(states(func() fyne.CanvasObject {
		return widgets.NewTappable(layout.Pad(layout.All(8), widgets.NewLabel("A row to press", theme.Body, theme.Text)), nothing)
	}))
	avatars := layout.Row(8, -1)
	for i := range 16 {
		avatars.Add(widgets.NewAvatar([32]byte{byte(i * 31)}, 36))
	}
	avatars.Add(widgets.NewAvatar([32]byte{9}, 20))
	column.Add(avatars)
	column.Add(layout.Row(12, -1, widgets.NewSegmented([]string{"Notes", "With replies"}, 0, nil),
		widgets.NewDot(theme.OK), widgets.NewLabel("7 of 8 relays", theme.Small, theme.Muted), widgets.NewDot(theme.Warn), widgets.NewDot(theme.Bad)))
	p := widgets.NewProgress()
	p.SetValue(0.4)
	column.Add(p)
	entry := widgets.NewEntry("Search notes and people")
	typed := widgets.NewEntry("")
	typed.SetText("lmdb from:ada since:7d")
	typed.FocusGained()
	off := widgets.NewEntry("")
	off.SetText("cannot be changed")
	off.Disable()
	column.Add(entry)
	column.Add(typed)
	column.Add(off)
	long := widgets.NewTextEntry("Ask about your notes", 5)
	long.SetText("What did I miss since yesterday evening? And who of the people I follow wrote about moderation of communities, at length?\nAnd a line.")
	column.Add(long)
	column.Add(widgets.NewCard(layout.Column(8, widgets.NewLabel("Ben Okafor wrote a line that is much longer than the card is wide, and then some more words, and more of them until it must be cut off somewhere in the middle", theme.Body, theme.Text), widgets.NewRule(),
		widgets.NewLabel("Yuki 雪 · 今日はいい天気。散歩しながら · مرحبا 😀", theme.Body, theme.Muted))))
	column.Add(widgets.NewCard(layout.Column(10, bold("The model did not accept the key"),
		widgets.NewLabel("openrouter.example answered “401 Invalid API key”. Your question is kept.", theme.Small, theme.Muted),
		layout.Row(8, -1, widgets.NewButton("Enter another key", widgets.Primary, nothing), widgets.NewButton("Ask the built-in instead", widgets.Outline, nothing), widgets.NewButton("Try again", widgets.Outline, nothing)))))
	column.Add(widgets.NewEmpty("download", "Getting your notes", "They appear here as they arrive.", widgets.NewButton("Try again", widgets.Outline, nothing)))
	return column
}

func bold(text string) fyne.CanvasObject {
	l := widgets.NewLabel(text, theme.Body, theme.Text)
	l.Bold = true
	return l
}

// fyneControls are Fyne's own widgets under our theme.
func fyneControls() fyne.CanvasObject {
	check := fynewidget.NewCheck("Show pictures of people I follow", nil)
	check.SetChecked(true)
	slider := fynewidget.NewSlider(80, 200)
	slider.SetValue(120)
	radio := fynewidget.NewRadioGroup([]string{"Light", "Dark", "System"}, nil)
	radio.SetSelected("Dark")
	choice := fynewidget.NewSelect([]string{"One", "Two"}, nil)
	choice.SetSelected("One")
	off := fynewidget.NewCheck("Off", nil)
	off.Disable()
	bar := fynewidget.NewProgressBar()
	bar.SetValue(0.6)
	scroll := widgets.NewScroll(layout.Column(0, widgets.NewGround(theme.Chip), container.NewGridWrap(fyne.NewSize(300, 900), widgets.NewLabel("Scrolled", theme.Body, theme.Text))))
	scroll.Least = fyne.NewSize(300, 120)
	return container.NewVBox(check, off, slider, radio, choice, bar, fynewidget.NewEntry(), fynewidget.NewButton("Fyne's button", nothing), fynewidget.NewMultiLineEntry(), scroll)
}

func icons() fyne.CanvasObject {
	wrap, big := layout.Wrap(18), layout.Wrap(18)
	files, err := assets.Icons.ReadDir("icons")
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(file.Name(), ".svg")
		wrap.Add(layout.Column(4, container.NewCenter(widgets.NewIcon(name, 24, theme.Text)), container.NewCenter(widgets.NewLabel(name, theme.Tiny, theme.Muted))))
		big.Add(widgets.NewIcon(name, 56, theme.Muted))
	}
	return layout.Column(24, wrap, big)
}

// overlays draws what lies above a window.
func overlays(t *testing.T, name string) {
	picker := widgets.NewPicker("From people I follow", nothing)
	list := widgets.NewVirtualList(widgets.VirtualOptions{
		Make: func(string) fyne.CanvasObject {
			return layout.Pad(layout.All(14), widgets.NewLabel("", theme.Body, theme.Text))
		},
		Bind: func(id string, o fyne.CanvasObject) {
			o.(*fyne.Container).Objects[0].(*widgets.Label).SetText(id)
		},
	})
	var ids []string
	for i := range 60 {
		ids = append(ids, fmt.Sprintf("Row %d", i))
	}
	list.SetIDs(ids)
	page := widgets.NewPage(widgets.NewHead(layout.Parted(8, bold("Home"), picker)), list)
	root := widgets.NewRoot(layout.Stack(widgets.NewGround(theme.Surface), page))
	w := show(t, root, 520, 420)
	w.Canvas().Focus(list)
	press(w, fyne.KeyDown, fyne.KeyDown)
	root.ShowToast("Chat deleted", "Undo", nothing)
	root.ShowTip("Choose whose notes are read", picker)
	testkit.Picture(t, "window-"+name, w.Canvas().Capture())
	root.HideTip()
	widgets.ShowMenu(picker, widgets.MenuItem{Text: "People I follow", Checked: true, Do: nothing},
		widgets.MenuItem{Text: "Everyone", Detail: "what is stored here", Do: nothing},
		widgets.MenuItem{Rule: true}, widgets.MenuItem{Text: "This thread", Off: true},
		widgets.MenuItem{Text: "Delete the chat", Do: nothing})
	press(w, fyne.KeyDown, fyne.KeyDown)
	testkit.Picture(t, "menu-"+name, w.Canvas().Capture())
	press(w, fyne.KeyEscape)
	entry := widgets.NewEntry("wss://relay.example")
	cancel := widgets.NewButton("Cancel", widgets.Outline, nothing)
	add := widgets.NewButton("Add relay", widgets.Primary, nothing)
	defer widgets.ShowDialog(w, layout.Column(12, bold("Add a relay"), entry, layout.Row(8, 0, layout.Column(0), cancel, add)))()
	testkit.Picture(t, "dialog-"+name, w.Canvas().Capture())
}
