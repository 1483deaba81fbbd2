package notesync

import (
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// feedKinds are what people say, pass on and take back.
func feedKinds() []uint16 {
	return []uint16{1, 5, 6, 7, 11, 16, 20, 62, 1068, 1111, 30023}
}

// profileKinds are what is needed of everybody: their name and their relays.
func profileKinds() []uint16 { return []uint16{0, 10002} }

// selfKinds are the lists of the reader that Bowerbird honours or keeps safe: first
// those of which there is one each, then those of which there may be many.
func selfKinds() [][]uint16 {
	return [][]uint16{{0, 3, 10000, 10002, 10003, 10006, 10007, 10050}, {30000, 30078}}
}

// inboxKinds are what others do with the reader's notes, receipts of zaps among
// them: those are signed by wallets and so arrive by no feed.
func inboxKinds() []uint16 { return []uint16{1, 6, 7, 16, 1111, 9735} }

func filterFor(p coverage.Purpose, people []nostr.PubKey) nostr.Filter {
	switch p {
	case coverage.Inbox:
		values := make([]string, len(people))
		for i, pk := range people {
			values[i] = pk.String()
		}
		return nostr.Filter{Kinds: inboxKinds(), Tags: map[byte][]string{'p': values}}
	case coverage.Profile:
		return nostr.Filter{Authors: people, Kinds: profileKinds()}
	default:
		return nostr.Filter{Authors: people, Kinds: feedKinds()}
	}
}
