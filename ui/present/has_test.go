package present

import (
	"strings"
	"testing"

	"bowerbird/ndb"
)

func TestWhatANoteHoldsBesidesItsWords(t *testing.T) {
	meta := func(url, mime string) ndb.Tag { return ndb.Tag{"imeta", "url " + url, "m " + mime} }
	for _, tt := range []struct {
		name string
		e    ndb.Event
		want string // of image, video, link
	}{
		{"words alone", ndb.Event{Kind: kindText, Content: "has:image http: https:// .jpg"}, ""},
		{"a picture by its ending", ndb.Event{Kind: kindText, Content: "Look: https://a.example/x.JPG?w=3."}, "image"},
		{"a picture by its tag", ndb.Event{Kind: kindText, Content: "https://a.example/blob", Tags: []ndb.Tag{meta("https://a.example/blob", "image/webp")}}, "image"},
		{"a picture in a tag alone", ndb.Event{Kind: kindText, Tags: []ndb.Tag{meta("https://a.example/blob", "image/png")}}, "image"},
		{"a picture post", ndb.Event{Kind: kindPicture}, "image"},
		{"a video", ndb.Event{Kind: kindText, Content: "HTTPS://a.example/x.mp4"}, "video"},
		{"a page", ndb.Event{Kind: kindText, Content: "see https://a.example/jpg"}, "link"},
		{"a page and a picture", ndb.Event{Kind: kindText, Content: "https://a.example https://a.example/b.png"}, "image link"},
		{"far more addresses than anybody writes", ndb.Event{Kind: kindText, Content: strings.Repeat("https://a.example ", 5000) + "https://a.example/b.png"}, "link"},
	} {
		var got []string
		for _, h := range []Has{HasImage, HasVideo, HasLink} {
			if h.In(&tt.e) {
				got = append(got, string(h))
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: has %q, want %q", tt.name, got, tt.want)
		}
	}
}
