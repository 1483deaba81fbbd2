package feed

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
	"bowerbird/ui/present"
	"bowerbird/ui/screen"
)

// Found is one thing that [Lookup] found: a note, or a person if Note is zero.
type Found struct {
	Person present.Profile // who it is, or who wrote the note
	Note   nostr.ID
	Text   string // the note on one line, or what the person says of themselves
	At     int64  // unix seconds, of the note
}

// Lookup finds a few people and notes for a text that is being typed, as the search does.
// It is called off the window's thread.
func Lookup(ctx context.Context, env screen.Env, text string, most int) (people, notes []Found, query search.Query, err error) {
	read, err := readSearch(ctx, env.App, text, true)
	if err != nil {
		return nil, nil, query, err
	}
	if err := read.findPeople(ctx, env.App); err != nil {
		return nil, nil, query, err
	}
	read.named = read.named[:min(most, len(read.named))]
	reader := newReader(env)
	if err := read.showPeople(ctx, reader); err != nil {
		return nil, nil, query, err
	}
	for _, p := range read.people {
		people = append(people, Found{Person: p, Text: firstLine(p.About)})
	}
	items, _, err := read.tl.page(ctx, nil, most)
	if err != nil && !isDamaged(err) {
		return nil, nil, query, err
	}
	for _, it := range items {
		n, err := reader.Note(ctx, it.id)
		if err != nil {
			continue // it is gone by now
		}
		who := present.Profile{PubKey: n.PubKey, Name: n.Author, Picture: n.Face, Followed: n.Followed, Me: n.PubKey == reader.Me}
		notes = append(notes, Found{Person: who, Note: n.ID, At: it.at, Text: strings.TrimSpace(n.Title + " " + firstLine(n.Body))})
	}
	return people, notes, read.query, nil
}

// firstLine joins paragraphs on one line, no longer than any line is drawn.
func firstLine(body []present.Paragraph) string {
	var b strings.Builder
	for _, p := range body {
		for _, sp := range p {
			if b.Len() < 300 {
				b.WriteString(sp.Text)
			}
		}
		b.WriteByte(' ')
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// NewFace returns the face of a person: their picture if the settings load it, else the
// pattern of their key.
func NewFace(env screen.Env, p present.Profile, side float32) fyne.CanvasObject {
	f := newPersonFace(env, side)
	f.set(p)
	return f.avatar
}
