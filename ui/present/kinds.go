package present

// eventNames are what events of other kinds than texts, articles and pictures are called.
var eventNames = map[uint16]string{
	0: "A profile",
	3: "A list of people followed",
	5: "A request to delete notes",
	7: "A reaction",
	8: "A badge", 30008: "A badge", 30009: "A badge",
	11: "A thread",
	21: "A video", 22: "A video", 34235: "A video", 34236: "A video",
	40: "A message in a public chat", 41: "A message in a public chat", 42: "A message in a public chat",
	1063: "A file",
	1068: "A poll", 6969: "A poll",
	1018: "A vote in a poll",
	1222: "A voice message", kindVoiceComment: "A voice message",
	1311: "A message in a live chat",
	1617: "Work on source code", 1618: "Work on source code", 1621: "Work on source code",
	1984: "A report",
	1985: "A label",
	4:    "A private message", 13: "A private message", 14: "A private message", 15: "A private message", 1059: "A private message",
	9041: "A fundraiser",
	9734: "A zap", 9735: "A zap", 9321: "A zap",
	9802:  "A highlighted passage",
	30017: "An offer", 30018: "An offer", 30402: "An offer", 30403: "An offer",
	30024: "A draft of an article",
	30311: "A live stream", 30312: "A live stream", 30313: "A live stream",
	30315: "A status",
	30617: "Source code", 30618: "Source code",
	30818: "A page of a wiki", 30819: "A page of a wiki",
	31922: "A calendar event", 31923: "A calendar event", 31924: "A calendar event", 31925: "A calendar event",
	31989: "An app", 31990: "An app",
	34550: "A community", 4550: "A community",
	10002: "A list of relays",
}

// kind returns what an event is called; "" for a kind that shows what it is.
func (w Words) kind(kind uint16) string {
	switch kind {
	case kindText, kindComment, kindPicture, kindArticle:
		return ""
	}
	if text := eventNames[kind]; text != "" {
		return w.say(text)
	}
	if kind >= 10000 && kind < 20000 || kind >= 30000 && kind < 30010 {
		return w.say("A list")
	}
	return w.say("Something that Bowerbird does not support yet")
}
