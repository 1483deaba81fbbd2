package answers

import (
	"slices"

	"bowerbird/app/builtin"
	"bowerbird/app/check"
)

// SourceOf returns the first note that an item of a digest cites; ok is false if it cites
// none.
func (b *Digest) SourceOf(it builtin.Item) (s Source, ok bool) {
	for _, l := range it.Lines {
		for _, ref := range check.References(l.Text) {
			i := slices.IndexFunc(b.Sources, func(s Source) bool { return s.Index == ref.Index })
			if i >= 0 {
				return b.Sources[i], true
			}
		}
	}
	return Source{}, false
}

// gathered moves into a digest what is drawn within it: the chart of when the notes were
// written, how complete they are, and the authors of what it cites. What was looked up
// follows the digest.
func (a *Assembler) gathered(blocks []Block) []Block {
	at := slices.IndexFunc(blocks, func(b Block) bool { _, ok := b.(*Digest); return ok })
	if at < 0 {
		return blocks
	}
	whole := *blocks[at].(*Digest)
	_, summary := a.reported()
	whole.Complete = summary != nil && summary.Complete > 0 && !incomplete(summary)
	out := []Block{&whole}
	for _, b := range blocks {
		switch b := b.(type) {
		case *Digest:
		case *Coverage:
			whole.Coverage = b
		case *Chart:
			if b.Chart == nil || b.Refused != "" || whole.Chart != nil {
				out = append(out, b)
				continue
			}
			whole.Chart = b
		case *Sources:
			whole.Sources = b.List
			out = append(out, b)
		default:
			out = append(out, b)
		}
	}
	if a.digest == nil {
		a.digest = &whole
	}
	out[0] = a.digest
	return out
}
