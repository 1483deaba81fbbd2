package present

// kind says what an event is where it is no text; "" for texts, articles and
// pictures, which show what they are.
func (w Words) kind(kind uint16) string {
	switch kind {
	case kindText, kindComment, kindPicture, kindArticle:
		return ""
	case 0:
		return w.say("A profile")
	case 3:
		return w.say("A list of people followed")
	case 5:
		return w.say("A request to delete notes")
	case 7:
		return w.say("A reaction")
	case 8, 30008, 30009:
		return w.say("A badge")
	case 11:
		return w.say("A thread")
	case 21, 22, 34235, 34236:
		return w.say("A video")
	case 40, 41, 42:
		return w.say("A message in a public chat")
	case 1063:
		return w.say("A file")
	case 1068, 6969:
		return w.say("A poll")
	case 1018:
		return w.say("A vote in a poll")
	case 1222, kindVoiceComment:
		return w.say("A voice message")
	case 1311:
		return w.say("A message in a live chat")
	case 1617, 1618, 1621:
		return w.say("Work on source code")
	case 1984:
		return w.say("A report")
	case 1985:
		return w.say("A label")
	case 4, 13, 14, 15, 1059:
		return w.say("A private message")
	case 9041:
		return w.say("A fundraiser")
	case 9734, 9735, 9321:
		return w.say("A zap")
	case 9802:
		return w.say("A highlighted passage")
	case 30017, 30018, 30402, 30403:
		return w.say("An offer")
	case 30024:
		return w.say("A draft of an article")
	case 30311, 30312, 30313:
		return w.say("A live stream")
	case 30315:
		return w.say("A status")
	case 30617, 30618:
		return w.say("Source code")
	case 30818, 30819:
		return w.say("A page of a wiki")
	case 31922, 31923, 31924, 31925:
		return w.say("A calendar event")
	case 31989, 31990:
		return w.say("An app")
	case 34550, 4550:
		return w.say("A community")
	case 10002:
		return w.say("A list of relays")
	}
	if kind >= 10000 && kind < 20000 || kind >= 30000 && kind < 30010 {
		return w.say("A list")
	}
	return w.say("Something that Bowerbird does not support yet")
}
