package chat

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/app/agent"
	"bowerbird/internal/testkit"
	"bowerbird/tools"
)

func TestTheApprovalIsThatOfThePreviewThatWasShown(t *testing.T) {
	p := agent.Preview{Turn: "t", Call: "c", Tool: "publish_note", Effect: tools.Publishes, Arguments: `{"content":"good\u202emorning"}`, Tainted: true}
	for name, answer := range map[string]struct {
		press   string
		granted bool
	}{"yes": {"approve.yes", true}, "no": {"approve.no", false}, "escape": {"", false}} {
		t.Run(name, func(t *testing.T) {
			st := setStage(t, openApp(t), plain, window)
			given := make(chan agent.Approval, 1)
			go func() {
				a, err := (&approver{st.Screen}).Approve(t.Context(), p)
				if err != nil {
					t.Error(err)
				}
				given <- a
			}()
			st.Until("it asks", func() bool { return st.named("approve.yes") != nil })
			if focused := st.Window.Canvas().Focused(); focused != st.named("approve.no").(fyne.Focusable) {
				t.Errorf("the keyboard is at %T", focused)
			}
			if answer.press == "approve.yes" {
				st.named(answer.press).(fyne.Tappable).Tapped(&fyne.PointEvent{})
				if st.named(answer.press) == nil {
					t.Fatal("yes was taken before it could have been read")
				}
				st.Until("yes can be pressed", func() bool { return !st.named(answer.press).(fyne.Disableable).Disabled() })
			}
			if answer.press == "" {
				st.Window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
			} else {
				st.named(answer.press).(fyne.Tappable).Tapped(&fyne.PointEvent{})
			}
			if a := testkit.Receive(t, "the answer", given); a.Granted != answer.granted || a.Hash != p.Hash() {
				t.Errorf("%+v", a)
			}
		})
	}
	shown := fmt.Sprint(argumentsOf(p.Arguments))
	if !strings.Contains(shown, "⟦U+202E⟧") {
		t.Errorf("a hidden character is hidden: %s", shown)
	}
}

func TestDifferentArgumentsLookDifferent(t *testing.T) {
	seen := map[string]string{}
	for _, raw := range []string{
		`{"a":["a, b"]}`, `{"a":["a","b"]}`, `{"a":"a, b"}`, `{"a":null}`, `{"a":""}`, `{"a":[]}`, `{"a":"1"}`, `{"a":1}`, `{"a":"b"}`, `{"a":"\"b\""}`, `{"a":" b"}`, `{"a":{"b":1}}`, `{"a":"{\"b\":1}"}`, `{"a":"[]"}`, `{"a":"null"}`,
		`{"a":1}{"b":2}`, `{"a":1} x`, `{"content":1}`, `{"content":"one"}`, `{"content":["one"]}`, `{"content":null}`, `{"a":1`, `{`, `"a"`,
	} {
		shown := fmt.Sprint(argumentsOf(raw))
		if other, there := seen[shown]; there {
			t.Errorf("%s and %s are both shown as %s", raw, other, shown)
		}
		seen[shown] = raw
	}
	if got := argumentsOf(`{"content":"good\nmorning"}`); len(got) != 1 || got[0].value != "good\nmorning" {
		t.Errorf("a note is shown as %+v", got)
	}
	if got := argumentsOf(`{"path":"/home/me/a.txt","edits":[{"old":"x"}],"dry":true}`); len(got) != 3 || got[0].value != "/home/me/a.txt" ||
		got[1].value != "[\n  {\n    \"old\": \"x\"\n  }\n]" || !got[1].code || got[2].value != "true" {
		t.Errorf("the arguments are shown as %+v", got)
	}
	if got := argumentsOf(`{"a":1} {"content":"more"}`); len(got) != 1 || !strings.Contains(got[0].value, "more") {
		t.Errorf("what stands behind is shown as %+v", got)
	}
}

func TestAStoppedTurnTakesItsDialogAway(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := (&approver{st.Screen}).Approve(ctx, agent.Preview{Arguments: "{}"})
		failed <- err
	}()
	st.Until("it asks", func() bool { return st.named("approve.yes") != nil })
	cancel()
	if err := testkit.Receive(t, "the end of the question", failed); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	st.Settle()
	if st.named("approve.yes") != nil {
		t.Error("the dialog is still there")
	}
}

// What a tool of a server does is not known: nobody is asked whether to "delete" by it.
func TestTheQuestionAboutAToolOfAServerNamesTheServer(t *testing.T) {
	setStage(t, openApp(t), plain, window)
	content, _ := approval(agent.Preview{Tool: "mcp__library__reserve", Source: "mcp:library", Effect: tools.Deletes, Arguments: `{"book":"Walden"}`}, func(bool) {})
	var words strings.Builder
	for _, o := range test.LaidOutObjects(content) {
		if text, ok := o.(interface{ String() string }); ok {
			words.WriteString(text.String() + "\n")
		}
	}
	for _, want := range []string{"the server library", "may change or delete", "Walden", "mcp__library__reserve"} {
		if !strings.Contains(words.String(), want) {
			t.Errorf("%q is missing in\n%s", want, words.String())
		}
	}
	if strings.Contains(words.String(), "Delete this permanently") {
		t.Error(words.String())
	}
}
