// Package words has the texts of which the model without a model makes its answers in a
// language, and formats numbers, times and lists as the language does.
//
//	title := words.Fill(w.TopicTitle, "topic", "bikes", "window", w.Window(window, now))
//
// The texts are read from the files in app/builtin/language. What an answer says is
// decided in app/builtin.
package words
