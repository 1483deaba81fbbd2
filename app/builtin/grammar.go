package builtin

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bowerbird/ndb"
)

// A grammar knows the words that only hold sentences together, in the languages
// that this app speaks itself. In others, how usual a word is must do.
type grammar struct {
	usual map[string]uint8 // folded; a bit for each language that has it
	langs []string
	// denial are the phrases that take something back, by their last word; see turns.go.
	denial map[string][][]string
}

func newGrammar() *grammar {
	g := &grammar{usual: map[string]uint8{}, denial: map[string][][]string{}}
	for i, l := range []struct{ lang, words string }{
		{"en", `
			a about after again all also am an and any are as at back be because been before being but by can can't could day did
			didn't do does doesn't don't dont down even ever every first for from get gm gn go going good got great had has have he
			her here him his how i i'll i'm i've if im in into is isn't it it's its just know last let let's like lol made make many
			me more most much my need new no not now of off oh ok okay on one only or other our out over own people please really
			said same say see she should so some still such than thank thanks that that's the their them then there there's these
			they thing things think this those through time to today too two up us very want was way we well were what what's when
			where which while who why will with won't would yeah yep yes you you're your morning night evening afternoon
			isnt cant wont doesnt didnt thats whats youre theyre ive wasnt hey hi hello maybe actually something anything someone
			anyone everything nothing around already always never sure need lot look looks something better best right tomorrow
			three four five six seven eight nine ten twelve twenty thirty forty fifty hundred thousand million half
			monday tuesday wednesday thursday friday saturday sunday`},
		{"de", `
			a aber alle alles als am auch auf aus bei bis da dann das dass dein dem den denn der des die diese dieser dieses doch
			durch ein eine einem einen einer er es etwas euch fur für ganz gerade gibt gut habe haben hat heute hier ich ihr im
			immer in ist ja jetzt kann kein keine mal man mehr mein meine mich mir mit nach nein nicht noch nur oder schon sehr seit
			sich sie sind so so'n uber um und uns unter viel vom von vor war weil wenn werden wie wieder wir wird zu zum zur über
			guten morgen abend nacht geht ging mach macht gemacht hätte wäre können müssen soll sollte will wollen weiß wohl eben also ach oh gar neu
			zwei drei vier fünf sechs sieben acht neun zehn zwölf hundert tausend
			montag dienstag mittwoch donnerstag freitag samstag sonntag`},
		{"fr", `
			a au aussi aux avec bien c'est ce ces cette comme d'un d'une dans de des du elle en encore est et etait ete etre fait il
			ils j'ai je l'on la le les leur ma mais meme mes mon même ne nous ont ou où par pas plus pour qu'il qu'on quand que qui
			sa sans se ses son sont sur tous tout tres très tu un une vous y bonjour bonsoir salut bonne belle journée soirée nuit à était été être
			deux trois quatre cinq six sept huit neuf dix cent mille lundi mardi mercredi jeudi vendredi samedi dimanche`},
		{"es", `
			a ahora al aqui aquí bien cada como con cuando de del desde donde e el en entre es esa ese eso esta estan este esto está
			están fue hasta hay hoy las lo los mas mi muy más nada nos o para pero por porque que quien qué se ser si siempre sin
			sobre solo son su sus sí sólo tambien también tan buenos días buenas noches tardes hola dos tres cuatro cinco seis siete ocho nueve diez cien mil todo todos una unos y ya`},
		{"pt", `
			a agora ainda ao aos aqui ate até bem com da das de depois do dos e ela elas ele eles em era eu foi gente hoje isso isto
			ja já mais mas meu minha muito na nao nas no nos não o onde os para pela pelo por porque quando que quem sao se sem seu
			sua são só tambem também tem todos tudo têm um uma umas uns voce você bom boa dia noite tarde olá à às`},
	} {
		g.langs = append(g.langs, l.lang)
		for w := range strings.FieldsSeq(l.words) {
			// As tokens are folded, so must these be.
			g.usual[w] |= 1 << i
			for tok := range ndb.Tokens(w) {
				g.usual[tok.Term] |= 1 << i
			}
		}
	}
	for _, d := range denials {
		var terms []string
		for tok := range ndb.Tokens(d) {
			terms = append(terms, tok.Term)
		}
		last := terms[len(terms)-1]
		g.denial[last] = append(g.denial[last], terms)
	}
	return g
}

// maxTerms bounds the words taken from one note: an article does not drown notes.
const maxTerms = 150

// A spoken word is a word of a note where it stands.
type spoken struct {
	*word
	capital bool
	name    bool // it has one though no sentence begins with it
	after   bool // the word before it stands beside it, in the same sentence
}

// words returns the words of a text in their order, and its language.
func (g *grammar) words(text string, v *vocabulary) (words []spoken, lang string) {
	hits := make([]int, len(g.langs))
	words = make([]spoken, 0, len(text)/6)
	end := -1
	for tok := range ndb.Tokens(text) {
		if tok.Kind != ndb.TokenWord {
			continue
		}
		w := v.word(tok.Term, g)
		if w.usual != 0 {
			for i := range hits {
				hits[i] += int(w.usual >> i & 1)
			}
		}
		upper := capital(text[tok.Start:])
		words = append(words, spoken{
			word: w, capital: upper, name: upper && inside(text[:tok.Start]),
			after: end >= 0 && besides(text, end, tok.Start),
		})
		end = tok.End
	}
	return words, g.language(hits, text)
}

func (g *grammar) language(hits []int, text string) string {
	if s := script(text); s != "" {
		return s
	}
	best, most := "", 0
	for i, n := range hits {
		if n > most {
			best, most = g.langs[i], n
		}
	}
	return best
}

// script returns the name of the first script in a text that is not Latin; ""
// when there is none.
func script(text string) string {
	latin := 0
	for _, r := range clip(text, 400) {
		switch {
		case r < 0x250:
			if latin++; latin > 60 {
				return ""
			}
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			return "ja"
		case unicode.Is(unicode.Han, r):
			if strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Hiragana, r) }) {
				return "ja"
			}
			return "zh"
		case unicode.Is(unicode.Hangul, r):
			return "ko"
		case unicode.Is(unicode.Cyrillic, r):
			return "Cyrillic"
		case unicode.Is(unicode.Greek, r):
			return "Greek"
		case unicode.Is(unicode.Arabic, r):
			return "Arabic"
		case unicode.Is(unicode.Hebrew, r):
			return "Hebrew"
		case unicode.Is(unicode.Devanagari, r):
			return "Devanagari"
		case unicode.Is(unicode.Thai, r):
			return "Thai"
		}
	}
	return ""
}

// telling reports whether a word can tell what a note is about: no figures, no
// single letters, no grammar.
func (g *grammar) telling(term string) bool {
	if g.usual[term] != 0 {
		return false
	}
	kana, letters := 0, 0
	for _, r := range term {
		if unicode.Is(unicode.Hiragana, r) {
			kana++
		}
		if unicode.IsLetter(r) {
			letters++
		}
	}
	n := utf8.RuneCountInString(term)
	first, _ := utf8.DecodeRuneInString(term)
	return letters > 0 && kana < n && (n > 1 || wide(first))
}

// clip cuts s to at most n bytes, at the end of a rune.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
