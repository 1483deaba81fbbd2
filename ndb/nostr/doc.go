// Package nostr is what a Nostr event is and what it says about others, without a store
// and without a network: events and filters (NIP-01) are parsed from strict JSON, written
// byte for byte as they were signed, and verified; codes and links (NIP-19, NIP-21),
// profiles, replies, quotes and zaps are read from them.
//
//	e, err := nostr.ParseEvent(line)
//	if err == nil {
//		err = e.Verify() // the id is hashed again, the signature checked
//	}
//	if reply, ok := nostr.ReplyTo(e); ok {
//		parent := reply.Parent
//	}
//
// Whatever a stranger wrote is limited in size when it is parsed; the error names the
// rule that it violates (*InvalidError, *FilterError).
package nostr
