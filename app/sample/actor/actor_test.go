package actor

import (
	"encoding/hex"
	"slices"
	"testing"

	"bowerbird/ndb/nostr"
)

func TestAmountsAreWrittenInTheShortestForm(t *testing.T) {
	for _, row := range []struct {
		sats int64
		want string
	}{{1, "10n"}, {21, "210n"}, {100, "1u"}, {2100, "21u"}, {100_000, "1m"}, {250_000_000, "2500m"}} {
		if got := bitcoinAmount(row.sats); got != row.want {
			t.Errorf("%d sats are %q, want %q", row.sats, got, row.want)
		}
	}
}

// The example of NIP-19.
func TestTheLinkToAPersonIsTheNpubOfTheKey(t *testing.T) {
	raw, err := hex.DecodeString("7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e")
	if err != nil {
		t.Fatal(err)
	}
	const want = "nostr:npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg"
	a := Actor{Person: Person{PubKey: nostr.PubKey(raw)}, Relays: []string{"wss://a.example"}}
	if got, _ := a.Link(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestHashtagsAreTheWordsMarkedAsSuch(t *testing.T) {
	for text, want := range map[string][]string{
		"no tag at all, C# neither":          nil,
		"one #Tag, and #tag again.":          {"tag"},
		"end #彗星。":                           {"彗星"},
		"## A heading\n\n# another":          nil,
		"#grève\n#支線の旅 (#lmdb) #a-b #threw!": {"grève", "支線の旅", "a-b", "threw"},
	} {
		var got []string
		for _, tag := range hashtags(text) {
			got = append(got, tag[1])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q has %q, want %q", text, got, want)
		}
	}
}
