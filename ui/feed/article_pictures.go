package feed

import (
	"strings"

	"fyne.io/fyne/v2"

	"bowerbird/ui/markdown"
	"bowerbird/ui/note"
)

// takePictures parts a paragraph's text from those of its pictures that take takes;
// fresh are those that were not taken before. text is nil where nothing is left.
func takePictures(b markdown.Block, take func(markdown.Inline) (fresh, ok bool)) (text *markdown.Block, pictures []markdown.Inline) {
	if b.Kind != markdown.Paragraph {
		return &b, nil
	}
	var rest []markdown.Inline
	words, taken := false, false
	for _, x := range b.Inline {
		if x.Image && (strings.HasPrefix(x.Link, "https://") || strings.HasPrefix(x.Link, "http://")) {
			if fresh, ok := take(x); ok {
				taken = true
				if fresh {
					pictures = append(pictures, x)
				}
				continue
			}
		}
		if n := len(rest); n > 0 && taken && strings.HasSuffix(rest[n-1].Text, " ") {
			x.Text = strings.TrimLeft(x.Text, " ") // one space where a picture stood between two
		}
		rest = append(rest, x)
		words = words || strings.TrimSpace(x.Text) != ""
	}
	if !taken {
		return &b, nil
	}
	if !words {
		return nil, pictures
	}
	b.Inline = rest
	return &b, pictures
}

// bind shows a picture; all other rows are drawn once.
func (a *Article) bind(id string, o fyne.CanvasObject) {
	p := a.parts[id]
	in, ok := o.(*inset)
	if !ok || p.kind != partPicture {
		return
	}
	var load func()
	asked := a.memory.Asked(p.url)
	if a.env.Pictures != nil {
		load = func() {
			a.memory.Ask(p.url)
			a.rows.RefreshRow(id)
		}
		if asked == nil && a.env.Look.ShowFollowed && note.Followed(&a.article.Note) {
			asked = a.memory.Ask(p.url)
		}
	}
	in.content.(*pictureBox).set(p.url, p.alt, asked, load)
	if asked != nil && asked.Image == nil && asked.Failed == "" {
		a.fetch(id, p.url)
	}
}

// fetch gets the picture of a row, for as long as the screen is there.
func (a *Article) fetch(id, address string) {
	if a.fetching[address] {
		return
	}
	a.fetching[address] = true
	a.env.Do.Go(func() func() {
		img, err := a.env.Pictures.Load(a.ctx, address)
		return func() {
			delete(a.fetching, address)
			switch {
			case a.ctx.Err() != nil:
				return
			case err != nil:
				a.memory.Fail(address, err)
			default:
				a.memory.Keep(address, img)
			}
			a.rows.RefreshRow(id)
		}
	})
}
