// Package relay is one connection to one Nostr relay.
//
// A relay is a stranger: it may lie, stall, flood, or die without a word. A Conn
// promises that what it hands on is an event that was asked for, whose id is
// the hash of what it says; that memory, waiting time and the number of lies it
// puts up with are bounded by Limits; that a reader who falls behind slows the
// relay down and loses nothing; and that Close leaves no goroutine behind.
//
//	conn, err := relay.Dial(ctx, "wss://relay.example", relay.Options{Client: netsafe.New(netsafe.Policy{})})
//	if err != nil {
//		return err // a *netsafe.Error: see Backoff for when to try again
//	}
//	defer conn.Close()
//	page, err := conn.Fetch(ctx, filter) // one REQ to its end
//	sub, err := conn.Subscribe(ctx, relay.Live, filters...)
//	for {
//		event, err := sub.Next(ctx)
//		if err == relay.EOSE { continue } // from here on events are new
//		if err != nil { return err }      // an *Error: its Kind says why
//	}
//
// It leaves to others: signatures (ndb.Store.Put checks them; tell the Conn of
// bad ones with BadSignatures), what to ask and when (app/notesync), and what
// became of a page (Page says what was seen, not what it proves).
//
// Events of one Conn share one queue. Read every Sub, or close it: one that is
// left unread holds up the others.
package relay
