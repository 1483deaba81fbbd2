// Package question turns what somebody asks into a typed [Question], in every language
// for which it is given a [Lexicon].
//
//	q := question.New(lexicons).Read("What did Ada say about bikes?", question.Calendar{Now: now}, &question.Talk{Known: known})
//
// There is no list of sentences. The reader cuts out the time (window.go, timewords.go),
// looks at what each remaining word does (lexicon.go, clause.go), and tries one kind of
// question after another (frames.go), each of which must account for every word. A
// question that none of them fits is [Unknown]; [Reader.Concepts] and [Reader.Odd] then
// find similar questions.
//
// Who has which name is the caller's knowledge ([Talk]), and so is the answer.
package question
