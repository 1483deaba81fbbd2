// Package chats saves chats: what was asked, what was answered and shown, and what the
// model needs to continue.
//
// A chat is one header and one record a turn, in a bucket of the user's own store
// (ndb.Store.Bucket("chats")). A turn is written when it begins, at most once a second while
// it streams, before an approval is waited for, before and after a call that does more than
// read, and when it ends. A turn that was interrupted by a crash or the end of the program
// is kept and marked, and can be taken up again ([Chat.Reopen]). A record that is damaged, or
// was written by a newer version, is left alone and reported by an error that names it; the
// others are not affected.
//
// Chats hold no secrets: every record passes the agent's Redactor. A chat that holds text by
// others stays tainted when it is loaded or branched.
//
// If the user wants chats forgotten ([Options.Forget]), they are kept in memory above the
// bucket, and end with the program.
//
// Keys: "c/ID" is a header; "t/ID/000001/000" is the first part of turn 1. A value has at
// most 512 KiB, so that a long turn is split.
//
//	c, err := store.New(session)
//	for e := range c.Record(ctx, turn, model, agent.Run(ctx, c.Conversation(), turn)) {
//		show(e)
//	}
package chats
