package markdown

import (
	"reflect"
	"testing"
)

func TestATextThatIsOneBlockOfMarkdownIsUnwrapped(t *testing.T) {
	kinds := func(text string, final bool) (kinds []Kind) {
		var s Stream
		for _, b := range s.Set(text, 0, final) {
			kinds = append(kinds, b.Kind)
		}
		return kinds
	}
	for text, want := range map[string][]Kind{
		"```markdown\n# News\n\nIt is back.\n```":              {Heading, Paragraph},
		"```md\n# News\n\nIt is back.\n```\n\n":                {Heading, Paragraph},
		"```Markdown\n# News\n\nIt is ba":                      {Heading, Paragraph},
		"```markdown\nSee\n\n```go\nx := 1\n```\n\nthat.\n```": {Paragraph, Code, Paragraph},
		"```markdown\n# News\n```\nThat was an example.":       {Code, Paragraph},
		"So:\n\n```markdown\n# News\n```":                      {Paragraph, Code},
		"```go\nx := 1\n```":                                   {Code},
		"```markdownish\n# News\n```":                          {Code},
	} {
		for _, final := range []bool{false, true} {
			if got := kinds(text, final); !reflect.DeepEqual(got, want) {
				t.Errorf("%q, final %v: %v, not %v", text, final, got, want)
			}
		}
		var s Stream
		for i := range text {
			s.Set(text[:i], 0, false)
		}
		var got []Kind
		for _, b := range s.Set(text, 0, true) {
			got = append(got, b.Kind)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q as it grows: %v, not %v", text, got, want)
		}
	}
}
