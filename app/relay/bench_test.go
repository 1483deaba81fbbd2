package relay

import (
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
)

// What one event costs the reader: the frame read, the event parsed, its id
// recomputed, its filter matched. Signatures cost more and are ndb's.
func BenchmarkOneEvent(b *testing.B) {
	ada := testkit.NewKey("ada")
	event := ada.Event(b, 1, 1_700_000_000, "A note of the usual length, with a #hashtag and a link: https://example.com/some/where", []string{"t", "hashtag"}, []string{"p", ada.PubKey})
	frame := append(append([]byte(`["EVENT","0123456789abcdef",`), event...), ']')
	filters := []nostr.Filter{{Kinds: []uint16{1, 6}}}
	b.SetBytes(int64(len(frame)))
	b.ReportAllocs()
	for b.Loop() {
		m, err := parseMessage(frame)
		if err != nil {
			b.Fatal(err)
		}
		if _, reason := checkEvent(m.event, filters); reason != "" {
			b.Fatal(reason)
		}
	}
}
