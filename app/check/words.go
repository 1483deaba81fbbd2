package check

import (
	"slices"
	"strings"
	"unicode"
)

// The words that classify sentences, all languages together: an English sentence seldom
// contains a German phrase. A * stands for any ending. When in doubt, a sentence is not
// marked: any of these words exempts it.

// speaks: the model speaks of itself, offers, advises, or says what it does not know.
var speaks = newList(`i|i m|i ve|i ll|let me|tell me|ask me|let s|you can|you could|you may|you might|you should|you would|you want|you like|if you|would you|do you|shall i|please|feel free|happy to|glad to|welcome|worth|best to|better to|better not|it would be|recommend*|may be missing|might be missing|may not be|might not be|may be incomplete|stored here|stored on this|stored locally|unclear|not clear|not known|may have|might have|you asked|you wanted|it is published|is done|has been published|was published|has been saved|is saved|thank*|to find out|to see more|to read more|for more|open the|all times|times are|
ich|mir|mich|mein|meine|meinen|meiner|du kannst|du könntest|du solltest|du möchtest|du willst|kannst du|könntest du|sie können|sie könnten|sie sollten|wenn du|falls du|wenn sie möchten|falls sie|frag|fragst|frage am|sag|schau|am besten|besser|lieber|gern|gerne|bitte|lohnt*|empfehl*|könnte fehlen|können fehlen|kann fehlen|hier gespeichert*|auf diesem computer|auf diesem rechner|unklar|
je|j|moi|tu peux|tu pourrais|tu veux|tu devrais|vous pouvez|vous pourriez|vous voulez|vous devriez|si tu|si vous|n hésite*|demandez|demande lui|mieux vaut|vaut mieux|conseil*|recommand*|essaie|essayez|de rien|avec plaisir|peut manquer|peuvent manquer|enregistrées ici|sur cet ordinateur|
yo|he leído|he encontrado|he mirado|he visto|he buscado|solo he|encontré|encuentro|leí|puedo|puedes|puede preguntar|podrías|podría preguntar|quieres|si quiere|prueba a|pregúntale|conviene|lo mejor es|es mejor|mejor ir|recomiend*|de nada|avísame|dime|puede faltar|pueden faltar|guardadas aquí|en este ordenador|en este equipo|
eu|li|encontrei|procurei|achei|posso|podes|pode perguntar|pode ver|você pode|você poderia|se quiser|se quiseres|se você|pergunte|pergunta lhe|experimente|é melhor|o melhor é|recomend*|avise|diga me|me diga|me avise|pode faltar|podem faltar|guardadas aqui|neste computador|
私|わたし|ください|下さい|いかが|おすすめ|お勧め|ましょう|と思います|どういたしまして|調べました|探しました|見つかりません|お気軽|かもしれません|とは限りません|このコンピュータ|このパソコン|教えて|ありがとう|どうぞ|
я|мне|вы можете|ты можешь|можете|если хотите|если хочешь|если нужно|если надо|могу|поищу|покажу|расскажу|посмотрю|хотите|пожалуйста|спасибо|рад|рада|рекоменд*|лучше|обращайтесь|не стесняйтесь|
我|请|您可以|你可以|如果你|如果您|建议|希望|谢谢|不客气|需要的话|随时|
저는|제가|원하시면|원하신다면|말씀해*|알려*|감사*|주세요|
يمكنك|يمكنني|إذا أردت|شكرا|من فضلك|أستطيع|وجدت|
io|posso|puoi|se vuoi|ho trovato|prego|volentieri|ik|je kunt|als je|graag`)

// sums: the beginning of a summary.
var sums = newList(`in short|in brief|to sum up|overall|all in all|kurz gesagt|insgesamt|zusammengefasst|en bref|dans l ensemble|en resumen|em resumo|em suma`)

// framing: a sentence is about the answer itself.
var framing = newList(`here is|here you|quiet|busy|calm|the search|this covers|based on|here are|here s|below|the following|as follows|this is what|these are|summary|overview|topics|themes|highlights|things|in a table|this table|hashtags|hope this|hope that|a list of|this list|
hier ist|hier sind|hier kommt|hier kommen|im folgenden|folgende|folgenden|zusammenfassung|überblick|übersicht|themen|stichworte|das sind die|ruhig*|zeitraum|die suche|
voici|voilà|ci dessous|résumé|sujets|thèmes|au menu|calme|la période|la recherche|
aquí está|aquí están|aquí tienes|aquí van|esto es lo que|estos son|resumen|a continuación|temas|cosas|tranquil*|el período|el periodo|la búsqueda|
aqui está|aqui estão|aqui vai|aqui vão|a seguir|resumo|temas|assuntos|coisas|destaques|o período|a pesquisa|
まとめ|以下|次の|一覧|概要|紹介します|投稿です|ノートです|ニュースです|話題です|とおりです|通りです|期間|検索|
вот|ниже|сводка|обзор|темы|спокойно|以下|如下|总结|概览|话题|安静|다음은|요약|فيما يلي|ملخص|ecco|riassunto|hier volgt|hieronder`)

// denies and writes: together in a sentence, somebody wrote nothing about something.
var (
	denies = newList(`no|not|nothing|nobody|none|neither|never|no one|didn t|doesn t|don t|hasn t|haven t|isn t|wasn t|weren t|aren t|couldn t|can t|cannot|
nicht|nichts|kein*|niemand*|weder|nie|pas|aucun*|rien|personne|jamais|nada|nadie|ningun*|ningún|ni|nunca|não|ninguém|nenhum*|nem|ありません|ませんでした|なかった|ない|いません|なし|
не|нет|ничего|никто|没有|没|未|없*|않*|못*|لا|لم|ليس|non|niente|nessun*|niet|niets|geen`)
	writes = newList(`write|writes|wrote|written|mention*|say|says|said|post|posts|posted|note|notes|talk*|found|find|discuss*|comment*|nothing about|anything about|nothing on|answer*|
schreib*|schrieb*|geschrieben|erwähn*|sag|sagt|sagte*|gesagt|notiz*|beitrag|beiträge*|gefunden|gepostet|nichts über|nichts zu|nichts von|antwort*|davon|dazu|
écri*|mentionn*|dit|disent|parl*|note|notes|trouv*|message*|rien sur|publi*|
escrib*|escrit*|mencion*|dice*|dijo|habl*|nota|notas|encontr*|publicac*|nada sobre|
escrev*|menciona*|diz*|disse*|fal*|publicaç*|nada sobre|投稿|ノート|書|言及|触れ|見つか|について|情報|
пис*|напис*|упомин*|упомян*|говор*|сказал*|замет*|найд*|нашёл|нашл*|сообщ*|提到|笔记|帖子|找到|写|说|消息|글*|노트*|언급*|찾*|كتب*|ذكر*|ملاحظ*|منشور*|scriv*|scritto|nota|note|trovat*|schrijf*|schreef|geschreven|notitie*|gevonden`)
)

// Words of general knowledge, words that exclude it, and how it may begin.
var (
	defines = newList(`is a|is an|is one|is called|are called|stands for|means|refers to|consists of|is short for|is used to|are used to|works by|in general|generally|usually|typically|normally|
ist ein|ist eine|heißt so|steht für|bedeutet|besteht aus|im allgemeinen|normalerweise|üblicherweise|in der regel|dient dazu|est un|est une|signifie|veut dire|désigne|consiste|en général|généralement|
es un|es una|significa|quiere decir|en general|normalmente|suele|suelen|é um|é uma|quer dizer|em geral|geralmente|costuma|costumam|とは|一般に|普通は|通常|という意味|是一种|是指|意思是|一般来说|это|означает|обычно`)
	dated = newList(`today|yesterday|tonight|tomorrow|now|currently|this week|last|ago|since|recently|latest|again|already|still|finally|soon|monday|tuesday|wednesday|thursday|friday|saturday|sunday|
heute|gestern|morgen|jetzt|derzeit|letzte*|seit|kürzlich|neulich|wieder|schon|noch|endlich|bald|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|aujourd hui|hier|demain|maintenant|dernière*|depuis|récemment|encore|déjà|
hoy|ayer|mañana|ahora|pasad*|desde|recientemente|todavía|ya|hoje|ontem|amanhã|agora|passad*|recentemente|ainda|já|今日|昨日|明日|今週|先週|最近|もう|今天|昨天|明天|本周|上周|已经|сегодня|вчера|завтра|сейчас|уже`)
	reports  = newList(`has|have|had|was|were|will|did|been|became|began|went|came|left|won|lost|said|says|wrote|writes|hat|haben|hatte|hatten|war|waren|wurde|wurden|wird|werden|ont|avait|était|étaient|sera|ha|han|fue|fueron|había|será|foi|foram|tinha|был|была|было|были|はした|ました|した|了`)
	definite = newList(`the|this|that|these|those|it|he|she|they|we|there|both|some|all|everyone|people|nobody|many|several|most|der|die|das|dieser|diese|dieses|es|er|sie|alle|viele|le|la|les|l|ce|cette|ces|il|elle|ils|elles|el|los|las|este|esta|estos|estas|o|os|as|esse|essa|ele|ela`)
	pronouns = newList(`it|they|this|that|es|er|sie|das|il|elle|ils|elles|ce|ele|ela|isso|eso`)
	articles = newList(`a|an|one|ein|eine|un|une|una|um|uma`)
	// relatives begin a clause about what was named before it.
	relatives = newList(`who|whose|whom|which|dessen|deren|welcher|welche|welches|qui|dont|que|quien|quienes|cuyo|cuya|cujo|cuja|который|которая|которые|которое|她|他|它`)
)

// complete: claims of completeness, which only the app can make. Those in current need the
// reader or the answer as their subject, as in addressed and reader.
var (
	complete = newList(`nothing else was|nothing else happened|nothing else is|nothing else new|nothing was posted|nothing new was posted|no other notes|no other news|that s everything|that is everything|that was everything|that s all|that is all|that was all|seen everything|read everything|checked everything|read all notes|missed nothing|not missed anything|haven t missed|didn t miss|won t miss|no more notes|complete since|relays asked|relays were asked|relays confirm*|relays have confirmed|is nothing else|s nothing else|nothing is missing|every note by|every post by|every single note|all notes read|by bowerbird|bowerbird has checked|bowerbird checked|bowerbird has verified|bowerbird verified|bowerbird confirm*|
nichts verpasst|alles gesehen|alles gelesen|alles geprüft|nichts weiter|sonst nichts|fehlt nichts|nichts fehlt|relays bestätig*|jede notiz von|jeden beitrag von|sonst wurde nichts|sonst ist nichts|das war alles|das ist alles|vollständig seit|relays gefragt|von bowerbird|bowerbird hat diese|bowerbird hat alle|bowerbird hat geprüft|bowerbird bestätig*|
rien manqué|rien raté|tout vu|tout lu|rien d autre|ne manque rien|rien ne manque|relais confirm*|chaque note de|c est tout|complet depuis|relais interrogés|par bowerbird|bowerbird a vérifié|
no hay nada más|nada más se publicó|no te has perdido nada|no te perdiste nada|lo has visto todo|no falta nada|nada falta|relés confirm*|cada nota de|eso es todo|completo desde|relays consultados|por bowerbird|bowerbird ha comprobado|bowerbird ha verificado|
não há nada mais|nada mais foi|nada mais aconteceu|não perdeste nada|não perdeu nada|viu tudo|viste tudo|não falta nada|nada falta|relays confirm*|cada nota de|isso é tudo|completo desde|pelo bowerbird|bowerbird verificou|
最新の状態|すべて読|全て読|全部読|すべて見|全て見|見逃しはありません|見逃していません|見落としはありません|見落としていません|漏れはありません|ほかにはありません|他にはありません|他に投稿はありません|以上ですべて|以上が全て|以上がすべて|確認済み`)
	current   = newList(`up to date|caught up|auf dem laufenden|auf dem neuesten stand|auf dem neusten stand|auf dem aktuellen stand|à jour|al día|em dia|a par de tudo`)
	addressed = newList(`you are|you re|you ve|you have|you haven t|you didn t|you now|du bist|du hast|ihr seid|ihr habt|tu es|tu n as|vous êtes|vous n avez|estás|no te has|no te perdiste|tú estás|usted está|você está|tu estás|não perdeu`)
	reader    = newList(`brings you|this|that s|that is|that brings|everything|all|answer|summary|list|bist|seid|sie sind|damit|alles|êtes|es|tout|está|todo|tudo`)
	// doubts before such a claim negate it.
	doubts = newList(`whether|if|not|cannot|can t|no way|don t|ob|falls|nicht|kein*|si|pas|no|se|não|かどうか|わかりません`)
	// hedged: such a claim is about the stored notes alone, and not addressed to the
	// reader.
	hedged = newList(`as far as the notes|as far as the stored|as far as the tools|in the stored notes|in the notes stored|among the stored notes|soweit die notizen|soweit die gespeicherten|soweit die werkzeuge|in den gespeicherten|d après les notes|dans les notes enregistrées|según las notas|en las notas guardadas|segundo as notas|nas notas guardadas|保存されている`)
)

// labels: headings of a list of sources, or of a box that would look like the app's.
var labels = newList(`source|sources|references|citations|footnotes|sources and references|notes cited|cited notes|sources used|sources cited|my sources|list of sources|source list|notes used|further reading|bibliography|checked by bowerbird|verified by bowerbird|bowerbird|coverage|
quelle|quellen|quellenangaben|quellenverzeichnis|belege|nachweise|einzelnachweise|fußnoten|quellenliste|verwendete quellen|literatur|geprüft von bowerbird|von bowerbird geprüft|abdeckung|
références|sources utilisées|liste des sources|bibliographie|vérifié par bowerbird|notes citées|couverture|fuente|fuentes|fuentes utilizadas|lista de fuentes|referencias|bibliografía|comprobado por bowerbird|verificado por bowerbird|cobertura|
fonte|fontes|fontes utilizadas|referências|bibliografia|verificado pelo bowerbird|出典|参考|参考文献|ソース|情報源|引用元|引用|来源|參考|参考资料|fonti|bronnen|источники|джерела|źródła|zdroje|källor|kilder|lähteet|kaynaklar|출처|المصادر`)

// countUnits: what is counted, people and what they write.
var countUnits = newList(`people|person|persons|users|authors|accounts|followers|friends|members|neighbours|neighbors|residents|volunteers|visitors|guests|cyclists|participants|strangers|voices|others|notes|note|posts|replies|messages|comments|articles|reposts|reactions|likes|mentions|
leute|leuten|menschen|personen|nutzer|nutzern|nutzerinnen|autoren|autorinnen|konten|freunde|freunden|mitglieder|nachbarn|gäste|besucher|teilnehmer|stimmen|notizen|beiträge|beiträgen|posts|antworten|nachrichten|kommentare|artikel|reaktionen|erwähnungen|
personnes|gens|utilisateurs|auteurs|comptes|abonnés|amis|membres|voisins|messages|publications|réponses|commentaires|réactions|mentions|
personas|usuarios|autores|cuentas|seguidores|amigos|miembros|vecinos|notas|nota|publicaciones|mensajes|respuestas|comentarios|artículos|reacciones|menciones|
pessoas|utilizadores|usuários|contas|amigos|membros|vizinhos|publicações|mensagens|respostas|comentários|artigos|reações|menções|postagens`)

// otherwise: between a number and a word of countUnits, shows that another thing is
// counted.
var otherwise = newList(`days|hours|weeks|months|years|minutes|times|among|by|from|in|on|with|for|about|to|and|or|while|when|
tage|tagen|stunden|wochen|monate|monaten|jahre|jahren|minuten|mal|unter|bei|mit|für|und|oder|jours|heures|semaines|mois|ans|minutes|fois|parmi|par|avec|pour|et|ou|
días|horas|semanas|meses|años|minutos|veces|entre|por|con|para|y|o|dias|anos|vezes|com|e|ou`)

// years are words before a number that make it a year.
var years = newList(`in|since|im|seit|en|depuis|desde|em|of`)

// wideUnits follow a number without a space.
var wideUnits = newList(`人|名|件|投稿|ノート|つの投稿|つのノート|個の投稿|本の投稿|通|条|篇`)

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

// at returns the first position of any word of the list in words (as wordsOf returns them,
// with a space at both ends), or -1.
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

func (l list) begins(text string) bool {
	return slices.ContainsFunc(l.wide, func(w string) bool { return strings.HasPrefix(text, w) })
}

func (l list) in(words string) bool { return l.at(words) >= 0 }

// wide reports letters of scripts that are written without spaces.
func wide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// wordsOf returns the words of a text in lower case, separated by single spaces.
func wordsOf(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	}), " ")
}
