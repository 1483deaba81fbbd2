package screentest

import (
	"fyne.io/fyne/v2"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/screen"
)

var _ screen.Navigator = (*Calls)(nil)

// Calls is a navigator that goes nowhere and keeps where it was led.
type Calls struct {
	Log  []string // "thread ID", "search WORDS", "toast TEXT" and so on
	Undo func()   // what the last toast offered
	In   fyne.Window
}

func (c *Calls) add(s string) { c.Log = append(c.Log, s) }

// Last returns the last call; "" for none.
func (c *Calls) Last() string {
	if len(c.Log) == 0 {
		return ""
	}
	return c.Log[len(c.Log)-1]
}

// OpenThread implements screen.Navigator.
func (c *Calls) OpenThread(id nostr.ID) { c.add("thread " + id.String()) }

// OpenProfile implements screen.Navigator.
func (c *Calls) OpenProfile(pk nostr.PubKey) { c.add("profile " + pk.String()) }

// OpenArticle implements screen.Navigator.
func (c *Calls) OpenArticle(id nostr.ID) { c.add("article " + id.String()) }

// Search implements screen.Navigator.
func (c *Calls) Search(q string) { c.add("search " + q) }

// Ask implements screen.Navigator.
func (c *Calls) Ask(q string) { c.add("ask " + q) }

// AskAbout implements screen.Navigator.
func (c *Calls) AskAbout(pk nostr.PubKey, _, q string) { c.add("ask about " + pk.String() + ": " + q) }

// Summarise implements screen.Navigator.
func (c *Calls) Summarise(id nostr.ID) { c.add("summarise " + id.String()) }

// OpenSettings implements screen.Navigator.
func (c *Calls) OpenSettings(page string) { c.add("settings " + page) }

// OpenRelays implements screen.Navigator.
func (c *Calls) OpenRelays() { c.add("relays") }

// OpenURL implements screen.Navigator.
func (c *Calls) OpenURL(url string) { c.add("url " + url) }

// Copy implements screen.Navigator.
func (c *Calls) Copy(text string) { c.add("copy " + text) }

// Toast implements screen.Navigator.
func (c *Calls) Toast(text, _ string, do func()) {
	c.add("toast " + text)
	c.Undo = do
}

// Back implements screen.Navigator.
func (c *Calls) Back() { c.add("back") }

// Window implements screen.Navigator.
func (c *Calls) Window() fyne.Window { return c.In }
