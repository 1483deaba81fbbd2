package prose

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"bowerbird/internal/testkit"
	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

func open(t testing.TB, mode theme.Mode) {
	t.Helper()
	a := test.NewTempApp(t)
	th, err := theme.New(theme.Options{Mode: mode})
	if err != nil {
		t.Fatal(err)
	}
	a.Settings().SetTheme(th)
}

func TestLook(t *testing.T) {
	for _, mode := range []theme.Mode{theme.Light, theme.Dark} {
		open(t, mode)
		cite := func(n string) Span { return Span{Text: n, Chip: true, Tap: func() {}, ID: "cite:" + n} }
		bold := func(s string) Span { return Span{Text: s, Bold: true} }
		texts := []fyne.CanvasObject{
			New(bold("A long read on community."), Span{Text: " Ben wrote up two years of a 4,000-person group "}, cite("1"), Span{Text: ". 31 replies by 22 people, mostly on moderation by invitation "}, cite("2"), Span{Text: "."}),
			New(bold("Relay maintenance."), Span{Text: " Ada moved her relay to LMDB; start-up fell from 40 s to under one "}, cite("3"), Span{Text: ". Two others ask for the steps "}, cite("4"), Span{Text: "."}),
			Plain("Also: #localfood (9 notes), #lmdb (7), birthdays of two people. Sentences are quoted from the notes; no language model was used.", theme.Small, theme.Muted),
			New(Span{Text: "The winter farmers market opens on Saturday at 9. Bring a bag, bring a neighbour. "}, Span{Text: "#localfood", Tap: func() {}}, Span{Text: " with "}, Span{Text: "code()", Mono: true, Code: true}, Span{Text: " and "}, Span{Text: "marked", Mark: true}, Span{Text: " words, "}, Span{Text: "struck", Strike: true}, Span{Text: ", "}, Span{Text: "italic", Italic: true}, Span{Text: " ,gjpqy"}),
			Plain("今日はいい天気。散歩しながら新しいクライアントを試しています。新しいクライアントを試しています。", "", ""),
			Plain("שלום עולם! זה (טקסט) בעברית עם English words ועם 12:30 מספרים.", "", ""),
			Plain("مرحبا بالعالم، هذا نص عربي مع Nostr و 2026.", "", ""),
			Plain("Emoji 👩‍👩‍👧‍👦 🇩🇪 👍🏽 ⚡ and ไทยภาษาไทย words", "", ""),
			Plain("Averyveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryverylongword.", "", ""),
			New(Span{Text: "Big ", Size: theme.Title, Bold: true}, Span{Text: "small", Size: theme.Small, Color: theme.Muted}, Span{Text: " 雪 Yuki", Bold: true}),
		}
		clamp := Plain("Only two lines of this long text are shown, the rest is cut with an ellipsis, since a timeline must be quick to read and a wall of text is not.", "", "")
		clamp.MaxLines = 2
		texts = append(texts, clamp)
		bg := canvas.NewRectangle(theme.Color(theme.Background))
		w := test.NewTempWindow(t, container.NewStack(bg, layout.Pad(layout.All(20), layout.Column(8, texts...))))
		w.Resize(fyne.NewSize(480, 700))
		testkit.Picture(t, string(mode), w.Canvas().Capture())
	}
}
