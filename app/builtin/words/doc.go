// Package words is how an answer of the model without a model is put in a language: its
// texts, and how it writes numbers, times and lists.
//
//	title := words.Fill(w.TopicTitle, "topic", "bikes", "window", w.Window(window, now))
//
// The texts themselves stand in the files of app/builtin/language; what an answer says is
// app/builtin's.
package words
