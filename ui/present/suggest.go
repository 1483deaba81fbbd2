package present

import "bowerbird/app"

// Suggested asks what a suggestion is about. A hashtag and a name are the words of
// others, though they stand in the user's question: it says so.
func (w Words) Suggested(s app.Suggestion) app.Question {
	switch s.Kind {
	case app.SuggestThread:
		return app.Question{Text: w.say("Summarise the longest thread"), Scope: app.Scope{Thread: s.Thread}}
	case app.SuggestHashtag:
		return app.Question{Text: w.say("What's new about {{.Topic}} this week?", "Topic", s.Hashtag), Foreign: true}
	}
	return app.Question{Text: w.say("What did {{.Name}} write this week?", "Name", s.Name), Foreign: true}
}
