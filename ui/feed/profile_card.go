package feed

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/layout"
	"bowerbird/ui/note"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// The width of a person's picture, in points, and the least that it is shrunk to.
const (
	profileAvatar float32 = 88
	leastAvatar   float32 = 48
)

// aboutLines is how many lines of a person's description are shown.
const aboutLines = 24

// profileCard is the header of a profile, and the choice of the list below it.
type profileCard struct {
	layout.Arranged
	env     screen.Env
	face    *personFace
	name    *prose.Text
	handle  *prose.Text
	key     *widgets.Label
	npub    string
	mark    *prose.Text
	about   *prose.Text
	facts   *prose.Text
	reached *prose.Text
	which   *widgets.Segmented
}

func newProfileCard(env screen.Env, chosen int, choose func(int)) *profileCard {
	c := &profileCard{env: env}
	c.face = newPersonFace(c.env, profileAvatar)
	c.name, c.handle, c.mark = prose.New(), prose.New(), prose.New()
	c.about, c.facts, c.reached = prose.New(), prose.New(), prose.New()
	c.about.Selectable, c.about.MaxLines = true, aboutLines
	c.about.ID = "profile.about"
	c.key = widgets.NewLabel("", theme.Tiny, theme.Muted)
	copyKey := widgets.NewIconButton("copy", lang.L("Copy this person's key (npub)"), func() { env.Go.Copy(c.npub) })
	copyKey.ID, copyKey.Side = "profile.copy", 26
	copyKey.SetGlyph(14)
	c.which = widgets.Named("profile.which", widgets.NewSegmented([]string{lang.L("Notes"), lang.L("With replies"), lang.L("Articles")}, chosen, choose))
	words := layout.Column(2, c.name, c.handle, layout.Row(4, -1, c.key, copyKey))
	top := layout.NewArranged(0, func(width float32, put layout.Put) float32 {
		const gap = 16
		side := theme.Eased(profileAvatar)
		if left := width - gap - words.MinSize().Width; left < side { // large text in a narrow window
			side = max(left, theme.Eased(leastAvatar))
		}
		rest := width - side - gap
		lines := layout.HeightFor(words, rest)
		height := max(side, lines)
		if put != nil {
			put(c.face.avatar, 0, (height-side)/2, side, side)
			put(words, side+gap, (height-lines)/2, rest, lines)
		}
		return height
	}, c.face.avatar, words)
	c.Objects = []fyne.CanvasObject{layout.Column(0,
		layout.Pad(layout.Insets{Top: 20, Right: theme.ColumnPadding, Bottom: 12, Left: theme.ColumnPadding},
			layout.Column(10, top, c.mark, c.about, c.facts, c.reached, c.which)),
		layout.Pad(layout.Insets{Right: theme.ColumnPadding, Left: theme.ColumnPadding}, widgets.NewRule()))}
	c.Arrange = func(width float32, put layout.Put) float32 {
		w := min(width, threadWidth+2*theme.ColumnPadding) // as wide as the notes below
		height := layout.HeightFor(c.Objects[0], w)
		if put != nil {
			put(c.Objects[0], (width-w)/2, 0, w, height)
		}
		return height
	}
	c.ExtendBaseWidget(c)
	return c
}

// set shows a person.
func (c *profileCard) set(p present.Profile, coverage string) {
	c.npub = p.Npub
	c.face.set(p)
	c.name.SetSpans(prose.Span{Text: p.Name, Size: theme.Title, Bold: true})
	c.handle.SetSpans(prose.Span{Text: joined(joined(p.Handle, p.NIP05), c.signs(p)), Size: theme.Small, Color: theme.Muted})
	c.key.SetText(p.PubKey.Short())
	setText(c.mark, c.warning(p))
	setText(c.about, c.spans(p.About)...)
	setText(c.facts, c.figures(p)...)
	setText(c.reached, prose.Span{Text: coverage, Size: theme.Small, Color: theme.Muted})
	c.Refresh()
}

// personFace is the avatar of a person's profile.
type personFace struct {
	env    screen.Env
	avatar *widgets.Avatar
	side   float32
	url    string // of the picture shown or asked for; "" for the pattern
}

func newPersonFace(env screen.Env, side float32) *personFace {
	return &personFace{env: env, avatar: widgets.NewAvatar([32]byte{}, side), side: side}
}

// set shows a person's picture if the settings load pictures of followed people
// automatically; there is no click that loads one.
func (f *personFace) set(p present.Profile) {
	f.avatar.Set(p.PubKey)
	url := p.Picture
	if f.env.Pictures == nil || !f.env.Look.ShowFollowed || !p.Followed && !p.Me {
		url = ""
	}
	if url == f.url {
		return
	}
	f.url = url
	f.avatar.SetPicture(nil)
	if url == "" {
		return
	}
	f.env.Do.Go(func() func() {
		img, err := f.env.Pictures.Load(context.Background(), url)
		if err != nil {
			return nil // the pattern stays
		}
		img = note.Small(img, 2*int(f.side))
		return func() {
			if f.url == url {
				f.avatar.SetPicture(img)
			}
		}
	})
}

// setText shows spans, and hides a text without any.
func setText(t *prose.Text, spans ...prose.Span) {
	t.SetSpans(spans...)
	t.Hidden = t.String() == ""
}

// signs words how the person and the user are related.
func (c *profileCard) signs(p present.Profile) string {
	var signs string
	switch {
	case p.Me:
		signs = lang.L("this is your account")
	case p.Followed:
		signs = lang.L("you follow")
	}
	if p.FollowsYou {
		signs = joined(signs, lang.L("follows you"))
	}
	if p.Bot {
		signs = joined(signs, lang.L("automated"))
	}
	return signs
}

func (c *profileCard) warning(p present.Profile) prose.Span {
	if p.Mark == "" {
		return prose.Span{}
	}
	return prose.Span{
		Text: lang.L("Not the person of this name whom you follow: the key ends in {{.Mark}}", map[string]any{"Mark": p.Mark}),
		Size: theme.Small, Color: theme.Warn,
	}
}

// figures words what is stored of the person, with a link to their website.
func (c *profileCard) figures(p present.Profile) []prose.Span {
	number := func(text string) map[string]any { return map[string]any{"Number": text} }
	if p.PubKey == ([32]byte{}) {
		return nil
	}
	parts := []string{lang.N("{{.Number}} notes stored here", int(p.Notes.N), number(p.Notes.Text))}
	if p.Follows.N > 0 {
		parts = append(parts, lang.N("follows {{.Number}} people", int(p.Follows.N), number(p.Follows.Text)))
	}
	if p.Followers.N > 0 {
		parts = append(parts, lang.N("followed by {{.Number}} people known here", int(p.Followers.N), number(p.Followers.Text)))
	}
	spans := []prose.Span{{Text: strings.Join(parts, " · "), Size: theme.Small, Color: theme.Muted}}
	if p.Website != "" {
		spans = append(spans, prose.Span{Text: " · ", Size: theme.Small, Color: theme.Muted},
			prose.Span{Text: p.Website, Size: theme.Small, ID: "profile.website", Tip: p.WebsiteURL, Tap: func() { c.env.Go.OpenURL(p.WebsiteURL) }})
	}
	return spans
}

// spans returns a person's description with its links.
func (c *profileCard) spans(ps []present.Paragraph) []prose.Span {
	var out []prose.Span
	for i, p := range ps {
		if i > 0 {
			out = append(out, prose.Span{Text: "\n\n"})
		}
		for _, s := range p {
			out = append(out, prose.Span{Text: s.Text, Tap: note.LeadTo(c.env.Go, s), Tip: s.URL})
		}
	}
	return out
}
