package shell

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/config"
)

// addTray puts an icon into the tray if the program is to stay when its window is closed,
// and the desktop has a tray.
func (s *Shell) addTray() {
	d, ok := s.fyne.(desktop.App)
	if s.tray || !ok || s.opt.Tray == nil || !s.opt.Background && !s.AtLogin() || !s.opt.Tray() {
		return
	}
	s.tray = true
	quit := fyne.NewMenuItem(lang.L("Quit"), s.quit)
	quit.IsQuit = true
	d.SetSystemTrayMenu(fyne.NewMenu("Bowerbird", fyne.NewMenuItem(lang.L("Open Bowerbird"), s.raise), quit))
}

// AtLogin reports whether the program is started when the user logs in.
func (s *Shell) AtLogin() bool { return s.opt.Login != nil && s.opt.Login.On() }

// StartAtLogin switches that on or off. From then on the window can be closed without
// ending the program, or no more.
func (s *Shell) StartAtLogin(on bool) {
	if err := s.opt.Login.Set(on); err != nil {
		s.Toast(err.Error(), "", nil)
		return
	}
	s.addTray()
}

// closeWindow closes the window. With an icon in the tray the program goes on, and says so
// the first time.
func (s *Shell) closeWindow() {
	if !s.tray || !s.opt.Background && !s.AtLogin() {
		s.quit()
		return
	}
	s.rememberWindow()
	s.window.Hide()
	if s.Settings().Window.Stays {
		return
	}
	s.remember(func(set *config.Settings) { set.Window.Stays = true })
	note := fyne.NewNotification(lang.L("Bowerbird is still running"), lang.L("It fetches notes and makes your digest. Its icon in the tray opens the window again, or quits."))
	s.do.Go(func() func() { s.fyne.SendNotification(note); return nil }) // which asks another program
}
