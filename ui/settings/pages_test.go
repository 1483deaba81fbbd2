package settings

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/app/config"
	"bowerbird/ui/theme"
)

// aviary is a server that tells of its models what OpenRouter's list does.
func aviary(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprint(w, `{"data":[
			{"id":"birds/owl-large","context_length":131072,"pricing":{"prompt":"0.000003","completion":"0.000015"},"supported_parameters":["tools"]},
			{"id":"birds/wren-3b","context_length":8192,"pricing":{"prompt":"0","completion":"0"},"supported_parameters":["temperature"]},
			{"id":"birds/robin-30b-a3b","context_length":262144}
		]}`)
	}))
	t.Cleanup(s.Close)
	return s
}

func TestTheAssistantIsDrawnInEachState(t *testing.T) {
	if testing.Short() {
		t.Skip("draws pages: not beside the race detector")
	}
	s := aviary(t)
	for _, look := range []struct {
		name string
		opt  theme.Options
		size fyne.Size
	}{
		{"light", theme.Options{Mode: theme.Light}, fyne.NewSize(1216, 2600)},
		{"dark", theme.Options{Mode: theme.Dark}, fyne.NewSize(1216, 2600)},
		{"narrow", theme.Options{Mode: theme.Light}, fyne.NewSize(416, 3600)},
	} {
		f := open(t, look.opt, look.size)
		f.another(t, s.URL+"/v1")
		f.draw(t, "models-"+look.name)
		f.entry(t, "settings.model").SetText("wren")
		f.tap(t, "settings.model:birds/wren-3b")
		f.tap(t, "settings.advanced")
		f.draw(t, "advanced-"+look.name)
		f.host.Change(func(set *config.Settings) { set.Assistant.Model = "openrouter:birds/owl-large" })
		f.segment(t, "settings.local-only", "On")
		f.draw(t, "here-"+look.name)
		f.segment(t, "settings.local-only", "Off")
		f.Close()
	}
}

func TestEnterOnTheOpenedPageLeavesNothing(t *testing.T) {
	f := light(t)
	f.Focus(f.window.Canvas())
	focused, ok := f.window.Canvas().Focused().(interface{ DumpName() string })
	if !ok || focused.DumpName() != "settings.profile" {
		t.Errorf("the keyboard is on %v", f.window.Canvas().Focused())
	}
}

func TestThePageIsInTheMiddle(t *testing.T) {
	f := light(t)
	content := f.pages[Account].content()
	left := fyne.CurrentApp().Driver().AbsolutePositionForObject(content).X - fyne.CurrentApp().Driver().AbsolutePositionForObject(f.frame.scroll).X
	if right := f.frame.scroll.Size().Width - left - content.Size().Width; left < pageSide || left-right > 1 || right-left > 1 {
		t.Errorf("%v points are left of it and %v right", left, right)
	}
}
