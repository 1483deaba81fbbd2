// Package builtin is the model without a model: builtin:digest, a plain program
// behind llm.Model that answers questions about the user's notes on a new
// machine, offline, without a key.
//
// It has a question read by app/builtin/question, in the languages of
// app/builtin/language, calls the same tools through the
// same loop as every other model, and writes its answer out of the notes' own
// sentences (topics.go, lead.go, write.go).
//
// What it promises: every quoted sentence stands word for word in the note that
// is cited behind it; the order of topics depends on how many different people
// that the user follows took part, and on nothing that a stranger can do; the
// same notes and the same question give the same words; a question that it
// cannot read is answered with what it can do, never with a guess.
//
// What it leaves to others: finding notes, names and coverage is the tools' work;
// running calls, showing notes and turning ^1 into links is the agent's and the
// window's. It holds no state between requests: each one carries the whole turn.
package builtin
