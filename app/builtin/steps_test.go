package builtin

import (
	"testing"

	"bowerbird/tools"
)

// However many steps reading took, what was found is shown.
func TestTheLastStepsAreForShowing(t *testing.T) {
	c := newCircle()
	for _, who := range []string{"ann", "bob"} {
		c.answers(&note{id: "0000000000000000000000000000000000000000000000000000000000000abc"}, who, 1, "and what about the goats?")
	}
	offered := map[string]bool{"query": true, "get_note": true}
	for steps := range maxSteps {
		p := &plan{turn: &turn{steps: steps, offered: offered}}
		if p.fetchTargets(c.corpus); p.waiting() != (steps < readUntil) {
			t.Errorf("after %d steps single notes are asked for: %t", steps, p.waiting())
		}
		p = &plan{turn: &turn{steps: steps, offered: offered}}
		if p.pages(tools.CountArgs{}, []page{{since: 1, until: 2}}); p.waiting() != (steps < readUntil) {
			t.Errorf("after %d steps pages are asked for: %t", steps, p.waiting())
		}
		p = &plan{turn: &turn{steps: steps, offered: map[string]bool{"present_notes": true}}}
		if p.present([]string{"abc"}); !p.waiting() {
			t.Errorf("after %d steps notes are not shown", steps)
		}
	}
}
