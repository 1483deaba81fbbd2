package builtin_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/builtin"
	"bowerbird/app/builtin/language"
	"bowerbird/internal/testworld"
)

// TestALanguageIsAddedByAFileAlone adds a language whose every word is an English one
// with another end, and asks and is answered in it.
func TestALanguageIsAddedByAFileAlone(t *testing.T) {
	folder := fstest.MapFS{}
	for _, name := range []string{"en.toml", "de.toml"} {
		data, err := os.ReadFile("language/" + name)
		if err != nil {
			t.Fatal(err)
		}
		folder[name] = &fstest.MapFile{Data: data}
	}
	folder["xx.toml"] = &fstest.MapFile{Data: []byte(invented(string(folder["en.toml"].Data)))}
	all, err := language.Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	w, err := testworld.Make(testworld.Options{Seed: 3, Now: noon, Events: 900, Days: 3, People: 40, Followed: 20})
	if err != nil {
		t.Fatal(err)
	}
	r := newReader(t, w.Me, noon, w.Events)
	model := builtin.NewIn(builtin.Options{Now: func() time.Time { return noon }, Zone: func() *time.Location { return time.UTC }, Me: func() string { return w.Me.String() }}, all)
	for question, want := range map[string]string{
		endings("What did I miss since yesterday?"):   endings("No language model was used; sentences are quoted."),
		endings("how many notes were there today?"):   endings("you follow (yourself counted), since"),
		endings("search") + " xyzzy":                  endings("No note here has") + " “xyzzy”.",
		endings("write a poem about autumn"):          endings("I only read"),
		endings("only what i have not seen"):          endings("No language model was used"),
		endings("Who posted most in the last 3 days"): endings("you follow (yourself counted), since"),
		endings("who has not written for long?"):      endings("Of all the people you follow whose notes are stored here"),
		endings("pictures from yesterday"):            endings("with a picture by people you follow"),
	} {
		got := r.askOf(t, model, &agent.Conversation{}, question)
		if !strings.Contains(got.text, want) {
			t.Errorf("%s is answered\n%s\nwithout %q", question, got, want)
		}
	}
}

var (
	word   = regexp.MustCompile(`\{[a-z]+\}|[\pL']+`)
	quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	name   = regexp.MustCompile(`^[\w'"-]+`)
)

// endings gives words another end, but for the blanks between them.
func endings(text string) string {
	return word.ReplaceAllStringFunc(text, func(w string) string {
		if strings.HasPrefix(w, "{") {
			return w
		}
		return w + "ux"
	})
}

// invented writes the file of a language again with other ends of all its words.
func invented(file string) string {
	var out []string
	table, long := "", false
	for line := range strings.Lines(file) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case long:
			long = !strings.HasSuffix(line, `"""`)
			line = endings(line)
		case strings.HasPrefix(line, "language = "):
			line = `language = "xx"`
		case strings.HasPrefix(line, "order = "):
			line = "order = 9"
		case strings.HasPrefix(line, "["):
			table = line
		case strings.HasSuffix(line, `"""`):
			long = true
		default:
			if table == "[question.short]" || table == "[question.time.parts]" || table == "[question.time.numbers]" {
				line = name.ReplaceAllStringFunc(line, func(key string) string { return `"` + endings(strings.Trim(key, `"`)) + `"` })
			}
			head, rest, ok := strings.Cut(line, "= ")
			if !ok || strings.HasPrefix(head, "    ") { // in a list
				head, rest = "", line
			}
			rest = quoted.ReplaceAllStringFunc(rest, func(s string) string {
				if words, meaning, ok := strings.Cut(s, " = "); ok && table == "[question.time]" {
					return endings(words) + " = " + meaning
				}
				return endings(s)
			})
			if line = rest; head != "" {
				line = head + "= " + rest
			}
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n") + "\n"
}
