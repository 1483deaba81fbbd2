package builtin

// everyone are the texts that speak of all stored notes, for questions whose scope
// they are, in place of those that speak of the people followed.
type everyone struct {
	topicTitle                string // {window}, {topic}
	readNarrow                string // as words.readNarrow
	nothing                   string // {window}
	nothingAtAll              string
	newest                    string // {name}, {when}, {quote}
	countTitle                string // {notes}, {people}, {window}
	hashtagsTitle, noHashtags string // {window}
	postersTitle              string // {window}
	stored                    string // in place of what is said of the people followed
}

// forEveryone returns the words that speak of all stored notes, and the statement of
// how complete they are.
func (w *words) forEveryone() (words *words, stored string) {
	e, all := everyoneIn(w.lang), *w
	all.topicTitle = e.topicTitle
	all.readNarrow = e.readNarrow
	all.nothing, all.nothingAtAll, all.newest = e.nothing, e.nothingAtAll, e.newest
	all.notesHome = "{notes}" // nobody is meant in particular
	all.countTitle, all.hashtagsTitle, all.noHashtags, all.postersTitle = e.countTitle, e.hashtagsTitle, e.noHashtags, e.postersTitle
	return &all, e.stored
}

func everyoneIn(lang string) everyone {
	switch lang {
	case "de":
		return everyone{
			topicTitle:    "Was alle, deren Notizen hier liegen, {window} über „{topic}“ geschrieben haben:",
			readNarrow:    "Gelesen: {notes} von {people}, {window}, dazu {reposts} und {reactions}.",
			nothing:       "Von niemandem ist hier {window} eine Notiz gespeichert.",
			nothingAtAll:  "Hier ist noch keine einzige Notiz gespeichert.",
			newest:        "Die neueste Notiz ist von {name}, {when}: {quote}",
			countTitle:    "{notes} von {people}, {window}.",
			hashtagsTitle: "Hashtags, geordnet danach, wie viele Leute sie benutzt haben, in allen gespeicherten Notizen, {window}:",
			noHashtags:    "Keine gespeicherte Notiz hat {window} Hashtags.",
			postersTitle:  "Wer in allen gespeicherten Notizen {window} am meisten geschrieben hat:",
			stored:        "Das sind alle Notizen, die hier gespeichert sind, auch von Leuten, denen du nicht folgst; ob es anderswo mehr gibt, ist nicht bekannt.",
		}
	case "fr":
		return everyone{
			topicTitle:    "Ce que tous ceux dont des notes sont ici ont dit de « {topic} », {window} :",
			readNarrow:    "Lu : {notes} de {people}, {window}, avec {reposts} et {reactions}.",
			nothing:       "Aucune note n'est stockée ici {window}, de qui que ce soit.",
			nothingAtAll:  "Aucune note n'est encore stockée ici.",
			newest:        "La note la plus récente est de {name}, {when} : {quote}",
			countTitle:    "{notes} de {people}, {window}.",
			hashtagsTitle: "Hashtags d'après le nombre de gens qui les ont employés, dans toutes les notes stockées, {window} :",
			noHashtags:    "Aucune note stockée n'a de hashtag {window}.",
			postersTitle:  "Qui a le plus écrit dans toutes les notes stockées, {window} :",
			stored:        "Ce sont toutes les notes stockées ici, aussi de gens que tu ne suis pas ; on ne sait pas s'il y en a d'autres ailleurs.",
		}
	case "es":
		return everyone{
			topicTitle:    "Qué dijeron de «{topic}» todas las personas cuyas notas están aquí, {window}:",
			readNarrow:    "Leído: {notes} de {people}, {window}, con {reposts} y {reactions}.",
			nothing:       "Aquí no hay ninguna nota de nadie {window}.",
			nothingAtAll:  "Aquí no hay todavía ni una nota.",
			newest:        "La nota más reciente es de {name}, {when}: {quote}",
			countTitle:    "{notes} de {people}, {window}.",
			hashtagsTitle: "Etiquetas según cuántas personas las usaron, en todas las notas guardadas, {window}:",
			noHashtags:    "Ninguna nota guardada tiene etiquetas {window}.",
			postersTitle:  "Quién escribió más en todas las notas guardadas, {window}:",
			stored:        "Son todas las notas guardadas aquí, también de personas que no sigues; no se sabe si hay más en otros sitios.",
		}
	case "pt":
		return everyone{
			topicTitle:    "O que todas as pessoas cujas notas estão aqui disseram sobre «{topic}», {window}:",
			readNarrow:    "Lido: {notes} de {people}, {window}, com {reposts} e {reactions}.",
			nothing:       "Não há aqui notas de ninguém {window}.",
			nothingAtAll:  "Ainda não há aqui uma única nota.",
			newest:        "A nota mais recente é de {name}, {when}: {quote}",
			countTitle:    "{notes} de {people}, {window}.",
			hashtagsTitle: "Hashtags segundo quantas pessoas as usaram, em todas as notas guardadas, {window}:",
			noHashtags:    "Nenhuma nota guardada tem hashtags {window}.",
			postersTitle:  "Quem mais escreveu em todas as notas guardadas, {window}:",
			stored:        "São todas as notas guardadas aqui, também de pessoas que não segues; não se sabe se há mais noutros sítios.",
		}
	case "ja":
		return everyone{
			topicTitle:    "「{topic}」についてすべての人が書いたこと、{window}:",
			readNarrow:    "{window}、{people}の{notes}と、それらへの{reposts}、{reactions}を読みました。",
			nothing:       "{window}のノートは、誰のものもここに保存されていません。",
			nothingAtAll:  "ノートはまだ一つも保存されていません。",
			newest:        "いちばん新しいノートは {name}、{when}: {quote}",
			countTitle:    "{window}、{people}の{notes}。",
			hashtagsTitle: "保存されているすべてのノートで何人が使ったかの順のハッシュタグ、{window}:",
			noHashtags:    "保存されているノートに{window}ハッシュタグはありません。",
			postersTitle:  "保存されているすべてのノートの中でよく書いた人、{window}:",
			stored:        "フォローしていない人も含め、ここに保存されているすべてのノートについてです。ほかにもあるかどうかはわかりません。",
		}
	}
	return everyone{
		topicTitle:    "What everyone whose notes are stored here said about “{topic}” {window}:",
		readNarrow:    "Read {notes} by {people}, {window}, and {reposts} and {reactions} to them.",
		nothing:       "No note by anybody is stored here {window}.",
		nothingAtAll:  "Not one note is stored here yet.",
		newest:        "The newest note is by {name}, of {when}: {quote}",
		countTitle:    "{notes} by {people}, {window}.",
		hashtagsTitle: "Hashtags by how many people used them, in all stored notes, {window}:",
		noHashtags:    "No stored note has hashtags {window}.",
		postersTitle:  "Who wrote most in all stored notes, {window}:",
		stored:        "These are all notes stored here, also by people you do not follow; whether there are more elsewhere is not known.",
	}
}
