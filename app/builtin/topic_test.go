package builtin

import "testing"

func TestOnlyAPlainPluralLosesItsS(t *testing.T) {
	for word, want := range map[string]string{
		"cupboards": "cupboard", "cherries": "cherry", "boxes": "box", "bus": "bus", "crisis": "crisis", "glass": "glass",
		"glasses": "glass", "gas": "gas", "relays": "relay", "#nostr's": "#nostr's", `"old relays"`: `"old relays"`, "old relays": "old relay",
	} {
		if got := singular(word); got != want {
			t.Errorf("%q became %q, want %q", word, got, want)
		}
	}
}
