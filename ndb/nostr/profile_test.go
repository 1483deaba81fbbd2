package nostr

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"bowerbird/internal/testkit"
	"bowerbird/ndb/clean"
)

func TestParseProfile(t *testing.T) {
	tests := []struct {
		name    string
		content string
		want    Profile
	}{
		{"nothing", `{}`, Profile{}},
		{
			"everything",
			`{"name":"ada","display_name":"Ada Lovelace","nip05":"ada@example.com","about":"First.\nSecond.","picture":"https://x.com/a.png","website":"example.com","lud16":"ada@pay.com","bot":true}`,
			Profile{Name: "ada", DisplayName: "Ada Lovelace", NIP05: "ada@example.com", About: "First.\nSecond.", Picture: "https://x.com/a.png", Website: "example.com", Bot: true},
		},
		{"older names of fields", `{"username":"ada","displayName":"Ada"}`, Profile{Name: "ada", DisplayName: "Ada"}},
		{"both names of a field", `{"display_name":"new","displayName":"old"}`, Profile{DisplayName: "new"}},
		{"the newer name empty", `{"display_name":" ","displayName":"old"}`, Profile{DisplayName: "old"}},
		{"wrong types", `{"name":1,"display_name":["x"],"nip05":null,"about":{"a":1},"picture":true,"website":"ok.com","bot":"yes","lud16":2}`, Profile{Website: "ok.com"}},
		{"a name of several lines", `{"name":" a\n\u202eb\u0000 "}`, Profile{Name: "a b\ufffd"}},
		{"a name without anything to see", `{"name":"\u200b\u2800","display_name":"\u3164"}`, Profile{}},
		{"a long name", `{"name":"` + strings.Repeat("x", 100) + `"}`, Profile{Name: strings.Repeat("x", 63) + "…"}},
		{"a long about", `{"about":"` + strings.Repeat("x", 3000) + `"}`, Profile{About: strings.Repeat("x", 1999) + "…"}},
		{"a picture that is no link", `{"picture":"javascript:alert(1)"}`, Profile{}},
		{"a picture in the text", `{"picture":"data:image/png;base64,AAAA"}`, Profile{}},
		{"a link too long", `{"picture":"https://x.com/` + strings.Repeat("x", 2000) + `"}`, Profile{}},
		{"names keep their case", `{"Name":"x","NAME":"y"}`, Profile{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.want.PubKey, test.want.UpdatedAt = PubKey{1}, 5
			got, err := ParseProfile(&Event{PubKey: PubKey{1}, CreatedAt: 5, Content: test.content})
			if err != nil || got != test.want {
				t.Errorf("got  %+v, %v\nwant %+v", got, err, test.want)
			}
		})
	}
}

func TestABrokenProfileGivesTheKeyAlone(t *testing.T) {
	for _, content := range []string{"", "{", `"name"`, "[]", "null", "1", `{"name":"a"}x`} {
		got, err := ParseProfile(&Event{PubKey: PubKey{1}, CreatedAt: 5, Content: content})
		if err == nil || got != (Profile{PubKey: PubKey{1}}) {
			t.Errorf("%q: %+v, %v", content, got, err)
		}
	}
	if _, err := ParseProfile(&Event{Kind: 1, Content: `{"name":"a"}`}); err == nil {
		t.Error("a note was read as a profile")
	}
}

func TestTheBestNameIsTheDisplayName(t *testing.T) {
	for want, p := range map[string]Profile{"Ada": {Name: "a", DisplayName: "Ada"}, "a": {Name: "a"}, "": {NIP05: "a@b"}} {
		if got := p.Best(); got != want {
			t.Errorf("%+v: got %q, want %q", p, got, want)
		}
	}
}

func TestRealProfilesAreRead(t *testing.T) {
	read, named := 0, 0
	for _, e := range realEvents(t) {
		if e.Kind != 0 {
			continue
		}
		p, err := ParseProfile(e)
		if err != nil {
			t.Logf("%s: %v", e.ID, err)
			continue
		}
		read++
		if p.Best() != "" {
			named++
		}
		if utf8.RuneCountInString(p.Name) > maxName || strings.ContainsAny(p.Best(), "\n\t") {
			t.Errorf("%s: name %q", e.ID, p.Name)
		}
	}
	if read < 500 || named < 450 {
		t.Errorf("%d profiles read, %d with a name", read, named)
	}
}

func TestHostileNamesAreCleaned(t *testing.T) {
	raw, err := os.ReadFile(testkit.Shared(t, "data", "hostile", "text", "blns.json"))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	if err := json.Unmarshal(raw, &texts); err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		content, err := json.Marshal(map[string]string{"name": text, "about": text, "picture": text})
		if err != nil {
			t.Fatal(err)
		}
		p, err := ParseProfile(&Event{Content: string(content)})
		if err != nil || p.Name != clean.Line(p.Name, maxName) || p.About != clean.Text(p.About) {
			t.Errorf("%q: %+v, %v", text, p, err)
		}
	}
}

func FuzzParseProfile(f *testing.F) {
	f.Add(`{"name":"a","display_name":1,"bot":true}`)
	f.Add(`{"name":{"name":"a"},"about":"\ud800","picture":"https://x"}`)
	f.Fuzz(func(t *testing.T, content string) {
		p, err := ParseProfile(&Event{PubKey: PubKey{1}, CreatedAt: 5, Content: content})
		if err != nil && p != (Profile{PubKey: PubKey{1}}) {
			t.Fatalf("%v, yet %+v", err, p)
		}
		for _, s := range []string{p.Name, p.DisplayName, p.NIP05, p.Website, p.Picture} {
			if s != clean.Line(s, 0) {
				t.Fatalf("%+q is not clean", s)
			}
		}
	})
}
