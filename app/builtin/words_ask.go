package builtin

// asking are the texts of answers to what is asked about people and chats, in one
// language.
type asking struct {
	answer, mention, quotation, zap noun
	sorts                           [6]string // answers, mentions, quotations, zaps, reactions, reposts
	forMe                           string    // {what}, {people}, {window}
	forMeNone                       string    // {what}, {window}
	answered, mentioned, quoted     string    // {name}, {when}, {quote}
	conversed, conversedNone        string    // {name}, {other}, {window}
	both                            string    // {name}, {other}, {window}
	noStory                         string    // {n}
	second                          string    // {question}
	anyOf                           string    // where no note has all words of a topic
	welcome                         string    // to thanks
	near, cannot                    string    // above a list of questions
	here                            string    // {names}
	perWeek                         string    // {what}
	counted                         string    // {what}, {window}
	peak, peakWeek                  string    // {day}, {notes}
	day                             string    // {weekday}, {day}, {month}
	colNote, colWay, colArticles    string
	article                         noun
	popular, popularNone            string   // {what}, {window}, {measure}
	youFollow                       string   // {people}
	sideBySide                      string   // {name}, {other}, {window}
	aDay, decimal                   string   // {name}, {notes}, {n}; what stands before the tenths
	offers                          []string // {name}, {other}, {topic}
}

func askingIn(lang string) asking {
	switch lang {
	case "de":
		return asking{
			answer: noun{"{n} Antwort", "{n} Antworten"}, mention: noun{"{n} Erwähnung", "{n} Erwähnungen"},
			quotation: noun{"{n} Zitat", "{n} Zitate"}, zap: noun{"{n} Zap", "{n} Zaps"},
			sorts:     [6]string{"Antworten", "Erwähnungen", "Zitate", "Zaps", "Reaktionen", "weitergegebene Notizen"},
			forMe:     "Für dich, {window}: {what}; von {people}.",
			forMeNone: "Für dich ist hier {window} nichts gespeichert. Gesucht wurden: {what}.",
			answered:  "{name} hat dir geantwortet, {when}: {quote}", mentioned: "{name} hat dich erwähnt, {when}: {quote}", quoted: "{name} hat dich zitiert, {when}: {quote}",
			conversed:     "Was {name} und {other} {window} zueinander gesagt haben ({notes}):",
			conversedNone: "Zwischen {name} und {other} ist hier {window} kein Gespräch gespeichert.",
			both:          "Was {name} und {other} {window} geschrieben haben ({notes}):",
			noStory:       "Die Antwort davor hat keinen Punkt {n}.",
			second:        "Ich beantworte eine Frage auf einmal. Stell diese für sich: „{question}“.",
			anyOf:         "Keine Notiz hat alle diese Wörter; diese haben mindestens eines davon.",
			welcome:       "Gern geschehen. Frag einfach, wenn du noch etwas wissen möchtest.",
			near:          "Diese Frage habe ich nicht verstanden: Ich bin ein einfaches Programm ohne Sprachmodell. Was ihr am nächsten kommt:",
			cannot:        "Ich lese nur: Ich schreibe, sende, ändere und lösche nichts. Fragen kannst du zum Beispiel:",
			here:          "Hier schreiben zum Beispiel {names}.",
			perWeek:       "{what}, je Woche",
			counted:       "{what}, {window}.",
			peak:          "Am meisten am {day}: {notes}.", peakWeek: "Am meisten in der Woche ab {day}: {notes}.",
			day:     "{weekday}, {day}. {month}",
			colNote: "Notiz", colWay: "Art", colArticles: "Artikel", article: noun{"{n} Artikel", "{n} Artikel"},
			popular: "Die beliebtesten von {what}, {window} (gezählt: {measure}):", popularNone: "{what}, {window}; keine davon hat welche: {measure}.",
			youFollow: "Du folgst {people}.", sideBySide: "{name} und {other}, {window}:", aDay: "{name}: {notes}, etwa {n} am Tag.", decimal: ",",
			offers: []string{
				"Was habe ich seit gestern verpasst?", "Was hat {name} diese Woche geschrieben?", "Was sagen die Leute über {topic}?", "Wer hat mir diese Woche geantwortet?",
				"Hat mich jemand erwähnt?", "Worüber haben {name} und {other} diese Woche geredet?", "Wie viele Notizen hat {name} diesen Monat geschrieben?",
				"Notizen pro Tag von {name} als Diagramm", "Die beliebtesten Hashtags dieser Woche als Diagramm", "Wer hat diese Woche am meisten geschrieben?", "Wer ist {name}?",
				"Suche {topic}", "Fasse den längsten Thread zusammen",
				"Die beliebtesten Notizen dieser Woche", "Vergleiche {name} und {other}", "Welche Artikel wurden diese Woche veröffentlicht?", "Wie vielen Leuten folge ich?",
			},
		}
	case "fr":
		return asking{
			answer: noun{"{n} réponse", "{n} réponses"}, mention: noun{"{n} mention", "{n} mentions"},
			quotation: noun{"{n} citation", "{n} citations"}, zap: noun{"{n} zap", "{n} zaps"},
			sorts:     [6]string{"réponses", "mentions", "citations", "zaps", "réactions", "repartages"},
			forMe:     "Pour toi, {window} : {what}, de {people}.",
			forMeNone: "Rien pour toi n'est stocké ici {window}. Cherché : {what}.",
			answered:  "{name} t'a répondu, {when} : {quote}", mentioned: "{name} t'a mentionné, {when} : {quote}", quoted: "{name} t'a cité, {when} : {quote}",
			conversed:     "Ce que {name} et {other} se sont dit {window} ({notes}) :",
			conversedNone: "Aucun échange entre {name} et {other} n'est stocké ici {window}.",
			both:          "Ce que {name} et {other} ont écrit {window} ({notes}) :",
			noStory:       "La réponse précédente n'a pas de point {n}.",
			second:        "Je réponds à une question à la fois. Pose celle-ci à part : « {question} ».",
			anyOf:         "Aucune note n'a tous ces mots ; celles-ci en ont au moins un.",
			welcome:       "Avec plaisir. Pose-moi une autre question quand tu veux.",
			near:          "Je n'ai pas compris cette question : je suis un simple programme, sans modèle de langue. Ce qui s'en approche le plus :",
			cannot:        "Je ne fais que lire : je n'écris, n'envoie, ne change et ne supprime rien. On peut par exemple me demander :",
			here:          "Écrivent ici, par exemple : {names}.",
			perWeek:       "{what}, par semaine",
			counted:       "{what}, {window}.",
			peak:          "Le maximum, le {day} : {notes}.", peakWeek: "Le maximum, la semaine du {day} : {notes}.",
			day:     "{weekday} {day} {month}",
			colNote: "Note", colWay: "Genre", colArticles: "Articles", article: noun{"{n} article", "{n} articles"},
			popular: "Les plus populaires parmi {what}, {window} (comptés : {measure}) :", popularNone: "{what}, {window} ; aucune n'a reçu de : {measure}.",
			youFollow: "Tu suis {people}.", sideBySide: "{name} et {other}, {window} :", aDay: "{name} : {notes}, environ {n} par jour.", decimal: ",",
			offers: []string{
				"Qu'est-ce que j'ai raté depuis hier ?", "Qu'a écrit {name} cette semaine ?", "Que disent les gens sur {topic} ?", "Qui m'a répondu cette semaine ?",
				"Quelqu'un m'a mentionné ?", "De quoi ont parlé {name} et {other} cette semaine ?", "Combien de notes {name} a-t-il écrites ce mois-ci ?",
				"Notes par jour de {name} en graphique", "Les hashtags les plus utilisés cette semaine, en graphique", "Qui a le plus écrit cette semaine ?", "Qui est {name} ?",
				"Cherche {topic}", "Résume la conversation la plus longue",
				"Les notes les plus populaires de cette semaine", "Compare {name} et {other}", "Quels articles ont été publiés cette semaine ?", "Combien de personnes est-ce que je suis ?",
			},
		}
	case "es":
		return asking{
			answer: noun{"{n} respuesta", "{n} respuestas"}, mention: noun{"{n} mención", "{n} menciones"},
			quotation: noun{"{n} cita", "{n} citas"}, zap: noun{"{n} zap", "{n} zaps"},
			sorts:     [6]string{"respuestas", "menciones", "citas", "zaps", "reacciones", "reposts"},
			forMe:     "Para ti, {window}: {what}, de {people}.",
			forMeNone: "Aquí no hay nada guardado para ti {window}. Se ha buscado: {what}.",
			answered:  "{name} te respondió, {when}: {quote}", mentioned: "{name} te mencionó, {when}: {quote}", quoted: "{name} te citó, {when}: {quote}",
			conversed:     "Qué se dijeron {name} y {other} {window} ({notes}):",
			conversedNone: "Aquí no hay guardada ninguna conversación entre {name} y {other} {window}.",
			both:          "Qué escribieron {name} y {other} {window} ({notes}):",
			noStory:       "La respuesta anterior no tiene un punto {n}.",
			second:        "Respondo a una pregunta cada vez. Haz esta por separado: «{question}».",
			anyOf:         "Ninguna nota tiene todas estas palabras; estas tienen al menos una.",
			welcome:       "De nada. Pregunta cuando quieras.",
			near:          "No he entendido esta pregunta: soy un programa sencillo, sin modelo de lenguaje. Lo que más se le acerca:",
			cannot:        "Yo solo leo: no escribo, envío, cambio ni borro nada. Puedes preguntarme, por ejemplo:",
			here:          "Aquí escriben, por ejemplo, {names}.",
			perWeek:       "{what}, por semana",
			counted:       "{what}, {window}.",
			peak:          "El máximo, el {day}: {notes}.", peakWeek: "El máximo, la semana del {day}: {notes}.",
			day:     "{weekday} {day} {month}",
			colNote: "Nota", colWay: "Tipo", colArticles: "Artículos", article: noun{"{n} artículo", "{n} artículos"},
			popular: "Las más populares de {what}, {window} (contado: {measure}):", popularNone: "{what}, {window}; ninguna ha recibido: {measure}.",
			youFollow: "Sigues a {people}.", sideBySide: "{name} y {other}, {window}:", aDay: "{name}: {notes}, unas {n} por día.", decimal: ",",
			offers: []string{
				"¿Qué me he perdido desde ayer?", "¿Qué ha escrito {name} esta semana?", "¿Qué dice la gente sobre {topic}?", "¿Quién me ha respondido esta semana?",
				"¿Me ha mencionado alguien?", "¿De qué hablaron {name} y {other} esta semana?", "¿Cuántas notas ha escrito {name} este mes?",
				"Notas por día de {name} en un gráfico", "Los hashtags más usados esta semana, en un gráfico", "¿Quién escribió más esta semana?", "¿Quién es {name}?",
				"Busca {topic}", "Resume la conversación más larga",
				"Las notas más populares de esta semana", "Compara a {name} y {other}", "¿Qué artículos se publicaron esta semana?", "¿A cuántas personas sigo?",
			},
		}
	case "pt":
		return asking{
			answer: noun{"{n} resposta", "{n} respostas"}, mention: noun{"{n} menção", "{n} menções"},
			quotation: noun{"{n} citação", "{n} citações"}, zap: noun{"{n} zap", "{n} zaps"},
			sorts:     [6]string{"respostas", "menções", "citações", "zaps", "reações", "reposts"},
			forMe:     "Para ti, {window}: {what}, de {people}.",
			forMeNone: "Não há aqui nada guardado para ti {window}. Procurou-se: {what}.",
			answered:  "{name} respondeu-te, {when}: {quote}", mentioned: "{name} mencionou-te, {when}: {quote}", quoted: "{name} citou-te, {when}: {quote}",
			conversed:     "O que {name} e {other} disseram um ao outro {window} ({notes}):",
			conversedNone: "Não há aqui guardada nenhuma conversa entre {name} e {other} {window}.",
			both:          "O que {name} e {other} escreveram {window} ({notes}):",
			noStory:       "A resposta anterior não tem um ponto {n}.",
			second:        "Respondo a uma pergunta de cada vez. Faz esta à parte: «{question}».",
			anyOf:         "Nenhuma nota tem todas estas palavras; estas têm pelo menos uma.",
			welcome:       "De nada. Pergunta quando quiseres.",
			near:          "Não percebi esta pergunta: sou um programa simples, sem modelo de linguagem. O que mais se aproxima:",
			cannot:        "Eu só leio: não escrevo, envio, altero nem apago nada. Podes perguntar-me, por exemplo:",
			here:          "Aqui escrevem, por exemplo, {names}.",
			perWeek:       "{what}, por semana",
			counted:       "{what}, {window}.",
			peak:          "O máximo, {day}: {notes}.", peakWeek: "O máximo, na semana de {day}: {notes}.",
			day:     "{weekday} {day} {month}",
			colNote: "Nota", colWay: "Tipo", colArticles: "Artigos", article: noun{"{n} artigo", "{n} artigos"},
			popular: "As mais populares de {what}, {window} (contado: {measure}):", popularNone: "{what}, {window}; nenhuma recebeu: {measure}.",
			youFollow: "Segues {people}.", sideBySide: "{name} e {other}, {window}:", aDay: "{name}: {notes}, cerca de {n} por dia.", decimal: ",",
			offers: []string{
				"O que perdi desde ontem?", "O que {name} escreveu esta semana?", "O que as pessoas dizem sobre {topic}?", "Quem me respondeu esta semana?",
				"Alguém me mencionou?", "Sobre o que {name} e {other} conversaram esta semana?", "Quantas notas {name} escreveu este mês?",
				"Notas por dia de {name} em gráfico", "As hashtags mais usadas esta semana, em gráfico", "Quem escreveu mais esta semana?", "Quem é {name}?",
				"Procura {topic}", "Resume a conversa mais longa",
				"As notas mais populares desta semana", "Compara {name} com {other}", "Que artigos foram publicados esta semana?", "Quantas pessoas sigo?",
			},
		}
	case "ja":
		return asking{
			answer: noun{"返信{n}件", "返信{n}件"}, mention: noun{"メンション{n}件", "メンション{n}件"},
			quotation: noun{"引用{n}件", "引用{n}件"}, zap: noun{"ザップ{n}件", "ザップ{n}件"},
			sorts:     [6]string{"返信", "メンション", "引用", "ザップ", "リアクション", "リポスト"},
			forMe:     "あなた宛て、{window}: {people}から{what}。",
			forMeNone: "{window}、あなた宛てのものはここに保存されていません(探したもの: {what})。",
			answered:  "{name}さんの返信、{when}: {quote}", mentioned: "{name}さんのメンション、{when}: {quote}", quoted: "{name}さんの引用、{when}: {quote}",
			conversed:     "{name}さんと{other}さんのやりとり、{window}({notes}):",
			conversedNone: "{window}、{name}さんと{other}さんのやりとりはここに保存されていません。",
			both:          "{name}さんと{other}さんが書いたこと、{window}({notes}):",
			noStory:       "前の答えに{n}番目の項目はありません。",
			second:        "質問には一つずつ答えます。こちらは別にお尋ねください:「{question}」",
			anyOf:         "すべての言葉を含むノートはありません。少なくとも一つを含むノートを示します。",
			welcome:       "どういたしまして。またいつでも聞いてください。",
			near:          "この質問は理解できませんでした。言語モデルを使わない単純なプログラムです。近い質問:",
			cannot:        "読むことだけができます。書き込み、送信、変更、削除はしません。たとえば次のように尋ねられます:",
			here:          "ここに書いているのは、たとえば{names}です。",
			perWeek:       "{what}(週ごと)",
			counted:       "{window}、{what}。",
			peak:          "いちばん多いのは{day}の{notes}です。", peakWeek: "いちばん多いのは{day}からの週の{notes}です。",
			day:     "{month}{day}日({weekday})",
			colNote: "ノート", colWay: "種類", colArticles: "記事", article: noun{"記事{n}件", "記事{n}件"},
			popular: "{window}、{what}のうち人気のもの(数えたもの: {measure}):", popularNone: "{window}、{what}。次のものが付いたノートはありません: {measure}。",
			youFollow: "{people}をフォローしています。", sideBySide: "{name}さんと{other}さん、{window}:", aDay: "{name}: {notes}、1日あたり約{n}件。", decimal: ".",
			offers: []string{
				"昨日から何を見逃した?", "{name}さんは今週何を書いた?", "{topic}についてみんなは何を言っている?", "今週、誰が私に返信した?",
				"誰かが私にメンションした?", "{name}さんと{other}さんは今週何を話した?", "{name}さんの今月の投稿は何件?",
				"{name}さんの1日ごとの投稿数をグラフで", "今週の人気ハッシュタグをグラフで", "今週いちばん多く投稿したのは誰?", "{name}さんは誰?",
				"{topic}を検索", "一番長い会話をまとめて",
				"今週の人気の投稿", "{name}さんと{other}さんを比較して", "今週公開された記事は?", "私は何人フォローしていますか?",
			},
		}
	}
	return asking{
		answer: noun{"{n} answer", "{n} answers"}, mention: noun{"{n} mention", "{n} mentions"},
		quotation: noun{"{n} quotation", "{n} quotations"}, zap: noun{"{n} zap", "{n} zaps"},
		sorts:     [6]string{"answers", "mentions", "quotations", "zaps", "reactions", "reposts"},
		forMe:     "For you, {window}: {what}, by {people}.",
		forMeNone: "Nothing for you is stored here {window}. Looked for: {what}.",
		answered:  "{name} answered you, {when}: {quote}", mentioned: "{name} mentioned you, {when}: {quote}", quoted: "{name} quoted you, {when}: {quote}",
		conversed:     "What {name} and {other} said to each other {window} ({notes}):",
		conversedNone: "No conversation between {name} and {other} is stored here {window}.",
		both:          "What {name} and {other} wrote {window} ({notes}):",
		noStory:       "The answer before has no item {n}.",
		second:        "I answer one question at a time. Ask this one by itself: “{question}”.",
		anyOf:         "No note has all of these words; these have at least one of them.",
		welcome:       "You're welcome. Ask whenever you like.",
		near:          "I did not understand this question: I am a plain program, no language model. What comes nearest:",
		cannot:        "I only read: I write, send, change and delete nothing. You can ask me, for example:",
		here:          "Among those who write here are {names}.",
		perWeek:       "{what}, per week",
		counted:       "{what}, {window}.",
		peak:          "Most on {day}: {notes}.", peakWeek: "Most in the week from {day}: {notes}.",
		day:     "{weekday} {day} {month}",
		colNote: "Note", colWay: "Kind", colArticles: "Articles", article: noun{"{n} article", "{n} articles"},
		popular: "The most popular of {what}, {window} (counted: {measure}):", popularNone: "{what}, {window}; none of them got any of these: {measure}.",
		youFollow: "You follow {people}.", sideBySide: "{name} and {other}, {window}:", aDay: "{name}: {notes}, about {n} a day.", decimal: ".",
		offers: []string{
			"What did I miss since yesterday?", "What has {name} written this week?", "What are people saying about {topic}?", "Who answered me this week?",
			"Did anybody mention me?", "What did {name} and {other} talk about this week?", "How many notes did {name} write this month?",
			"Notes per day by {name} as a chart", "Top hashtags this week, as a chart", "Who posted most this week?", "Who is {name}?",
			"Search {topic}", "Summarise the longest thread",
			"Most popular notes this week", "Compare {name} and {other}", "Which articles were published this week?", "How many people do I follow?",
		},
	}
}
