package note

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// What stands here is the card's own until ui/widgets and the theme's icons are
// there: avatar, icons, the button for the menu, the menu.

type avatar struct {
	widget.BaseWidget
	disc *canvas.Circle
	text *canvas.Text
	size float32
}

func newAvatar(size float32) *avatar {
	a := &avatar{disc: canvas.NewCircle(nil), text: canvas.NewText("", nil), size: size}
	a.text.Alignment = fyne.TextAlignCenter
	a.text.TextStyle.Bold = true
	a.ExtendBaseWidget(a)
	return a
}

func (a *avatar) SetPerson(name string, key [32]byte) {
	a.disc.FillColor = theme.Series(int(key[0]))
	a.text.Color, a.text.TextSize = theme.Color(theme.OnPrimary), a.size*0.4
	a.text.Text = ""
	for _, r := range name {
		a.text.Text = string(r)
		break
	}
	a.Refresh()
}

func (a *avatar) MinSize() fyne.Size { return fyne.NewSquareSize(a.size) }

func (a *avatar) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(layout.Stack(a.disc, a.text))
}

func icon(name string) fyne.Resource {
	switch name {
	case "reply":
		return fynetheme.MailReplyIcon()
	case "repost":
		return fynetheme.ViewRefreshIcon()
	case "more":
		return fynetheme.MoreHorizontalIcon()
	case "heart":
		return fynetheme.ConfirmIcon()
	}
	return fynetheme.InfoIcon()
}

type iconButton struct {
	pressable
	ID string
}

func newIconButton(name, _ string, tap func()) *iconButton {
	b := &iconButton{}
	image := canvas.NewImageFromResource(icon(name))
	image.SetMinSize(fyne.NewSquareSize(16))
	b.content, b.in, b.tap, b.radius = image, layout.All(6), tap, theme.RadiusChip
	b.ExtendBaseWidget(b)
	return b
}

func (b *iconButton) DumpName() string { return b.ID }

type menuItem struct {
	Label string
	Tap   func()
}

func showMenu(at fyne.CanvasObject, items ...menuItem) {
	d := fyne.CurrentApp().Driver()
	c := d.CanvasForObject(at)
	if c == nil {
		return
	}
	menu := fyne.NewMenu("")
	for _, i := range items {
		menu.Items = append(menu.Items, fyne.NewMenuItem(i.Label, i.Tap))
	}
	pos := d.AbsolutePositionForObject(at)
	widget.ShowPopUpMenuAtPosition(menu, c, pos.AddXY(0, min(at.Size().Height, 40)))
}
