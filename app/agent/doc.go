// Package agent runs a turn: it asks the model, runs the tools that the model calls,
// controls what they may do, and reports all of it as events.
//
// A turn is one question and everything until its answer ends; a step is one model call and
// the tool calls in it. After at most MaxSteps steps, one closing call is made without
// tools, so that there is always an answer.
//
// It promises that
//   - every tool call gets exactly one result, including invalid, unknown, refused and
//     cancelled ones, so that a conversation can always continue;
//   - calls run only after the stream that contains them has ended well;
//   - a tool that does more than read runs only after a person approved exactly the bytes
//     that it gets (see [Approver]); nothing that a model or a note says changes that;
//   - no secret that the [Redactor] knows is sent in a request;
//   - cancelling the context ends a turn at once and keeps what was said, and the same
//     conversation can be continued;
//   - a turn that was interrupted by the end of the program can be taken up from what was
//     saved ([Agent.Resume]), and does nothing twice.
//
// In a text, ^1 and ^2 cite the notes that present_notes numbered in this turn. The agent
// passes text on unchanged; a citation of no presented note is reported to the model while
// steps remain. The code that shows the text turns valid citations into links.
//
// It knows no window, no store and no provider; app/chats saves what it yields:
//
//	a, err := agent.New(agent.Options{Model: model, Tools: tools.BuiltinTools()})
//	for e := range a.Run(ctx, &conversation, agent.Turn{ID: id, Question: q, Env: env}) {
//		show(e)
//	}
package agent
