package present

import "bowerbird/app"

// Suggested asks what a suggestion is about.
func (w Words) Suggested(s app.Suggestion) app.Question {
	switch s.Kind {
	case app.SuggestThread:
		return app.Question{Text: w.say("Summarise the longest thread"), Scope: app.Scope{Thread: s.Thread}}
	case app.SuggestHashtag:
		return app.Question{Text: w.say("What's new about {{.Topic}} this week?", "Topic", s.Hashtag)}
	}
	return app.Question{Text: w.say("What did {{.Name}} write this week?", "Name", s.Name)}
}
