package testworld

import "fmt"

// Shape is what kind of week a test world has.
type Shape uint8

// The shapes.
const (
	Mixed        Shape = iota // some of everything
	Dialogues                 // long talks of two
	News                      // few write, many pass on
	SmallTopics               // many topics, each of few people
	BigEvent                  // one topic that everybody has for days, beside the planted facts
	Multilingual              // eight languages in six scripts, facts taken up across them
)

// Shapes returns all shapes.
func Shapes() []Shape {
	return []Shape{Mixed, Dialogues, News, SmallTopics, BigEvent, Multilingual}
}

func (s Shape) String() string {
	names := []string{"mixed", "dialogues", "news", "small-topics", "big-event", "multilingual"}
	if int(s) < len(names) {
		return names[s]
	}
	return "unknown"
}

// ParseShape reads a shape's name.
func ParseShape(name string) (Shape, error) {
	for _, s := range Shapes() {
		if s.String() == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("shape %q: want one of %v", name, Shapes())
}

// recipe is the mix of a shape. Shares are parts of what people do by chance;
// talks of two and the crowds around stars come on top and make the
// mix that Make documents.
type recipe struct {
	scripts  []alphabet // one made-up language each
	topics   float64    // topics per person followed
	notes    int        // shares by weight: notes that begin a thread
	replies  int
	likes    int
	reposts  int
	quotes   int
	zaps     int
	edits    int     // new versions of profiles
	deletes  int     // kind 5
	dialogue float64 // chance that a reply begins a long talk of two
	links    float64 // chance that a note has a link
	tags     float64 // chance that a note has a hashtag
	bigEvent bool
}

func (s Shape) recipe() recipe {
	r := recipe{
		scripts: []alphabet{latin, latin, cyrillic, han}, topics: 1,
		notes: 260, replies: 130, likes: 300, reposts: 60, quotes: 25, zaps: 30, edits: 15, deletes: 10,
		dialogue: 0.05, links: 0.12, tags: 0.2,
	}
	switch s {
	case Dialogues:
		r.notes, r.replies, r.likes, r.reposts = 140, 130, 230, 50
		r.dialogue, r.tags = 0.25, 0.08
	case News:
		r.notes, r.replies, r.likes, r.reposts = 220, 60, 320, 190
		r.links, r.tags = 0.6, 0.35
	case SmallTopics:
		r.topics, r.tags = 4, 0.4
	case BigEvent:
		r.bigEvent = true
	case Multilingual:
		r.scripts = []alphabet{latin, latin, latin, cyrillic, greek, han, arabic, hangul}
	}
	return r
}
