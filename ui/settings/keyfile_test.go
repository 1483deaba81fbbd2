package settings

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"github.com/zalando/go-keyring"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

const (
	planted  = "sk-planted-0123456789"
	password = "a long enough password"
)

// withoutKeyring opens the settings on a computer that has no keyring, with what lies
// in a folder.
func withoutKeyring(t *testing.T, dir string) *fixture {
	t.Helper()
	keyring.MockInitWithError(errors.New("no keyring"))
	t.Cleanup(keyring.MockInit)
	a, err := app.Open(t.Context(), app.Options{
		Places: config.Locate(dir, ""), Sample: true, Now: func() time.Time { return noon }, Zone: time.UTC,
		Getenv: func(string) string { return "" },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	return openOn(t, a, theme.Options{Mode: theme.Light}, fyne.NewSize(1216, 1800))
}

// dialog is what is shown over the window.
func (f *fixture) dialog(t *testing.T) fyne.CanvasObject {
	t.Helper()
	over := f.window.Canvas().Overlays().Top()
	if over == nil {
		t.Fatal("no dialog is open")
	}
	return over
}

// fill types into the fields of the dialog and presses a button of it.
func (f *fixture) fill(t *testing.T, button string, fields ...string) {
	t.Helper()
	over := f.dialog(t)
	for i := 0; i+1 < len(fields); i += 2 {
		named(t, over, fields[i]).(*widgets.Entry).SetText(fields[i+1])
	}
	f.tapIn(t, over, button)
}

// Row 002-1: where there is no keyring, keys are kept in a file under a password.
func TestWithoutAKeyringKeysAreKeptInAFileUnderAPassword(t *testing.T) {
	s, _ := modelServer(t, planted)
	dir := t.TempDir()
	f := withoutKeyring(t, dir)
	f.another(t, s.URL+"/v1")
	f.entry(t, "settings.key").SetText(planted)
	f.tap(t, "settings.key.save")
	if !strings.Contains(f.words(), "until you close Bowerbird") {
		t.Errorf("not said that the key is kept in memory:\n%s", f.words())
	}

	f.tap(t, "settings.key.file")
	f.draw(t, "password-new")
	for _, tt := range []struct{ one, two, want string }{
		{"short", "short", "at least 8 characters"},
		{password, password + "x", "The passwords are not the same."},
	} {
		f.fill(t, "keyfile.do", "keyfile.new", tt.one, "keyfile.again", tt.two)
		if words := said(f.dialog(t)); !strings.Contains(words, tt.want) {
			t.Errorf("%q and %q: %s", tt.one, tt.two, words)
		}
	}
	if got := named(t, f.dialog(t), "keyfile.new").(*widgets.Entry).Text; got != password {
		t.Errorf("what was typed is lost: %q", got)
	}
	f.fill(t, "keyfile.do", "keyfile.again", password)
	if words := f.words(); f.window.Canvas().Overlays().Top() != nil || !strings.Contains(words, "in the key file, under your password") {
		t.Errorf("after making the file:\n%s", words)
	}
	f.tap(t, "settings.model:wren-small")
	f.Close()
	_ = f.env.App.Close()

	f = withoutKeyring(t, dir)
	f.host.Change(func(set *config.Settings) {
		models.Choice{ID: "custom:wren-small", BaseURL: s.URL + "/v1"}.ChosenIn(set)
	})
	f.ShowPage(Assistant)
	if words := said(f.dialog(t)); !strings.Contains(words, "Unlock the keys") {
		t.Errorf("at the first need the dialog says:\n%s", words)
	}
	f.fill(t, "keyfile.do", "keyfile.password", "not my password")
	if words := said(f.dialog(t)); !strings.Contains(words, "Wrong password.") {
		t.Errorf("after a wrong one:\n%s", words)
	}
	f.draw(t, "password-wrong")
	f.tapIn(t, f.dialog(t), "keyfile.cancel")
	if words := f.words(); !strings.Contains(words, "which is locked") || !strings.Contains(words, "Unlock the keys to list its models") {
		t.Errorf("while locked:\n%s", words)
	}
	f.Shown()
	if f.window.Canvas().Overlays().Top() != nil {
		t.Error("it asks again and again")
	}
	f.tap(t, "settings.unlock")
	f.fill(t, "keyfile.do", "keyfile.password", password)
	if words := f.words(); strings.Contains(words, "locked") || !strings.Contains(words, "2 models") {
		t.Errorf("after unlocking:\n%s", words)
	}

	f.tap(t, "settings.key.file")
	f.fill(t, "keyfile.do", "keyfile.password", password, "keyfile.new", "another password", "keyfile.again", "another password")
	if f.window.Canvas().Overlays().Top() != nil || len(f.go_.calls) == 0 || !strings.Contains(f.go_.calls[len(f.go_.calls)-1], "Password changed.") {
		t.Errorf("after changing the password: %v", f.go_.calls)
	}
	if err := f.env.App.Models().ChangeKeyPassword("another password", password); err != nil {
		t.Errorf("the new password is another: %v", err)
	}
}

func TestWhoForgotThePasswordBeginsWithANewFile(t *testing.T) {
	dir := t.TempDir()
	f := withoutKeyring(t, dir)
	if err := f.env.App.Models().CreateKeyFile(password); err != nil {
		t.Fatal(err)
	}
	if _, err := f.env.App.Models().SetKey(t.Context(), "openrouter", "", planted); err != nil {
		t.Fatal(err)
	}
	f.Close()
	_ = f.env.App.Close()

	f = withoutKeyring(t, dir)
	f.host.Change(func(set *config.Settings) { set.Assistant.Model = "openrouter:birds/owl" })
	f.ShowPage(Assistant)
	f.tapIn(t, f.dialog(t), "keyfile.forgotten")
	if words := said(f.dialog(t)); !strings.Contains(words, "renamed, not deleted") {
		t.Errorf("the way out says:\n%s", words)
	}
	f.tapIn(t, f.dialog(t), "keyfile.aside")
	f.fill(t, "keyfile.do", "keyfile.new", password, "keyfile.again", password)
	if state, err := f.env.App.Models().KeyFile(); state != config.KeyFileOpen || err != nil {
		t.Errorf("the file is %s, %v", state, err)
	}
	if words := f.words(); !strings.Contains(words, "No key yet. A key that you enter is saved in the key file") {
		t.Errorf("after beginning anew:\n%s", words)
	}
}
