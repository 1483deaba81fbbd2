// Package chat is the assistant's screen: the questions and answers of a chat, the
// field to ask in, the history of chats.
//
// conversation.go holds what happens (asking, streaming, stopping, editing, going
// on with a saved chat) and knows no widget; the rest draws it. What an answer is
// made of is decided in package present, what the blocks look like in block_*.go.
//
// Everything here runs on the window's thread but the reading of an answer's
// events, which is done by one goroutine a turn and comes back through the
// dispatcher, at most every dispatch.Interval. A turn goes on when another screen
// or chat is shown; it ends with Stop, with its own end, or with Close, after
// which it is saved as interrupted; the App waits for that before it closes its stores.
package chat
