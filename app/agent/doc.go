// Package agent runs a turn: it asks the model, runs the tools that it calls,
// guards what they may do, and says what happened as events.
//
// One turn is one question until its final answer; one step of it is one model
// call with the tool calls that the model made in it. After at most MaxSteps
// steps one closing call without tools is made, so that there is always an
// answer.
//
// What it promises:
//   - every tool call gets exactly one result, also the invalid, unknown, refused
//     and cancelled ones, so that a conversation can always go on;
//   - calls run only after the stream that made them has ended well;
//   - a tool whose effect is more than reading runs only after a person approved
//     exactly the bytes that it is given (see Gate in gate.go); no word of a
//     model or a note changes that;
//   - no secret that the Redactor knows leaves in a request;
//   - cancelling the context ends a turn at once, keeps what was said, and the
//     same conversation can be asked again;
//   - a turn that was cut off by the end of the program can be taken up from what was
//     saved (Resume), and does nothing twice.
//
// References: in a text, ^1 and ^2 stand for the notes that present_notes
// numbered in this turn. The agent passes text on as it was written; one that
// names no presented note is reported to the model while steps remain. Whoever
// draws the text makes links of References, leaves those out of range as they
// stand, and links ids that the model wrote all the same.
//
// It knows no window, no store and no provider, and leaves saving to app/chats.
package agent
