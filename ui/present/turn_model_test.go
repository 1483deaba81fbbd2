package present

import (
	"strings"
	"testing"

	"bowerbird/app/chats"
	"bowerbird/app/models"
)

func TestThePickerSaysWhichModelItIsAndWhereTextGoes(t *testing.T) {
	provider := models.Provider{ID: "together", Name: "Together", Host: "api.together.example.org.example"}
	iso := Isolate("qwen3:8b")
	for name, tt := range map[string]struct {
		state    models.State
		window   int
		onlyHere bool
		want     ModelPick
	}{
		"nothing known": {want: ModelPick{Label: "Model"}},
		"an unknown one": {
			state: models.State{ID: "nobody:m", Obstacle: models.ModelUnknown},
			want:  ModelPick{Label: Isolate("nobody:m"), Name: Isolate("nobody:m")},
		},
		"the built-in": {
			state: models.State{ID: "builtin:digest"}, onlyHere: true,
			want: ModelPick{Label: "Built-in · stays on this computer", Name: "Built-in", Place: "stays on this computer"},
		},
		"here": {
			state: models.State{ID: "ollama:qwen3:8b", Name: "qwen3:8b"}, window: 131_072,
			want: ModelPick{Label: iso + " · on this computer", Name: iso, Place: "on this computer"},
		},
		"here, and little read": {
			state: models.State{ID: "ollama:qwen3:8b", Name: "qwen3:8b"}, window: 4096, onlyHere: true,
			want: ModelPick{Label: iso + " · on this computer only", Name: iso, Place: "on this computer · reads only 4,096 tokens at once"},
		},
		"elsewhere": {
			state: models.State{ID: "together:qwen3:8b", Name: "qwen3:8b", Host: provider.Host, Provider: provider},
			want:  ModelPick{Label: iso + " · sent to Together", Name: iso, Place: "sent to Together"},
		},
		"elsewhere, where nothing is sent": {
			state: models.State{ID: "together:qwen3:8b", Name: "qwen3:8b", Host: "x.example", Provider: provider, Obstacle: models.LocalOnlyOn}, window: 4096, onlyHere: true,
			want: ModelPick{Label: iso + " · not asked", Name: iso, Place: "not asked: it is at x.example", Barred: true},
		},
	} {
		if got := (Words{}).Pick(tt.state, tt.window, tt.onlyHere); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
	long := models.State{ID: "custom:m", Name: strings.Repeat("m\u202e\n", 500), Host: "x.example"}
	if got := (Words{}).Pick(long, 0, false).Label; len(got) > 200 || strings.ContainsAny(got, "\u202e\n") {
		t.Errorf("a hostile name is shown as %q", got)
	}
}

func TestAChatsUsageIsSaidInOneLine(t *testing.T) {
	for want, u := range map[string]chats.Usage{
		"": {}, "1.2k tokens": {Input: 1000, Output: 204}, "1.2k tokens, about $0.55": {Input: 1000, Output: 204, Cost: 0.55},
	} {
		if got := (Words{}).Usage(u); got != want {
			t.Errorf("%+v is %q, want %q", u, got, want)
		}
	}
}
