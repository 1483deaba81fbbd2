package shell

import (
	"errors"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/assets"
	"bowerbird/ndb"
	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/welcome"
	"bowerbird/ui/widgets"
)

func logoMark(side float32) fyne.CanvasObject {
	img := canvas.NewImageFromResource(fyne.NewStaticResource("bowerbird.png", assets.Icon))
	img.FillMode = canvas.ImageFillContain
	img.SetMinSize(fyne.NewSquareSize(side))
	return img
}

// page is a message in the middle of an empty window.
func page(title, text string, actions ...fyne.CanvasObject) fyne.CanvasObject {
	heading := prose.New(prose.Span{Text: title, Size: theme.Title, Bold: true})
	heading.Align = fyne.TextAlignCenter
	body := prose.Plain(text, theme.Body, theme.Muted)
	body.Align = fyne.TextAlignCenter
	content := layout.Column(14, centre(logoMark(60)), heading, body)
	for _, a := range actions {
		content.Add(centre(a))
	}
	return stackOf(newGround(), container.New(&welcome.Middle{Most: 460, Margin: 16}, content))
}

// opening is shown while a store opens.
func opening(text string) fyne.CanvasObject { return page(text, "") }

// cannotOpen says why there is nothing to see, and what to do.
func (s *Shell) cannotOpen(err error, sample bool) fyne.CanvasObject {
	title, text := lang.L("Your notes cannot be opened"), err.Error()
	var inUse *ndb.InUseError
	switch {
	case errors.As(err, &inUse):
		title = lang.L("Bowerbird is open already")
		text = lang.L("Another Bowerbird (process {{.Process}}) uses these notes. Close it, or go on there.",
			map[string]any{"Process": strconv.Itoa(inUse.PID)})
	case errors.Is(err, ndb.ErrNoSpace):
		title = lang.L("The disk is full")
		text = lang.L("Bowerbird needs some free space to open its notes. Nothing is lost: free some space and try again.")
	}
	again := widgets.NewButton(lang.L("Try again"), widgets.Primary, func() { s.open(sample, nil) })
	again.ID = "open.again"
	actions := []fyne.CanvasObject{again}
	if !sample {
		look := widgets.NewButton(lang.L("Open the sample"), widgets.Outline, s.OpenSample)
		look.ID = "open.sample"
		actions = append(actions, look)
	}
	return page(title, text, actions...)
}

// welcome asks what to read. back leads to what was open; nil for nothing.
func (s *Shell) welcome(back func()) {
	ses := s.session
	for _, sc := range ses.shown {
		ses.hide(sc)
	}
	ses.shown = nil
	opt := welcome.Options{
		Do:         s.do,
		LookUp:     ses.app.LookUp,
		OpenSample: s.OpenSample,
		ReadAs:     s.readAs,
	}
	if back != nil {
		opt.Back = func() { ses.welcome.Close(); back() }
	}
	ses.welcome = welcome.New(opt)
	s.rootShows(stackOf(newGround(), ses.welcome.Content()))
	ses.welcome.Focus(s.window.Canvas())
}

// readAs goes on as a person, in the user's own notes.
func (s *Shell) readAs(p app.Person) {
	ses := s.session
	ses.welcome.Close()
	s.rootShows(opening(lang.L("Opening your notes")))
	s.do.Go(func() func() {
		err := ses.app.ReadAs(ses.ctx, p.PubKey)
		return func() {
			if s.session != ses {
				return
			}
			if err != nil {
				s.rootShows(s.cannotOpen(err, false))
				return
			}
			if s.Settings().Window.Sample { // they came from it
				s.remember(func(set *app.Settings) { set.Window.Sample = false })
			}
			s.begin()
		}
	})
}
