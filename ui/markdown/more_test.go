package markdown

import (
	"fmt"
	"strings"
	"testing"

	"bowerbird/ui/theme"
)

func TestABlockOfWhichOnlyTheBeginningIsShownIsCopiedWhole(t *testing.T) {
	open(t, theme.Light)
	list := strings.TrimSpace(strings.Repeat("- an item of a list\n", 4_000))
	v := New(options())
	v.SetText("Before.\n\n"+list+"\n\nBehind.", true)
	if v.foot == nil {
		t.Fatal("all is shown")
	}
	last := v.views[len(v.views)-1]
	if got := last.look.top(); got != list {
		t.Errorf("%d bytes are copied of %d", len(got), len(list))
	}
	if got := v.views[0].look.top(); got != "Before." {
		t.Errorf("the first block is copied as %q", got)
	}
}

func TestCodeIsNeverCut(t *testing.T) {
	open(t, theme.Light)
	code := strings.Repeat("a line of code\n", 5_000)
	for name, text := range map[string]string{
		"alone":     "```\n" + code + "```\n\nBehind.",
		"in a list": "- item\n\n  ```\n" + strings.ReplaceAll("  "+code, "\n", "\n  ") + "```\n",
	} {
		all := Parse(text, 0)
		v := New(options())
		v.SetText(text, true)
		if got, want := codeOf(v.views[0].block), codeOf(all[0]); got != want || len(got) < len(code)-10 {
			t.Errorf("%s: %d bytes of code are kept, %d were written", name, len(got), len(want))
		}
	}
}

func codeOf(b Block) string {
	for _, it := range b.Items {
		for _, x := range it.Blocks {
			if x.Kind == Code {
				return x.Code
			}
		}
	}
	return b.Code
}

func TestOfALongTableTheFirstRowsAreShown(t *testing.T) {
	open(t, theme.Light)
	v := New(options())
	v.SetText("|name|number|\n|-|-|\n"+strings.Repeat("|somebody|12|\n", 2_000), true)
	some := len(v.views[0].block.Rows)
	if some < 100 || some > 400 || v.foot == nil {
		t.Fatalf("%d rows are shown, with more: %v", some, v.foot != nil)
	}
	for n := 0; v.foot != nil && n < 50; n++ {
		v.SetParts(v.parts + 1)
	}
	rows := v.views[0].block.Rows
	if len(rows) != maxRows+1 || v.foot != nil {
		t.Fatalf("%d rows are shown in the end, with more: %v", len(rows), v.foot != nil)
	}
	if last := rows[maxRows][0].Inline[0].Text; last != "…" {
		t.Errorf("the last row says %q, not that there are more", last)
	}
}

func TestALinkThatIsDefinedFarBehindLeadsThere(t *testing.T) {
	open(t, theme.Light)
	v := New(options())
	v.SetText("[here][a]\n\n"+strings.Repeat("A paragraph of words.\n\n", 5_000)+"[a]: https://example.org\n", true)
	if in := v.views[0].block.Inline; len(in) != 1 || in[0].Link != "https://example.org" {
		t.Errorf("the link is %+v", in)
	}
}

func TestATextThatGrowsFarBehindWhatIsShownChangesNothing(t *testing.T) {
	open(t, theme.Light)
	v := New(options())
	var b strings.Builder
	for i := range 3_000 {
		fmt.Fprintf(&b, "Paragraph %d of many.\n\n", i)
	}
	text := b.String()
	v.SetText(text[:60_000], false)
	before := v.views[5]
	blocks := len(v.views)
	for n := 60_000; n < len(text); n += 500 {
		v.SetText(text[:n], false)
	}
	if v.views[5] != before || len(v.views) != blocks || v.text != text[:len(v.text)] {
		t.Errorf("%d blocks became %d", blocks, len(v.views))
	}
	v.SetText(text, true)
	if whole := Parse(text, 0); len(v.views) < blocks/2 || v.views[5].block.Source != whole[5].Source || v.text != text {
		t.Errorf("in the end there are %d blocks", len(v.views))
	}
}
