// Package builtin is the model without a language model: builtin:digest, a plain program
// behind [llm.Model] that answers questions about the user's notes on a new computer,
// offline and without a key.
//
// app/builtin/question reads the question, in the languages of app/builtin/language. The
// model calls the same tools through the same agent as every other model, and composes its
// answer from the notes' own sentences. docs/digest.md describes how.
//
// It promises that
//   - every quotation is in the note cited behind it, word for word;
//   - the order of topics depends on how many different people the user follows took part,
//     and on nothing that a stranger can do;
//   - the same notes and the same question give the same answer;
//   - a question that it cannot read is answered with what can be asked, never with a guess.
//
// Finding notes, names and coverage is left to the tools; running calls, showing notes and
// linking ^1 to the agent and the window. It keeps no state between requests, each of which
// contains the whole turn, but for a draft that spares the next step computing it again.
//
//	model := builtin.New(builtin.Options{Me: func() string { return key }})
//	a, err := agent.New(agent.Options{Model: model, Tools: tools.BuiltinTools()})
package builtin
