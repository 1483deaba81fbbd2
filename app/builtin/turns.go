package builtin

import (
	"slices"
	"strings"
)

// A story has turns: how it began, what came of it, that it was false. What a reader
// must not be left with is a claim that was taken back.

// denials are words by which people take a claim back, deny it or tell that what was
// announced will not be; of more than one word where one alone says too little.
var denials = []string{
	"correction", "corrected", "false", "untrue", "hoax", "fake", "retract", "retracts", "retracted", "retraction", "debunked",
	"mistaken", "misreported", "rumour", "rumor", "alive", "not true", "not dead", "was wrong", "is wrong", "were wrong", "got it wrong", "never happened",
	"canceled", "cancelled", "postponed", "called off", "withdrawn", "withdrew", "takes it back", "take that back", "apologise", "apologize", "my apologies", "i misread",
	"falschmeldung", "falsch", "irrtum", "korrektur", "richtigstellung", "widerrufen", "widerruft", "zurückgezogen", "lebt", "zeitungsente", "abgesagt", "verschoben",
	"stimmt nicht", "stimmte nicht", "nicht wahr", "gar nicht", "doch nicht", "entwarnung", "dementiert",
	"démenti", "dément", "faux", "fausse", "rectification", "rectificatif", "par erreur", "annulé", "annulée", "reporté", "reportée", "vivant", "vivante", "pas mort", "pas morte", "pas vrai",
	"desmentido", "desmiente", "desmienten", "falso", "falsa", "bulo", "corrección", "rectifico", "rectificación", "fue un error", "cancelado", "cancelada", "aplazado", "aplazada", "sigue vivo", "sigue viva", "está vivo", "está viva", "no es cierto", "no era cierto",
	"desmente", "correção", "errata", "boato", "adiado", "adiada", "está vivo", "está viva", "não é verdade", "mentira",
	"smentita", "smentito", "bufala", "annullato", "rinviato", "non è vero", "onjuist", "rectificatie", "afgelast", "uitgesteld", "niet waar",
	"asılsız", "yalan", "iptal edildi", "ertelendi", "خبر كاذب", "غير صحيح", "تصحيح", "إشاعة", "حي يرزق", "نفى", "ألغي", "تأجل",
	"sprostowanie", "nieprawda", "fałszywa", "fałszywe", "odwołane", "odwołany", "przełożone", "żyje", "ложь", "опровержение", "неправда", "отменили", "отменен", "жив", "жива",
}

// deniedWithoutSpaces are the same in scripts that are written without spaces.
var deniedWithoutSpaces = []string{
	"訂正", "誤報", "間違い", "間違って", "デマ", "嘘でした", "無事", "生きて", "中止", "延期", "撤回", "取り消",
	"更正", "假消息", "谣言", "辟谣", "误报", "取消", "推迟", "还活着", "정정", "오보", "사실이 아니", "취소", "연기", "살아",
}

// denies reports whether a note takes something back. A word that people use for other
// things too says nothing alone.
func (g *grammar) denies(n *note, words []spoken, l *lexis) bool {
	for i, w := range words {
		phrases, ends := g.denial[w.term]
		if !ends {
			continue
		}
		for _, d := range phrases {
			if d = d[:len(d)-1]; len(d) == 0 && !l.common(w.word, n.lang) || len(d) > 0 && precedes(words[:i], d) {
				return true
			}
		}
	}
	return slices.ContainsFunc(deniedWithoutSpaces, func(d string) bool { return strings.Contains(n.text, d) })
}

// precedes reports whether words end with these terms.
func precedes(words []spoken, terms []string) bool {
	from := len(words) - len(terms)
	return from >= 0 && slices.EqualFunc(words[from:], terms, func(w spoken, term string) bool { return w.term == term })
}

// How much later than what it is told with a turn is at least, in seconds: a reply in
// the same hour is talk, unless it takes something back.
const laterTurn = 3600

// turn reports whether a note is a turn of a topic's story, as it stood with lead.
func (t *topic) turn(n, lead *note) bool {
	switch {
	case n == lead || n.at <= lead.at || !n.fresh || n.news == 0:
		return false
	case n.denies:
		return n.author == lead.author || n.parent == "" || n.done > 0 || n.names.shares(lead.names)
	case n.at < lead.at+laterTurn || n.news < lead.news/2:
		return false
	case n.author == lead.author, n.done > 2:
		return true
	}
	// Told anew, a day later.
	return n.parent == "" && n.at > lead.at+20*3600
}

// shares reports whether two notes have a name in common.
func (a names) shares(b names) bool {
	for name := range a {
		if _, ok := b[name]; ok {
			return true
		}
	}
	return false
}

// latest returns which of the candidates tells how the story of lead stands now: the
// newest denial of what was told, else its newest turn; nil for none.
func (t *topic) latest(list []candidate, lead *note) *candidate {
	var out *candidate
	for i := range list {
		c := &list[i]
		if !t.turn(c.note, lead) {
			continue
		}
		switch {
		case out == nil, c.note.denies && !out.note.denies:
			out = c
		case out.note.denies && !c.note.denies && (c.note.author != out.note.author || c.note.in != out.note.in):
			// Others go on talking: the claim stays denied.
		case c.note.at > out.note.at:
			out = c
		}
	}
	return out
}
