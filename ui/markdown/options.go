package markdown

import (
	"net/url"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

// Options say what a text does when it is used. All are optional.
type Options struct {
	// Cites is the number of notes that ^1, ^2 … stand for; higher numbers stay text.
	Cites int
	// OnCite is called with the number of the citation that was clicked, from 1.
	OnCite func(index int)
	// OverCite is called when the mouse or the keyboard comes to a citation and leaves it.
	OverCite func(index int, link fyne.CanvasObject, on bool)
	// OpenURL opens an https or http URL.
	OpenURL func(url string)
	// OpenNostr opens a note, a person or an address by its NIP-19 code.
	OpenNostr func(code string)
	// Copy puts a text on the clipboard; nil does so without a message.
	Copy func(text string)
	// Scrolled receives the vertical turns of the wheel over code that scrolls sideways, so
	// that the list around it scrolls.
	Scrolled func(*fyne.ScrollEvent)
	// OnMore is called when the user asks for more of a text of which a [View] shows only
	// the beginning: see [View.SetParts].
	OnMore func()
	// Table returns a widget for a table at the top level; the widget answers
	// layout.HeightFor. It is called again when the table has grown. Nil draws all tables
	// as part of the text.
	Table func(b Block) fyne.CanvasObject
	// Size is the size of paragraphs; "" is theme.Body.
	Size fyne.ThemeSizeName
}

// LineSpans returns the spans of a single line with its links and its citations ^1 to
// ^cites.
func (o *Options) LineSpans(text string, cites int, size fyne.ThemeSizeName, color fyne.ThemeColorName) []prose.Span {
	var spans []prose.Span
	for _, b := range Parse(text, cites) {
		spans = append(spans, o.spans(b.Inline, look{size: size, color: color})...)
	}
	return spans
}

func (o *Options) copyText(s string) {
	if o.Copy != nil {
		o.Copy(s)
		return
	}
	fyne.CurrentApp().Clipboard().SetContent(s)
}

// look is what a block inherits from the blocks around it.
type look struct {
	size  fyne.ThemeSizeName
	color fyne.ThemeColorName
	bold  bool
	depth int           // of lists
	top   func() string // returns the Markdown of the top-level block
}

// spans converts inlines into what ui/prose draws.
func (o *Options) spans(in []Inline, lk look) []prose.Span {
	out := make([]prose.Span, 0, len(in))
	for i, x := range in {
		s := prose.Span{
			Text: x.Text, Size: lk.size, Color: lk.color,
			Bold: x.Bold || lk.bold, Italic: x.Italic, Strike: x.Strike,
		}
		s.Doubt = x.Doubt == doubtful
		switch {
		case x.Doubt == doubtWords:
			if i == 0 || in[i-1].Doubt != doubtWords {
				out = append(out, prose.Span{Text: "  "}, prose.Span{Text: "?", Chip: true, Doubt: true, Color: theme.Warn})
			}
			out = append(out, prose.Span{Text: x.Text, Size: theme.Small, Color: theme.Warn})
			continue
		case x.Doubt == doubtStruck:
			out = append(out, prose.Span{Text: x.Text, Chip: true, Strike: true, Doubt: true, Color: theme.Warn})
			continue
		case x.Cite > 0:
			out = append(out, o.cite(x))
			continue
		case x.Code:
			s.Mono, s.Code = true, true
			s.Size = smaller(lk.size)
		case x.Link != "":
			o.link(&s, x)
		}
		out = append(out, s)
		if x.Host != "" {
			out = append(out, prose.Span{Text: " (" + x.Host + ")", Size: smaller(lk.size), Color: theme.Faint})
		}
	}
	return out
}

func smaller(size fyne.ThemeSizeName) fyne.ThemeSizeName {
	switch size {
	case theme.Title, theme.Heading, theme.Reading:
		return theme.Body
	}
	return theme.Small
}

func (o *Options) cite(x Inline) prose.Span {
	n := x.Cite
	s := prose.Span{Text: strconv.Itoa(n), Chip: true, ID: "cite:" + strconv.Itoa(n)}
	if o.OnCite != nil {
		s.Tap = func() { o.OnCite(n) }
	}
	if o.OverCite != nil {
		s.Over = func(link fyne.CanvasObject, on bool) { o.OverCite(n, link, on) }
	}
	return s
}

// link makes a span lead to the link of its inline.
func (o *Options) link(s *prose.Span, x Inline) {
	if code, ok := strings.CutPrefix(x.Link, "nostr:"); ok {
		s.ID = "link:" + nostr.ShortCode(code)
		if o.OpenNostr != nil {
			s.Tap = func() { o.OpenNostr(code) }
		}
		return
	}
	if x.Image && strings.TrimSpace(s.Text) == "" {
		s.Text = lang.L("Picture")
	}
	if s.Text == "" {
		s.Text = x.Link
	}
	s.Tip = x.Link
	if len(s.Tip) > 200 {
		s.Tip = strings.ToValidUTF8(s.Tip[:200], "") + "…"
	}
	if u, err := url.Parse(x.Link); err == nil {
		s.ID = "link:" + u.Hostname()
	}
	if o.OpenURL != nil {
		s.Tap = func() { o.OpenURL(x.Link) }
	}
}
