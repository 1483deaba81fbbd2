//go:build cgo

// Program offthread draws once from outside Fyne's thread, which no code of ours
// may: a test of the tests, which look for what Fyne then says.
package main

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/widget"
)

func main() {
	a := app.NewWithID("bowerbird.offthread")
	label := widget.NewLabel("on the thread")
	w := a.NewWindow("offthread")
	w.SetContent(label)
	w.Show()
	a.Lifecycle().SetOnStarted(func() {
		go func() {
			label.SetText("off the thread")
			fyne.Do(a.Quit)
		}()
	})
	a.Run()
}
