package builtin_test

import (
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
)

func TestALineAboutAPictureSaysThatThereIsOne(t *testing.T) {
	me, ann, bob, cho := named("me"), named("ann"), named("bob"), named("cho")
	at := noon.Unix() - 7200
	r := newReader(t, me.key(t), noon, []*nostr.Event{
		follows(t, me, ann, bob, cho),
		ann.event(t, 1, at, "The heron is back at the mill pond this morning.\nhttps://pictures.example.org/heron.jpg"),
		bob.event(t, 1, at+60, "Our choir found a room behind the old fire station. https://files.example.org/4f1a",
			[]string{"imeta", "url https://files.example.org/4f1a", "m image/webp"}),
		cho.event(t, 1, at+120, "The bakery by the harbour closes its doors in March. https://news.example.org/bakery.html"),
	})
	for question, mark := range map[string]string{
		"What did I miss since yesterday?":        "(with a picture)",
		"Was habe ich seit gestern verpasst?":     "(mit Bild)",
		"Qu'est-ce que j'ai manqué depuis hier ?": "(avec une image)",
		"¿Qué me perdí desde ayer?":               "(con imagen)",
		"O que perdi desde ontem?":                "(com imagem)",
		"昨日から何を見逃した?":                             "(画像あり)",
	} {
		a := r.ask(t, question)
		if strings.Count(a.text, mark) != 2 {
			t.Errorf("want two times %q:\n%s", mark, a)
		}
		for line := range strings.Lines(a.text) {
			for said, pictured := range map[string]bool{"heron": true, "choir": true, "bakery": false} {
				if strings.Contains(line, said) && strings.Contains(line, mark) != pictured {
					t.Errorf("%q: marked %v:\n%s", line, !pictured, a)
				}
			}
		}
	}
	for question, want := range map[string]string{
		"pictures of herons":          "1 note with a picture with “heron”",
		"pictures of the zebra":       "0 notes with a picture with “zebra”",
		"pictures of the heron zebra": "“heron, zebra”",
	} {
		if a := r.ask(t, question); !strings.Contains(a.text, want) || strings.Contains(a.text, "image") {
			t.Errorf("%s: want %s in\n%s", question, want, a)
		}
	}
}
