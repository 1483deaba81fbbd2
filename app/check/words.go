package check

import (
	"strings"
	"unicode"
)

// The words by which sentences are told apart, all languages together: an English
// sentence seldom holds a German phrase. A * stands for any ending. What is not certain
// is no reason for a mark: a sentence that holds one of these is left alone.

// speaks are words of somebody who speaks of themselves, offers, advises, or says what
// they do not know.
const speaks = `i|i m|i ve|i ll|let me|tell me|ask me|let s|you can|you could|you may|you might|you should|you would|you want|you like|if you|would you|do you|shall i|please|feel free|happy to|glad to|welcome|worth|best to|better to|better not|it would be|recommend*|may be missing|might be missing|may not be|might not be|may be incomplete|stored here|unclear|not clear|not known|may have|might have|you asked|you wanted|it is published|is done|has been published|was published|has been saved|is saved|thank*|to find out|to see more|to read more|for more|open the|all times|times are|
ich|mir|mich|mein|meine|meinen|meiner|du kannst|du könntest|du solltest|du möchtest|du willst|kannst du|könntest du|sie können|sie könnten|sie sollten|wenn du|falls du|wenn sie möchten|falls sie|frag|fragst|frage am|sag|schau|am besten|besser|lieber|gern|gerne|bitte|lohnt*|empfehl*|könnte fehlen|können fehlen|kann fehlen|hier gespeichert*|unklar|
je|j|moi|tu peux|tu pourrais|tu veux|tu devrais|vous pouvez|vous pourriez|vous voulez|vous devriez|si tu|si vous|n hésite*|demandez|demande lui|mieux vaut|vaut mieux|conseil*|recommand*|essaie|essayez|de rien|avec plaisir|peut manquer|peuvent manquer|enregistrées ici|
yo|he leído|he encontrado|he mirado|he visto|he buscado|solo he|encontré|encuentro|leí|puedo|puedes|puede preguntar|podrías|podría preguntar|quieres|si quiere|prueba a|pregúntale|conviene|lo mejor es|es mejor|mejor ir|recomiend*|de nada|avísame|dime|puede faltar|pueden faltar|guardadas aquí|
eu|li|encontrei|procurei|achei|posso|podes|pode perguntar|pode ver|você pode|você poderia|se quiser|se quiseres|se você|pergunte|pergunta lhe|experimente|é melhor|o melhor é|recomend*|avise|diga me|me diga|me avise|pode faltar|podem faltar|guardadas aqui|
私|わたし|ください|下さい|いかが|おすすめ|お勧め|ましょう|と思います|どういたしまして|調べました|探しました|見つかりません|お気軽|かもしれません|とは限りません|教えて|ありがとう|どうぞ`

// tells are words of a sentence about the answer itself.
const tells = `here is|here you|quiet|busy|calm|the search|this covers|based on|here are|here s|below|the following|as follows|this is what|these are|summary|overview|in short|in brief|to sum up|overall|topics|themes|highlights|things|in a table|this table|hashtags|hope this|hope that|a list of|this list|
hier ist|hier sind|hier kommt|hier kommen|im folgenden|folgende|folgenden|zusammenfassung|zusammengefasst|überblick|übersicht|kurz gesagt|insgesamt|themen|stichworte|das sind die|ruhig*|zeitraum|die suche|
voici|voilà|ci dessous|résumé|en bref|dans l ensemble|sujets|thèmes|au menu|calme|la période|la recherche|
aquí está|aquí están|aquí tienes|aquí van|esto es lo que|estos son|resumen|a continuación|temas|cosas|tranquil*|el período|el periodo|la búsqueda|
aqui está|aqui estão|aqui vai|aqui vão|a seguir|resumo|temas|assuntos|coisas|destaques|o período|a pesquisa|
まとめ|以下|次の|一覧|概要|紹介します|投稿です|ノートです|ニュースです|話題です|とおりです|通りです|期間|検索`

// denies and writes, in one sentence, say that somebody wrote nothing of a thing.
const (
	denies = `no|not|nothing|nobody|none|neither|never|no one|didn t|doesn t|don t|hasn t|haven t|isn t|wasn t|weren t|aren t|couldn t|can t|cannot|
nicht|nichts|kein*|niemand*|weder|nie|pas|aucun*|rien|personne|jamais|nada|nadie|ningun*|ningún|ni|nunca|não|ninguém|nenhum*|nem|ありません|ませんでした|なかった|ない|いません|なし`
	writes = `write|writes|wrote|written|mention*|say|says|said|post|posts|posted|note|notes|talk*|found|find|discuss*|comment*|nothing about|anything about|nothing on|answer*|
schreib*|schrieb*|geschrieben|erwähn*|sag|sagt|sagte*|gesagt|notiz*|beitrag|beiträge*|gefunden|gepostet|nichts über|nichts zu|nichts von|antwort*|davon|dazu|
écri*|mentionn*|dit|disent|parl*|note|notes|trouv*|message*|rien sur|publi*|
escrib*|escrit*|mencion*|dice*|dijo|habl*|nota|notas|encontr*|publicac*|nada sobre|
escrev*|menciona*|diz*|disse*|fal*|publicaç*|nada sobre|投稿|ノート|書|言及|触れ|見つか|について|情報`
)

// complete are claims of completeness, which the app alone can make. Those of current
// need the reader or the answer as their subject, which stand in reader.
const (
	complete = `nothing else was|nothing else happened|nothing else is|nothing else new|nothing was posted|nothing new was posted|no other notes|no other news|that s everything|that is everything|that was everything|that s all|that is all|that was all|seen everything|read everything|checked everything|read all notes|missed nothing|not missed anything|haven t missed|didn t miss|won t miss|no more notes|complete since|relays asked|relays were asked|all notes read|by bowerbird|
nichts verpasst|alles gesehen|alles gelesen|alles geprüft|nichts weiter|sonst nichts|sonst wurde nichts|sonst ist nichts|das war alles|das ist alles|vollständig seit|relays gefragt|von bowerbird|
rien manqué|rien raté|tout vu|tout lu|rien d autre|c est tout|complet depuis|relais interrogés|par bowerbird|
no hay nada más|nada más se publicó|no te has perdido nada|no te perdiste nada|lo has visto todo|eso es todo|completo desde|relays consultados|por bowerbird|
não há nada mais|nada mais foi|nada mais aconteceu|não perdeste nada|não perdeu nada|viu tudo|viste tudo|isso é tudo|completo desde|pelo bowerbird|
最新の状態|すべて読|全て読|全部読|すべて見|全て見|見逃しはありません|見逃していません|ほかにはありません|他にはありません|他に投稿はありません|以上ですべて|以上が全て|以上がすべて|確認済み`
	current = `up to date|caught up|auf dem laufenden|auf dem neuesten stand|auf dem neusten stand|auf dem aktuellen stand|à jour|al día|em dia|a par de tudo`
	reader  = `you are|you re|you ve|you now|brings you|this|that s|that is|that brings|everything|all|answer|summary|list|bist|seid|sie sind|damit|alles|êtes|es|tout|estás|está|todo|tudo`
	// doubts before such a claim take it back.
	doubts = `whether|if|not|cannot|can t|no way|don t|ob|falls|nicht|kein*|si|pas|no|se|não|かどうか|わかりません`
)

// labels head a list of sources, or a box that would look like the app's.
const labels = `source|sources|references|citations|footnotes|sources and references|notes cited|cited notes|sources used|sources cited|my sources|list of sources|source list|notes used|further reading|bibliography|checked by bowerbird|verified by bowerbird|bowerbird|coverage|
quelle|quellen|quellenangaben|quellenverzeichnis|belege|nachweise|einzelnachweise|fußnoten|quellenliste|verwendete quellen|literatur|geprüft von bowerbird|von bowerbird geprüft|abdeckung|
références|sources utilisées|liste des sources|bibliographie|vérifié par bowerbird|notes citées|couverture|fuente|fuentes|fuentes utilizadas|lista de fuentes|referencias|bibliografía|comprobado por bowerbird|verificado por bowerbird|cobertura|
fonte|fontes|fontes utilizadas|referências|bibliografia|verificado pelo bowerbird|出典|参考|参考文献|ソース|情報源|引用元|引用|来源|參考|fonti|bronnen|источники`

// units are what is counted: people, and what they write.
const countUnits = `people|person|persons|users|authors|accounts|followers|friends|members|neighbours|neighbors|residents|volunteers|visitors|guests|cyclists|participants|strangers|voices|others|notes|note|posts|replies|messages|comments|articles|reposts|reactions|likes|mentions|
leute|leuten|menschen|personen|nutzer|nutzern|nutzerinnen|autoren|autorinnen|konten|freunde|freunden|mitglieder|nachbarn|gäste|besucher|teilnehmer|stimmen|notizen|beiträge|beiträgen|posts|antworten|nachrichten|kommentare|artikel|reaktionen|erwähnungen|
personnes|gens|utilisateurs|auteurs|comptes|abonnés|amis|membres|voisins|messages|publications|réponses|commentaires|réactions|mentions|
personas|usuarios|autores|cuentas|seguidores|amigos|miembros|vecinos|notas|nota|publicaciones|mensajes|respuestas|comentarios|artículos|reacciones|menciones|
pessoas|utilizadores|usuários|contas|amigos|membros|vizinhos|publicações|mensagens|respostas|comentários|artigos|reações|menções|postagens`

// years are words before a number that make it a year.
const years = `in|since|im|seit|en|depuis|desde|em|of`

// wideUnits follow a number without a space.
const wideUnits = `人|名|件|投稿|ノート|つの投稿|つのノート|個の投稿|本の投稿|通|条|篇`

// list is a list of words, ready to be looked for.
type list struct {
	words []string // with spaces around; those with * without one behind
	wide  []string // of scripts without spaces
}

func newList(from string) list {
	var l list
	for w := range strings.SplitSeq(strings.ReplaceAll(from, "\n", ""), "|") {
		switch prefix, open := strings.CutSuffix(w, "*"); {
		case w == "":
		case strings.ContainsFunc(w, wide):
			l.wide = append(l.wide, w)
		case open:
			l.words = append(l.words, " "+prefix)
		default:
			l.words = append(l.words, " "+w+" ")
		}
	}
	return l
}

// at returns where in words (as wordsOf gives them, a space at both ends) the first of
// the list stands, or -1.
func (l list) at(words string) int {
	first := -1
	for _, all := range [][]string{l.words, l.wide} {
		for _, w := range all {
			if i := strings.Index(words, w); i >= 0 && (first < 0 || i < first) {
				first = i
			}
		}
	}
	return first
}

func (l list) in(words string) bool { return l.at(words) >= 0 }

// wide reports letters of scripts that are written without spaces.
func wide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// wordsOf returns the words of a text, in small letters, one space apart.
func wordsOf(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	}), " ")
}
