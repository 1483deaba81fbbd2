package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// clipboard returns what another program would paste.
func (w *window) clipboard() string {
	w.t.Helper()
	cmd := exec.Command("xclip", "-selection", "clipboard", "-out")
	cmd.Env = w.env
	out, err := cmd.Output()
	if err != nil {
		return "" // nothing was copied yet
	}
	return string(out)
}

// copied waits until the clipboard holds something else than before.
func (w *window) copied(before string) (now string) {
	w.t.Helper()
	w.until("something on the clipboard", func() bool {
		now = w.clipboard()
		return now != "" && now != before
	})
	return now
}

// titles are those of the saved chats.
func (p *program) titles(t *testing.T) (titles []string) {
	t.Helper()
	list := decode[struct{ Chats []struct{ Title string } }](t, p.must(t, "--sample", "--json", "chats").out)
	for _, c := range list.Chats {
		titles = append(titles, c.Title)
	}
	return titles
}

// TestAnAnswerIsCopiedAndItsChatRenamedDeletedAndBroughtBack does in the real window
// what is done with a chat once it is there.
func TestAnAnswerIsCopiedAndItsChatRenamedDeletedAndBroughtBack(t *testing.T) {
	if _, err := exec.LookPath("xclip"); err != nil {
		t.Skip("xclip is not installed; packaging/setup.sh test installs it")
	}
	p := installed(t)
	if err := os.WriteFile(filepath.Join(p.data, "settings.toml"), []byte("[window]\nsample = true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w := newDisplay(t, "1300x900").openWindow(p)
	w.click("chat.entry")
	w.typeText("What did I miss since yesterday?")
	w.key("Return")
	w.wait("cite:*")
	w.xdotool("mousemove", "900", "400", "click", "--repeat", "60", "--delay", "20", "5")
	w.click("chat.copy")
	plain := w.copied("")
	note := regexp.MustCompile(`nostr:(note|nevent)1[02-9ac-hj-np-z]{50,}`)
	if !note.MatchString(plain) || strings.Contains(plain, "^1") {
		t.Errorf("the answer was copied without links to its notes:\n%s", plain)
	}
	w.click("chat.more")
	w.click("menu:Copy as Markdown")
	markdown := w.copied(plain)
	if !strings.HasPrefix(markdown, "> What did I miss since yesterday?\n") || !note.MatchString(markdown) || !strings.Contains(markdown, "](nostr:") {
		t.Errorf("the answer was copied as Markdown like this:\n%s", markdown)
	}

	w.click("chat.history")
	w.click("history.more:*")
	w.click("menu:Rename")
	w.wait("chat.rename")
	w.typeText("My week")
	w.key("Return")
	w.until("the dialog to close", func() bool { _, open := w.find("chat.rename"); return !open })
	w.keep("chat-1-renamed")

	w.click("history.more:*")
	w.click("menu:Delete")
	w.until("the chat to go", func() bool { _, there := w.find("history:*"); return !there })
	w.keep("chat-2-deleted")
	w.click("toast.action")
	w.wait("history:*")
	w.keep("chat-3-back")
	w.click("history:*")
	w.wait("cite:*")
	w.quit()
	if got := p.titles(t); len(got) != 1 || got[0] != "My week" {
		t.Errorf("the saved chats are %q", got)
	}
}
