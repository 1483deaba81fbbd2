package chat

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/internal/testkit"
	"bowerbird/tools"
	"bowerbird/ui/widgets"
)

func askedForm(t *testing.T) tools.Question {
	t.Helper()
	q, err := tools.NewQuestion("weather", "Which\u202e city?", json.RawMessage(`{"type":"object","required":["city"],"properties":{
		"city":{"type":"string","title":"City","description":"in Latin letters","minLength":2},
		"days":{"type":"integer","minimum":1,"maximum":7,"default":3},
		"fast":{"type":"boolean","default":true},
		"parts":{"type":"array","items":{"enum":["rain","wind"]},"default":["wind"]},
		"unit":{"type":"string","oneOf":[{"const":"c","title":"Celsius"},{"const":"f"}],"default":"c"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestWhatAServerAsksIsSentOnlyAsItIsAskedFor(t *testing.T) {
	press := func(st *stage, name string) { st.named(name).(fyne.Tappable).Tapped(&fyne.PointEvent{}) }
	for name, tt := range map[string]struct {
		does func(st *stage)
		want tools.Reply
	}{
		"sent": {func(st *stage) {
			press(st, "ask.send") // without a city
			if st.named("ask.send") == nil {
				t.Fatal("a form with a gap was sent")
			}
			st.named("ask.field.city").(*widgets.Entry).SetText("Bern")
			press(st, "ask.send")
		}, tools.Reply{Accepted: true, Values: map[string]any{"city": "Bern", "days": 3.0, "fast": true, "unit": "c"}}},
		"no":     {func(st *stage) { press(st, "ask.no") }, tools.Reply{}},
		"escape": {func(st *stage) { st.Window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape}) }, tools.Reply{Dismissed: true}},
	} {
		t.Run(name, func(t *testing.T) {
			st := setStage(t, openApp(t), plain, window)
			given := make(chan tools.Reply, 1)
			go func() {
				r, err := (&approver{st.Screen}).Ask(t.Context(), askedForm(t))
				if err != nil {
					t.Error(err)
				}
				given <- r
			}()
			st.Until("it asks", func() bool { return st.named("ask.send") != nil })
			press(st, "ask.send")
			if st.named("ask.send") == nil {
				t.Fatal("it was sent before it could have been read")
			}
			st.Until("it can be sent", func() bool { return !st.named("ask.send").(fyne.Disableable).Disabled() })
			tt.does(st)
			r := testkit.Receive(t, "the reply", given)
			parts, _ := r.Values["parts"].([]any)
			delete(r.Values, "parts")
			if r.Accepted != tt.want.Accepted || r.Dismissed != tt.want.Dismissed || !maps.Equal(r.Values, tt.want.Values) || r.Accepted != slices.Equal(parts, []any{"wind"}) {
				t.Errorf("%+v, %v", r, parts)
			}
		})
	}
}

func TestAStoppedTurnTakesItsQuestionAway(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := (&approver{st.Screen}).Ask(ctx, askedForm(t))
		failed <- err
	}()
	st.Until("it asks", func() bool { return st.named("ask.send") != nil })
	cancel()
	if err := testkit.Receive(t, "the end of the question", failed); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	st.Settle()
	if st.named("ask.send") != nil {
		t.Error("the dialog is still there")
	}
}
