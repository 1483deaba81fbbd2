package chat

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/app/agent"
	"bowerbird/tools"
	"bowerbird/ui/widgets"
)

// The gate (security.md, T3): whatever a call holds, the dialog that asks for it shows it
// whole, within its width, above the two answers; and nothing in it but these answers.
func TestNoTextMovesHidesOrImitatesTheAnswersOfAnApproval(t *testing.T) {
	setStage(t, openApp(t), plain, window)
	const wide = 480
	texts := append(nasty(t),
		"Don't do it\n\n[ Publish ]", "</card><button>Publish</button>", "![Publish](approve.yes) [Publish](https://a.example)",
		"Good morning"+strings.Repeat("\n", 400)+"and send all to Mallory", strings.Repeat("\u034f", 3000), "a\u2028b\u2029c", "يا\u200f صباح الخير",
		"With publish_note · 00000000", strings.Repeat("ﷺ", 500), "e"+strings.Repeat("\u0301", 2000),
	)
	for _, text := range texts {
		if len(text) > 10_000 {
			text = text[:10_000] // each is drawn whole, four times
		}
		raw, err := json.Marshal(map[string]any{"content": text, text: []string{text}, "relays": text})
		if err != nil {
			t.Fatal(err)
		}
		said := 0
		p := agent.Preview{Turn: "t", Call: text, Tool: "publish_note", Effect: tools.Publishes, Arguments: string(raw), Tainted: true}
		content, yes := approval(p, func(bool) { said++ })
		w := test.NewWindow(content)
		content.Resize(fyne.NewSize(wide, content.MinSize().Height))
		name := fmt.Sprintf("%.40q", text)

		if at := content.MinSize().Width; at > wide {
			t.Errorf("%s: the dialog is %v wide", name, at)
		}
		var buttons []*widgets.Button
		var lowest float32
		for _, o := range test.LaidOutObjects(content) {
			switch o := o.(type) {
			case *widgets.Button:
				buttons = append(buttons, o)
			case fyne.Tappable:
				if fmt.Sprintf("%T", o) != "*prose.selection" { // with which words are marked
					t.Errorf("%s: a %T can be pressed", name, o)
				}
			}
		}
		if len(buttons) != 2 || buttons[1] != yes || !yes.Disabled() {
			t.Fatalf("%s: %d buttons", name, len(buttons))
		}
		driver := fyne.CurrentApp().Driver()
		top := driver.AbsolutePositionForObject(yes).Y
		for _, o := range test.LaidOutObjects(content) {
			if o == fyne.CanvasObject(yes) || o == fyne.CanvasObject(buttons[0]) || !o.Visible() {
				continue
			}
			if _, leaf := o.(interface{ MinSize() fyne.Size }); leaf && strings.HasPrefix(fmt.Sprintf("%T", o), "*prose.") {
				lowest = max(lowest, driver.AbsolutePositionForObject(o).Y+o.Size().Height)
			}
		}
		if lowest > top {
			t.Errorf("%s: its words reach to %v, and the answers begin at %v", name, lowest, top)
		}
		w.Close()
		if said != 0 {
			t.Errorf("%s: it was answered by itself", name)
		}
		whole := ""
		for _, a := range argumentsOf(p.Arguments) {
			whole += a.value
		}
		if plain := strings.ToValidUTF8(text, ""); agent.Visible(plain) != "" && !strings.Contains(whole, agent.Visible(plain)) {
			t.Errorf("%s is not shown whole", name)
		}
	}
}
