package markdown

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

// words returns all letters of blocks, and how many items with a mark they have.
func words(bs []Block) (text string, items int) {
	var b strings.Builder
	for _, x := range bs {
		for _, in := range x.Inline {
			b.WriteString(in.Text)
		}
		inner, n := words(x.Children)
		b.WriteString(inner)
		items += n
		for _, it := range x.Items {
			if !it.goesOn {
				items++
			}
			inner, n := words(it.Blocks)
			b.WriteString(inner)
			items += n
		}
	}
	return strings.ReplaceAll(b.String(), " ", ""), items
}

func TestLongBlocksAreSplitAndLoseNothing(t *testing.T) {
	long := strings.Repeat("word ", 3_000)
	for name, text := range map[string]string{
		"short":               "# Title\n\nOne ^1 two.\n\n- a\n- b",
		"a long paragraph":    "Before\n\n" + long + "\n\nbehind",
		"a long word":         strings.Repeat("é", 9_000),
		"bold and links":      strings.Repeat("**bold** and [a link](https://example.org) ^1 ", 400),
		"many items":          strings.Repeat("1. item\n", 900),
		"a long item":         "3. first\n4. " + long + "\n5. third",
		"lists within others": strings.Repeat("- outer\n    - inner "+strings.Repeat("word ", 200)+"\n", 30),
		"a long quote":        "> " + long + "\n>\n> - " + long,
	} {
		t.Run(name, func(t *testing.T) {
			before := Parse(text, 1)
			after := Split(before)
			wantText, wantItems := words(before)
			gotText, gotItems := words(after)
			if gotText != wantText || gotItems != wantItems {
				t.Errorf("%d bytes and %d items became %d and %d", len(wantText), wantItems, len(gotText), gotItems)
			}
			ids := map[string]bool{}
			for i := range after {
				if cost := after[i].cost(); cost > 2*pieceCost {
					t.Errorf("block %d still costs %d", i, cost)
				}
				if ids[after[i].ID] {
					t.Errorf("two blocks are %s", after[i].ID)
				}
				ids[after[i].ID] = true
			}
			if name == "short" && len(after) != len(before) {
				t.Errorf("%d blocks became %d", len(before), len(after))
			}
		})
	}
}

func TestASplitListGoesOnCounting(t *testing.T) {
	open(t, theme.Light)
	next := 7
	for _, b := range Split(Parse("7. a\n8. "+strings.Repeat("word ", 2_000)+"\n9. c", 0)) {
		l := newList(&Options{}, look{}, b)
		for i, it := range l.items {
			if b.Items[i].goesOn {
				if it.marker != nil {
					t.Errorf("what goes on is numbered %s", it.marker)
				}
				continue
			}
			if want := string(rune('0'+next)) + "."; it.marker.(*prose.Text).String() != want {
				t.Errorf("numbered %s, want %s", it.marker, want)
			}
			next++
		}
	}
	if next != 10 {
		t.Errorf("counted up to %d", next)
	}
}

func TestTheRestOfAVeryLongTextIsShownWhenItIsAskedFor(t *testing.T) {
	open(t, theme.Light)
	v := New(options())
	v.opt.OnMore = func() { v.SetParts(v.parts + 1) }
	v.SetText(strings.Repeat("A paragraph of some words.\n\n", 1_000), true)
	w := show(t, v, 400)
	some := len(v.views)
	if some == 0 || some > 400 || v.foot == nil {
		t.Fatalf("%d blocks are shown at first, with more: %v", some, v.foot != nil)
	}
	low := v.HeightFor(400)
	w.Resize(fyne.NewSize(400, low))
	test.TapCanvas(w.Canvas(), v.more.Position().AddXY(4, 4))
	if n := len(v.views); n <= some || n > 800 || v.foot == nil {
		t.Fatalf("%d blocks are shown after one click, with more: %v", n, v.foot != nil)
	}
	for n := 1; v.foot != nil && n < 10; n++ {
		v.SetParts(v.parts + 1)
	}
	if len(v.views) != 1_000 || v.foot != nil || v.HeightFor(400) < 2*low {
		t.Errorf("%d blocks are shown then, %v high; at first %v", len(v.views), v.HeightFor(400), low)
	}
	v.SetText("Another.", true)
	if len(v.views) != 1 || v.foot != nil {
		t.Errorf("%d blocks of a short text, with more: %v", len(v.views), v.foot != nil)
	}
}
