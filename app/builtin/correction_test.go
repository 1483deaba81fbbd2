package builtin

import (
	"strings"
	"testing"
)

// A claim is told with the answer that says it is not so, in whatever words.
func TestAClaimComesWithItsCorrection(t *testing.T) {
	for name, tt := range map[string]struct{ claim, answer, noise string }{
		"no":       {"Vellin will tax every garden shed from spring on, a clerk told me.", "I went through all 38 pages: no tax on any garden shed in Vellin, only on 2 kinds of greenhouses.", "sheds are sacred, hands off"},
		"German":   {"In Ostermoor wird das Brunnenwasser gesperrt, sagt ein Nachbar.", "Habe beim Amt angerufen: Das Brunnenwasser in Ostermoor wird nicht gesperrt, nur 2 Brunnen gereinigt.", "unser Nachbar sagt ständig sowas"},
		"Japanese": {"来月から青葉図書館が閉館するらしいです。", "市役所に確認しました。青葉図書館は閉館しません。改装は2週間だけです。", "悲しい知らせ"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCircle()
			c.used(60, everyday...)
			claim := c.says("ann", 1, tt.claim)
			c.answers(claim, "bob", 1, tt.noise)
			answer := c.answers(claim, "cat", 1, tt.answer)
			c.liked(claim, strings.Fields("dan eve fay gil hal ida jon")...)
			d := c.draft()
			if len(d.main) == 0 || len(d.main[0].cites) != 2 || d.main[0].cites[0].note != answer || d.main[0].cites[1].note != claim || !d.main[0].cites[0].now {
				t.Errorf("got\n%s", &d)
			}
		})
	}
}

// An answer that negates something else is no correction.
func TestAnAnswerThatNegatesSomethingElseCorrectsNothing(t *testing.T) {
	c := newCircle()
	c.used(60, everyday...)
	claim := c.says("ann", 1, "Vellin will tax every garden shed from spring on, a clerk told me.")
	c.answers(claim, "bob", 1, "I have not slept since Monday, the 3 dogs next door bark at the moon.")
	c.liked(claim, strings.Fields("dan eve fay gil hal ida jon")...)
	if d := c.draft(); !d.leads(claim) || d.main[0].cites[0].now {
		t.Errorf("got\n%s", &d)
	}
}
