package e2e

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
)

// TestSmallUnderscoresAreSeen looks for the lowest pixels of small text in the real window,
// whose painter gives a text less height than that of other tests.
func TestSmallUnderscoresAreSeen(t *testing.T) {
	const blank = "________________"
	server := testkit.NewModelServer(t,
		testkit.SSE(toolCall("query", `{"search":"`+blank+`"}`), chunk(`{}`, "tool_calls")),
		testkit.SSE(chunk(`{"content":"Nothing."}`, ""), chunk(`{}`, "stop")),
	)
	p := installed(t)
	config := fmt.Sprintf("[assistant]\nmodel = \"custom:m\"\nbase_url = %q\n", server.URL+"/v1")
	if err := os.WriteFile(filepath.Join(p.data, "settings.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	w := newDisplay(t, "1300x900").openWindow(p, "--sample")
	w.click("chat.entry")
	w.typeText("Is there a blank?")
	w.key("Return")
	w.wait("chat.retry")
	w.click("chat.work")
	w.click("chat.details")
	card := w.wait("chat.details.text")
	w.keep("underscores")
	// Fyne's font of fixed width has letters of six tenths of its size, which is 11 here.
	least, most := len(blank)*6, len(blank)*7+2
	w.until("the underscores", func() bool {
		for _, n := range runs(w.shot(), image.Rect(card.X, card.Y, card.X+card.Width, card.Y+card.Height)) {
			if n >= least && n <= most {
				return true
			}
		}
		return false
	})
	if !strings.Contains(string(server.Received()[1].Body), blank) {
		t.Error("the call was not made")
	}
	w.quit()
}

// runs returns the lengths of the longest lines across a part of a picture, one for each row:
// pixels beside one another that differ from the last of the row.
func runs(img image.Image, part image.Rectangle) (longest []int) {
	for y := part.Min.Y; y < part.Max.Y; y++ {
		ground, n, most := rgb(img, part.Max.X-1, y), 0, 0
		for x := part.Min.X; x < part.Max.X; x++ {
			if n++; !apart(ground.R, rgb(img, x, y).R) {
				n = 0
			}
			most = max(most, n)
		}
		longest = append(longest, most)
	}
	return longest
}
