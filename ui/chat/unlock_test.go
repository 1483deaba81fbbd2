package chat

import (
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/zalando/go-keyring"

	"bowerbird/app/chats"
	"bowerbird/app/config"
	"bowerbird/internal/testkit"
	"bowerbird/ui/widgets"
)

// Row 002-1: a key in the file of keys opens its model only after the password, which
// the chat asks for where it is needed.
func TestALockedFileOfKeysIsOpenedFromTheChat(t *testing.T) {
	keyring.MockInitWithError(errors.New("no keyring"))
	t.Cleanup(keyring.MockInit)
	const password, secret = "a long enough password", "sk-planted-0123456789"
	server := testkit.NewModelServer(t, testkit.SSE(`{"choices":[{"index":0,"delta":{"content":"Here I am."},"finish_reason":"stop"}]}`))
	p := &program{t: t, dir: t.TempDir()}
	a := p.start()
	err := errors.Join(
		a.SaveSettings(func(s *config.Settings) { s.Assistant.Model, s.Assistant.BaseURL = "custom:m", server.URL }),
		a.Models().CreateKeyFile(password),
	)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Models().SetKey(t.Context(), "custom", server.URL, secret); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}

	a = p.start()
	st := setStage(t, a, plain, window)
	defer p.stop(st, a)
	st.askIt("Are you there?")
	if got := st.rowKinds(); got != "question problem end" || len(server.Received()) != 0 {
		t.Fatalf("shown are %s, and the server was asked %d times", got, len(server.Received()))
	}
	st.press("chat.do.unlock")
	st.Picture("unlock")
	entry := st.named("keyfile.password").(*widgets.Entry)
	entry.SetText("another password")
	st.press("keyfile.do")
	st.Until("it was tried", func() bool { return !st.named("keyfile.do").(fyne.Disableable).Disabled() })
	st.Settle()
	if shown := test.RenderToMarkup(st.Window.Canvas()); !strings.Contains(shown, "Wrong password.") {
		t.Error("it is not said that the password is another")
	}
	st.Picture("unlock-refused")
	entry.SetText(password)
	entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	st.Until("it is answered", func() bool { return st.open.running == nil && st.open.turns[0].State == chats.Done })
	st.Settle()
	if turn := st.open.turns[0]; !strings.HasSuffix(turn.Plain(), "Here I am.") || st.named("keyfile.do") != nil {
		t.Errorf("%q", turn.Plain())
	}
	got := server.Received()
	if len(got) != 1 || got[0].Header.Get("Authorization") != "Bearer "+secret {
		t.Errorf("%d requests came", len(got))
	}
	st.menu("What was sent")
	st.Until("the panel is shown", func() bool { return st.sent.shown })
	st.sent.choose(0, true)
	st.Settle()
	if shown := test.RenderToMarkup(st.Window.Canvas()); strings.Contains(shown, secret) || !strings.Contains(shown, "Authorization") {
		t.Error("the key is shown, or not that one was sent")
	}
}
