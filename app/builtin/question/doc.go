// Package question turns what somebody asks into a typed [Question], in every language
// that it is given a [Lexicon] of.
//
//	q := question.New(lexicons).Read("What did Ada say about bikes?", question.Calendar{Now: now}, &question.Talk{Known: known})
//
// It knows no sentence by heart: it takes the time out (window.go, timewords.go), looks at
// what each other word does (lexicon.go, clause.go), and tries one kind of question after
// another (frames.go), each of which must account for every word. What is not understood
// is [Unknown]; [Reader.Concepts] and [Reader.Odd] then tell what comes near.
//
// It leaves to others who goes by a name, and everything about the answer.
package question
