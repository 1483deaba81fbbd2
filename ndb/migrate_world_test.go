package ndb

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"bowerbird/ndb/nostr"
)

// oldTexts are the notes that testdata/v1.tar.gz holds, beside profiles and what
// was removed: words, links, signs and scripts that every version of the text
// index has to find again.
var oldTexts = []string{
	"Bowerbirds collect blue things",
	"a crème brûlée, and two more",
	"see https://docs.example.com/guide?page=2#top and www.example.org",
	"good morning ☀️ 🐦‍⬛ with 👍🏽",
	"今日は天気がいいですね。寿司を食べました",
	"Ёлка в лесу, ёлки в городе",
	"version 2.7.4 of the client, and 0.38.2 of the library",
	"don't miss self-custody week",
	"مرحبا بالعالم",
	"สวัสดีชาวโลก",
}

// oldWorld are the events of testdata/v1.tar.gz, in the order they were put.
func oldWorld(t testing.TB) []*nostr.Event {
	t.Helper()
	ada, bob := newPerson(1), newPerson(2)
	events := []*nostr.Event{
		ada.signs(t, 0, testNow-9000, `{"name":"ada","display_name":"Ada Lovelace","about":"engines and poetry https://ada.example"}`),
		bob.signs(t, 0, testNow-9000, `{"name":"bob","nip05":"bob@nest.example"}`),
	}
	for round := range 12 {
		for i, text := range oldTexts {
			author := ada
			if i%2 == 1 {
				author = bob
			}
			events = append(events, author.signs(t, 1, testNow-5000+int64(round*100+i), fmt.Sprintf("%s, round%d", text, round), nostr.Tag{"t", "old"}))
		}
	}
	article := bob.signs(t, 30023, testNow-400, "It is long, and says so.", nostr.Tag{"d", "a"}, nostr.Tag{"title", "On blue things"})
	doomed := ada.signs(t, 1, testNow-300, "doomed words to be forgotten")
	return append(events, article, doomed,
		ada.signs(t, 5, testNow-200, "", nostr.Tag{"e", doomed.ID.String()}),
		bob.signs(t, 7, testNow-100, "+", nostr.Tag{"e", events[2].ID.String()}))
}

// unpackOld unpacks a store that the first schema version wrote.
func unpackOld(t testing.TB, dir string) {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", "v1.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	packed, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(packed); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(header.Name)), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
