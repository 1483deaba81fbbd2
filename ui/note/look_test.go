package note

import (
	"os"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/assets"

	"bowerbird/ui/theme"
)

func TestLook(t *testing.T) {
	if os.Getenv("LOOK") == "" {
		t.Skip()
	}
	if err := lang.AddTranslationsFS(assets.Translations, "translations"); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []theme.Mode{theme.Light, theme.Dark} {
		start(t, mode)
		opt := options(&calls{})
		opt.Loader = noLoader{}
		save(t, "feed-"+string(mode)+".png", drawn(420, of(opt, adaNote()), of(opt, tomasNote()), of(opt, benNote()), of(opt, yukiNote()), of(opt, claraNote())))
		o := opt
		o.Size, o.Line = Focus, false
		focus := of(o, quotingArticle())
		o.Size, o.Line = Reply, true
		thread := []*Card{focus, of(o, adaNote()), of(o, answering()), of(o, answering()), of(o, yukiNote())}
		thread[2].SetIndent(40)
		thread[3].SetIndent(80)
		save(t, "thread-"+string(mode)+".png", drawn(752, thread...))
		th, _ := theme.New(theme.Options{Mode: mode, Scale: 2})
		fyne.CurrentApp().Settings().SetTheme(th)
		save(t, "large-"+string(mode)+".png", drawn(420, of(opt, adaNote()), of(opt, tomasNote()), of(opt, longName()), of(opt, yukiNote()), of(opt, claraNote()), of(opt, quoting())))
		start(t, mode)
		all := states()
		for i := 0; i < len(all); i += 12 {
			var cards []*Card
			for _, s := range all[i:min(i+12, len(all))] {
				cards = append(cards, s.card())
			}
			save(t, "states-"+string(mode)+string(rune('1'+i/12))+".png", drawn(420, cards...))
		}
	}
}
