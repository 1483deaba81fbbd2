package theme

import (
	"math/rand/v2"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

func TestATextIsAsWideAsFyneSays(t *testing.T) {
	a := test.NewTempApp(t)
	th, err := New(Options{Mode: Light})
	if err != nil {
		t.Fatal(err)
	}
	a.Settings().SetTheme(th)
	texts := []string{"", " ", "word", "AVATAR To. Wa", "fi ffl -> 10:30 3x4", "Größe ¿Qué? Ελληνικά Привет", "e\u0301\u0302", "1/2 (a) [b] {c}", "“quoted” – said…"}
	rng := rand.New(rand.NewPCG(5, 6))
	letters := []rune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;-'()/&äöüßéèñçłøå")
	for range 300 {
		var word []rune
		for range 1 + rng.IntN(14) {
			word = append(word, letters[rng.IntN(len(letters))])
		}
		texts = append(texts, string(word))
	}
	for _, text := range append(texts, texts...) { // the second time remembered
		for _, style := range []fyne.TextStyle{{}, {Bold: true}, {Italic: true}} {
			for _, size := range []float32{11, 14, 25.6} {
				w, ok := Width(text, size, style)
				drawn, _ := fyne.CurrentApp().Driver().RenderedTextSize(text, size, style, Source(text, size, style))
				if want := drawn.Width; !ok || w != want {
					t.Errorf("%q at %v, %+v: %v, %v, Fyne says %v", text, size, style, w, ok, want)
				}
			}
		}
	}
	for _, text := range []string{"سلام", "雪", "😀", "a\tb", "a سلام"} {
		if w, ok := Width(text, 14, fyne.TextStyle{}); ok {
			t.Errorf("%q is %v wide in a font that has not all of it", text, w)
		}
	}
}
