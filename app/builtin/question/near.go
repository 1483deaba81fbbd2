package question

// distinctive are the concepts that distinguish one question from another.
const distinctive = ^(cFiller | cAlso | cDid | cOf | cBy | cPolite | cGreeting | cWhat | cWhether | cSelf | cInTopic | cEveryone | cAbout)

// Concepts are what the words of a text do that distinguish it from others.
func (p *Reader) Concepts(text, lang string) Concept {
	var all Concept
	for _, cl := range p.clauses(text, lang) {
		for _, m := range cl.marks {
			all |= m
		}
	}
	return all & distinctive
}

// clauses are the sentences of a text with what their words do.
func (p *Reader) clauses(text, lang string) (out []*clause) {
	for _, lx := range p.byLanguage(text, lang) {
		if lang != "" && lx.Lang != lang && lx.Answered {
			continue
		}
		for _, s := range p.sentencesOf(text) {
			cl := &clause{compiled: lx, toks: p.tokenize(s), talk: &Talk{}}
			if lx.Unspaced {
				cl.toks = lx.cut(lx.honoured(cl.toks, cl.talk))
			}
			cl.mark()
			out = append(out, cl)
		}
		break
	}
	return out
}

// mostNamed is how many runs of unknown words of a sentence are of use where it was not
// understood, and how many words of each.
const mostNamed = 8

// An Oddity is a run of unknown words in a question: perhaps a name, or its words a topic.
type Oddity struct {
	Text  string
	Words []string
}

// Odd returns the unknown words of a text, at most a few words of each sentence.
func (p *Reader) Odd(text, lang string) (out []Oddity) {
	for _, cl := range p.clauses(text, lang) {
		runs := cl.runs()
		for _, r := range runs[:min(len(runs), mostNamed)] {
			o := Oddity{Text: r.text}
			for _, t := range cl.toks[r.from:min(r.to, r.from+mostNamed)] {
				if !t.quoted && !cl.vocabulary[t.fold] {
					o.Words = append(o.Words, t.text)
				}
			}
			out = append(out, o)
		}
	}
	return out
}
