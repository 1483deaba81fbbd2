package nostr

import "slices"

// Reply is what an event replies to, by NIP-10 (markers, else positions; `mention` and
// `q` are no reply) and by NIP-22 for kind 1111.
type Reply struct {
	// Root is the thread's first event; the parent if none is named. Zero if the thread
	// is about something without a known event id: an address without an id, a web page.
	Root ID
	// Parent is the event that is replied to; zero if it has no known id.
	Parent ID
}

// ReplyTo returns what e replies to, and whether it is a reply at all. It is the one
// function that decides this, for filters, threads, counters and results.
//
// Only notes (kind 1) and comments (1111, 1244) can be replies: reactions, reposts and
// zaps are not. Tags with an invalid id count as absent.
func ReplyTo(e *Event) (Reply, bool) {
	switch e.Kind {
	case KindNote:
		if r, ok := markedReply(e.Tags); ok {
			return r, true
		}
		return positionalReply(e.Tags)
	case KindComment, KindVoiceComment:
		return comment(e.Tags)
	default:
		return Reply{}, false
	}
}

// marker returns the fourth item of an e tag (NIP-10), "" if there is none.
func (t Tag) marker() string {
	if len(t) > 3 {
		return t[3]
	}
	return ""
}

// eventID returns the id in a tag of the given name.
func (t Tag) eventID(name string) (ID, bool) {
	if len(t) < 2 || t[0] != name {
		return ID{}, false
	}
	id, err := ParseID(t[1])
	return id, err == nil
}

// markedReply reads e tags by their markers; of several with the same marker the first
// counts.
func markedReply(tags Tags) (Reply, bool) {
	var root, reply ID
	hasRoot, hasReply := false, false
	for _, t := range tags {
		id, ok := t.eventID("e")
		switch {
		case !ok:
		case t.marker() == "root" && !hasRoot:
			root, hasRoot = id, true
		case t.marker() == "reply" && !hasReply:
			reply, hasReply = id, true
		}
	}
	switch {
	case hasRoot && hasReply:
		return Reply{Root: root, Parent: reply}, true
	case hasRoot:
		return Reply{Root: root, Parent: root}, true
	case hasReply:
		return Reply{Root: reply, Parent: reply}, true
	default:
		return Reply{}, false
	}
}

// positionalReply reads e tags by NIP-10's old form: the first is the root, the
// last the parent.
func positionalReply(tags Tags) (Reply, bool) {
	var r Reply
	found := false
	for _, t := range tags {
		id, ok := t.eventID("e")
		if !ok || t.marker() == "mention" {
			continue
		}
		if !found {
			r.Root, found = id, true
		}
		r.Parent = id
	}
	return r, found
}

// comment reads NIP-22: capital letters name the root, small ones the parent.
func comment(tags Tags) (Reply, bool) {
	root, hasRoot := firstID(tags, "E")
	parent, hasParent := firstID(tags, "e")
	otherRoot := has(tags, "A") || has(tags, "I")
	otherParent := has(tags, "a") || has(tags, "i")
	if !hasRoot && !otherRoot {
		root = parent
	}
	if !hasParent && !otherParent {
		parent = root
	}
	return Reply{Root: root, Parent: parent}, hasRoot || hasParent || otherRoot || otherParent
}

func firstID(tags Tags, name string) (ID, bool) {
	for _, t := range tags {
		if id, ok := t.eventID(name); ok {
			return id, true
		}
	}
	return ID{}, false
}

func has(tags Tags, name string) bool {
	_, ok := tags.Value(name)
	return ok
}

// Quotes returns the ids that e quotes by `q` tags (NIP-18) or, for kinds 1 and
// 1111, by nostr: links to events in its content (NIP-27). Each id once, in the
// order of tags, then of text.
func Quotes(e *Event) []ID {
	var ids []ID
	seen := make(map[ID]bool)
	add := func(id ID) {
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	for _, t := range e.Tags {
		if id, ok := t.eventID("q"); ok {
			add(id)
		}
	}
	if slices.Contains([]uint16{KindNote, KindComment}, e.Kind) {
		for link := range Links(e.Content) {
			if link.Prefix == CodeNote || link.Prefix == CodeEvent {
				add(link.Event)
			}
		}
	}
	return ids
}
