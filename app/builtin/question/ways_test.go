package question_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"bowerbird/app/builtin/language"
	"bowerbird/app/builtin/question"
)

// Ways to ask that newcomers have in each language: what leads up to a question, titles
// before names, last notes, busiest times, what the program cannot do.
func TestWaysToAskAreReadInEachLanguage(t *testing.T) {
	z := zone(t, "Europe/Berlin")
	c := question.Calendar{Now: at(t, z, "2026-11-23 13:00"), LastVisit: at(t, z, "2026-11-23 09:00")} // a Monday
	p := question.New(language.Lexicons(language.All()))
	known := func(name string) bool {
		return slices.Contains([]string{"ada", "bruno", "bernd"}, strings.ToLower(name))
	}
	for _, tt := range []struct{ text, want string }{
		{"hey, I was down with flu for three days, anything big happen?", "digest, 20 13:00 to 23 13:00"},
		{"Ich war drei Tage krank, was war los?", "digest, 20 13:00 to 23 13:00"},
		{"Llevo dos días desconectado, ¿qué me he perdido?", "digest, 21 13:00 to 23 13:00"},
		{"J'ai été absent trois jours, quoi de neuf ?", "digest, 20 13:00 to 23 13:00"},
		{"Fiquei três dias sem internet, o que perdi?", "digest, 20 13:00 to 23 13:00"},
		{"三日間寝てました。何かあった?", "digest, 20 13:00 to 23 13:00"},
		{"I've been offline since Friday, what did I miss?", "digest, 20 00:00 to 23 13:00"},
		{"estaba sin internet desde el jueves, ponme al día porfa", "digest, 19 00:00 to 23 13:00"},
		{"My daughter set this up. What do people talk about here?", "digest"},
		{"Ich bin neu hier. Worüber wird geredet?", "digest"},
		{"My notes per day. As a chart.", "series, of me, by day"},
		{"Brücken: was hat Ada geschrieben?", "digest, of ada, about brücken"},
		{"compare Ada and Bruno - who posted more last week?", "compared, of ada and bruno, 16 00:00 to 22 23:00"},
		{"when did Ada last write something", "latest, of ada, the last 1"},
		{"Wann hat sich Bruno zuletzt gemeldet?", "latest, of bruno, the last 1"},
		{"¿Cuándo escribió Ada por última vez?", "latest, of ada, the last 1"},
		{"Quand Ada a-t-elle écrit pour la dernière fois ?", "latest, of ada, the last 1"},
		{"Quando foi a última vez que o Bruno escreveu?", "latest, of bruno, the last 1"},
		{"Adaさんが最後に書いたのはいつですか", "latest, of ada, the last 1"},
		{"when did I last post something?", "latest, of me, the last 1"},
		{"Adas letzte fünf Beiträge", "latest, of ada, the last 5"},
		{"Ada's newest posts", "latest, of ada"},
		{"los cinco últimos mensajes de Ada", "latest, of ada, the last 5"},
		{"les cinq dernières notes d'Ada", "latest, of ada, the last 5"},
		{"mostra as últimas 3 notas da Ada", "latest, of ada, the last 3"},
		{"Adaさんの最新の投稿5件", "latest, of ada, the last 5"},
		{"was hat der Herr Tiefenbacher über Brot geschrieben?", "digest, of tiefenbacher, about brot"},
		{"que raconte Madame Perrichel ?", "digest, of perrichel"},
		{"alguma novidade da dona Zefa?", "digest, of zefa"},
		{"dime qué se cuenta don Anselmo", "digest, of anselmo"},
		{"Tabelle: wer hat wie viele Beiträge geschrieben?", "top posters"},
		{"notes per person as a table", "top posters"},
		{"who's the biggest chatterbox here lol", "top posters"},
		{"Welcher Tag war am meisten los?", "series, by day"},
		{"¿Qué día hubo más notas?", "series, by day"},
		{"que dia teve mais notas?", "series, by day"},
		{"どの日が一番投稿多かった?", "series, by day"},
		{"what time of day is Ada most active", "series, of ada, by clock"},
		{"À quelle heure les gens postent-ils le plus ?", "series, by clock"},
		{"何時ごろ投稿が多い?", "series, by clock"},
		{"is it going to rain tomorrow", "cannot"},
		{"Wie wird das Wetter morgen?", "cannot"},
		{"¿Va a llover mañana?", "cannot"},
		{"Quel temps fera-t-il demain ?", "cannot"},
		{"vai chover amanhã?", "cannot"},
		{"明日の株価教えて", "cannot"},
		{"Kannst du meinen letzten Beitrag löschen?", "cannot"},
		{"peux-tu supprimer ma note ?", "cannot"},
		{"この投稿を削除してください", "cannot"},
		{"liga pra minha mãe", "cannot"},
		{"tell me about the lighthouse book", "digest, about lighthouse book"},
		{"do I follow Ada?", "who is, of ada"},
		{"folge ich Bruno?", "who is, of bruno"},
		{"¿Sigo a Ada?", "who is, of ada"},
		{"Adaさんってフォローしてたっけ?", "who is, of ada"},
		{"quem são as pessoas que eu sigo", "following"},
		{"qui je suis", "who is, of me"},
		{"Who's new here?", "unknown"},
		{"who replied to Ada's note about the bridge", "find thread, of ada, about bridge"},
		{"quién ha respondido a la nota de Ada sobre el pan", "find thread, of ada, about pan"},
		{"Adaさんの編み物のやつ、誰が反応してた?", "find thread, of ada, about 編み物"},
		{"quem mais repostou minhas notas", "for me"},
		{"dime cuál fue la nota más compartida de la semana pasada", "popular, 16 00:00 to 22 23:00"},
		{"一昨日いちばん「いいね」された投稿は?", "popular, 21 00:00 to 21 23:00"},
		{"Adaさんの電車の記事よみたい", "articles, of ada, about 電車"},
		{"Bilder von Ada vom Kometen", "pictures, of ada, about kometen"},
		{"¿Qué opina Ada de la puerta de la despensa de Bruno?", "digest, of ada, about puerta de la despensa de bruno"},
		{"Ada y los trenes, resumen", "digest, of ada, about trenes"},
		{"did anyone mention the lighthouse book", "digest, about lighthouse book"},
		{"¿De qué va lo de la inundación?", "digest, about inundación"},
		{"où en est la grève ?", "digest, about grève"},
		{"what does Ada do for a living", "who is, of ada"},
		{"bruno il fait quoi dans la vie", "who is, of bruno"},
		{"tell me who talked about the comet and when they saw it", "digest, about comet, then and when they saw it"},
		{"what did Ada say to Bruno about bread", "conversed, of ada and bruno, about bread"},
		{"Ada and Bruno, what were they arguing about?", "conversed, of ada and bruno"},
		{"三日前の朝の投稿だけ見せて", "digest, 20 06:00 to 20 11:00"},
		{"sum up the last 24h in a few lines", "digest, 22 13:00 to 23 13:00"},
		{"how many notes in total are stored", "count"},
		{"Zeig mal alles zum Thema Brot von gestern", "digest, about brot, 22 00:00 to 22 23:00"},
		{"Did Ada find her cat?", "digest, of ada, perhaps about cat"},
		{"Hat Adas Radweg gewonnen oder nicht?", "digest, of ada, perhaps about radweg gewonnen"},
		{"A Ada já achou o gato dela?", "digest, of ada, perhaps about gato"},
		{"誰か彗星を見た人いますか", "digest, perhaps about 彗星"},
		{"Est-ce que quelqu'un a vu la comète ?", "digest, perhaps about comète"},
		{"qué enlaces se compartieron el finde", "links, 21 00:00 to 22 23:00"},
		{"who posted links today?", "links, 23 00:00 to 23 13:00"},
		{"Welche Links hat Ada geteilt?", "links, of ada"},
		{"les liens partagés hier", "links, 22 00:00 to 22 23:00"},
		{"mostra os links de ontem", "links, 22 00:00 to 22 23:00"},
		{"最近リンク貼ってる人だれ?", "links"},
		{"anything about the comet that isn't from Ada", "unknown"},
		{"Was gibt es Neues außer dem Streik?", "digest, without streik"},
		{"qué hay de nuevo sin contar lo de Ada", "digest, without ada"},
		{"des nouvelles de tout le monde sauf Ada", "digest, without ada"},
		{"o que há de novo, menos o que Ada escreveu", "unknown"},
		{"Adaさん以外の人は何を書いた?", "digest, without ada"},
		{"lo último del pan de Ada, que no hablo alemán", "digest, of ada, perhaps about pan"},
		{"¿con quién hablo más?", "partners, of me"},
		{"com quem falo mais?", "partners, of me"},
		{"table of my notes with likes, reposts and zaps please", "digest, of me"},
		{"table of my notes with their likes", "digest, of me"},
		{"meine Beiträge mit ihren Likes als Tabelle", "digest, of me"},
		{"tabla de mis notas con sus likes", "digest, of me"},
		{"un tableau de mes notes avec leurs likes", "digest, of me"},
		{"tabela das minhas notas com curtidas", "digest, of me"},
		{"自分の投稿といいねを表で", "digest, of me"},
		{"any questions from the last 48 hrs that nobody replied to?", "unanswered, 21 13:00 to 23 13:00"},
		{"which of my notes got no answer?", "unanswered, of me"},
		{"Welche Fragen hat gestern niemand beantwortet?", "unanswered, 22 00:00 to 22 23:00"},
		{"¿qué preguntas se quedaron sin respuesta ayer?", "unanswered, 22 00:00 to 22 23:00"},
		{"quelles questions sont restées sans réponse hier", "unanswered, 22 00:00 to 22 23:00"},
		{"que perguntas ficaram sem resposta ontem?", "unanswered, 22 00:00 to 22 23:00"},
		{"先週、誰にも返事もらえなかった質問ってありますか?", "unanswered, 16 00:00 to 22 23:00"},
		{"who has not answered me", "unknown"},
		{"questions to me that I did not answer", "unknown"},
		{"no news today?", "unknown"},
		{"j'étais à la montagne du 14 au 18, j'ai raté quoi", "digest, 14 00:00 to 18 23:00"},
		{"Ich war vom 3. bis 9. weg, was war los?", "digest, 03 00:00 to 09 23:00"},
		{"did anyone write about cheese yesterday or the day before yesterday?", "digest, about cheese, 21 00:00 to 22 23:00"},
		{"alguém falou de queijo ontem ou anteontem?", "digest, about queijo, 21 00:00 to 22 23:00"},
		{"¿qué escribió Ada el lunes o el martes?", "digest, of ada, 16 00:00 to 17 23:00"},
		{"has anyone posted a decent article?", "articles"},
		{"what's Ada up to with her bowerbirds", "digest, of ada, about bowerbirds"},
		{"o que a Ada e o Bruno contam sobre o pão?", "compared, of ada and bruno, about pão"},
		{"quanto a ada ganhou de zap", "popular, of ada"},
		{"combien de likes Ada a reçus", "popular, of ada"},
		{"top 3 people by number of notes, as a table", "top posters, the last 3"},
		{"les cinq personnes les plus bavardes", "top posters, the last 5"},
		{"Welche Notizen von Ada kamen am besten an?", "popular, of ada"},
		{"qu'est-ce qui a fait le plus réagir hier ?", "popular, 22 00:00 to 22 23:00"},
		{"as conversas com mais respostas de ontem", "popular, 22 00:00 to 22 23:00"},
		{"quem falou comigo ontem?", "for me, 22 00:00 to 22 23:00"},
		{"自分宛ての返信きてる?", "for me"},
		{"Lanternfall買った人の感想", "digest, about lanternfall"},
		{"公園の猫 昨日", "digest, about 公園 猫, 22 00:00 to 22 23:00"},
		{"anything new about the ferry or the old mill?", "digest, about ferry or the old mill"},
		{"将棋とかチェスの話題", "digest, about 将棋とかチェス"},
		{"Adaさんのゲーム作りの話", "digest, of ada, perhaps about ゲーム"},
		{"c ki bruno", "who is, of bruno"},
		{"kem é a ada", "who is, of ada"},
		{"tu peux liker la note d'Ada ?", "cannot"},
		{"me avisa quando a Ada postar", "cannot"},
		{"Kannst du Bruno schreiben, dass ich morgen komme?", "cannot"},
		{"Adaさんに返事しておいて", "cannot"},
		{"avísame cuando Ada publique algo", "cannot"},
		{"who has been looking at my profile?", "cannot"},
		{"was folgt auf das Konzert?", "unknown"},
		{"¿cómo sigue lo del cometa?", "unknown"},
		{"who is Nobody Atall?", "who is, of nobody atall"},
		{"who does Ada talk to the most", "partners, of ada"},
		{"Mit wem redet Ada am meisten?", "partners, of ada"},
		{"¿Con quién habla más Ada?", "partners, of ada"},
		{"avec qui Ada discute le plus ?", "partners, of ada"},
		{"com quem Ada fala mais?", "partners, of ada"},
		{"Adaさんは誰と一番話してる?", "partners, of ada"},
		{"with whom do I talk most, as a chart", "partners, of me"},
		{"who do I talk to most?", "partners, of me"},
		{"who writes at night?", "top posters, at 22 to 30"},
		{"Wer schreibt nachts am meisten?", "top posters, at 22 to 30"},
		{"quien escribe de madrugada", "top posters, at 0 to 6"},
		{"qui écrit le matin ?", "top posters, at 6 to 12"},
		{"¿quién publica de noche sobre el cometa?", "top posters, about cometa, at 21 to 30"},
		{"wer schreibt nachts über Brot", "top posters, about brot, at 22 to 30"},
		{"quem posta de madrugada?", "top posters, at 0 to 6"},
		{"深夜に投稿してる人は誰?", "top posters, at 22 to 30"},
		{"quién escribió ayer por la noche", "unknown"},
		{"Wer bekommt hier die meisten Likes?", "top posters"},
		{"who gets the most zaps", "top posters"},
		{"which people got the most zaps today", "top posters, 23 00:00 to 23 13:00"},
		{"Diagramm bitte: Ada gegen Bruno, Beiträge je Tag", "compared, of ada and bruno"},
		{"Ada contra Bruno", "compared, of ada and bruno"},
		{"Ada ou Bruno, lequel des deux est le plus bavard en ce moment", "compared, of ada and bruno"},
		{"Ada vs Bruno: ¿cuál recibe más me gusta?", "unknown"},
		{"Was hat Ada gegen den Radweg?", "unknown"},
		{"how many followers do I have", "cannot"},
		{"Folgt mir Ada eigentlich zurück?", "cannot"},
		{"tengo seguidores nuevos desde el sabado?", "cannot, 21 00:00 to 23 13:00"},
		{"Qui Ada suit-elle ?", "cannot"},
		{"quem me segue?", "cannot"},
		{"フォロワーは何人?", "cannot"},
		{"Les notes d'Ada dont tout le monde parle ?", "popular, of ada"},
		{"Que devient le concert de Ada et Bruno ?", "unknown"},
		{"彗星みた人いる??", "digest, perhaps about 彗星"},
		{"who looked at my profile?", "cannot"},
		{"¿alguien ha visitado mi perfil?", "cannot"},
		{"プロフィールを見た人は誰?", "cannot"},
		{"les 3 notes les plus aimées du mois", "popular, the last 3, 01 00:00 to 23 13:00"},
		{"o que houve de bom ontem?", "digest, 22 00:00 to 22 23:00"},
		{"resumo de ontem, bem curtinho", "digest, 22 00:00 to 22 23:00"},
		{"un resumen rapidito de ayer", "digest, 22 00:00 to 22 23:00"},
		{"gern mal mehr über die Brücke, was sagen die Leute?", "digest, about brücke"},
		{"queria saber daquele farol, o que acharam?", "digest, about farol"},
		{"did anyone like what I wrote today?", "for me, 23 00:00 to 23 13:00"},
		{"quem mais curte o que eu escrevo?", "for me"},
		{"what happened since I logged off on Thursday evening", "digest, 19 18:00 to 23 13:00"},
		{"was war los, seit ich am Samstag weg bin?", "digest, 21 00:00 to 23 13:00"},
		{"¿qué ha pasado desde que me fui el sábado?", "digest, 21 00:00 to 23 13:00"},
		{"quoi de neuf depuis que je suis parti samedi ?", "digest, 21 00:00 to 23 13:00"},
		{"o que houve desde que saí no sábado?", "digest, 21 00:00 to 23 13:00"},
		{"how did the raffle end?", "digest, perhaps about raffle"},
		{"ist die Fähre repariert?", "digest, perhaps about fähre repariert"},
		{"o Ada viu o cometa ou não viu?", "digest, of ada, perhaps about cometa"},
		{"the sourdough contest, who won?", "digest, perhaps about sourdough contest won"},
		{"Gráfico das minhas notas por dia da semana", "unknown"},
		{"橋ってその後どうなった?", "digest, about 橋"},
		{"what is Ada up to these days", "digest, of ada, 20 13:00 to 23 13:00"},
		{"what is Ada up to the last few days", "digest, of ada, 20 13:00 to 23 13:00"},
		{"ねこの話ある?", "digest, about ねこ"},
		{"was hat Ada die Woche geschrieben", "digest, of ada, 16 00:00 to 23 13:00"},
		{"notes de la semaine", "digest, 16 00:00 to 23 13:00"},
		{"quem posta mais aki", "top posters"},
		{"Pásame enlaces que hayan compartido esta semana", "links, 23 00:00 to 23 13:00"},
		{"had the ferry started?", "digest, perhaps about ferry started"},
		{"橋の写真ある?", "pictures, about 橋"},
		{"フォローしてる人ごとのノート数を表で", "top posters"},
		{"10月の1日ごとの投稿数", "series, by day, 01 00:00 to 31 23:00"},
		{"what does Ada write about most?", "digest, of ada"},
		{"la última cosa que escribió Ada", "latest, of ada"},
		{"o que é que a Ada disse?", "digest, of ada"},
		{"on en est où avec le pont ?", "digest, about pont"},
		{"what's the news on the pier, did it hold?", "digest, about pier, then did it hold"},
		{"how old is Ada?", "unknown"},
		{"who is new here?", "unknown"},
		{"notes in French from this week", "unknown"},
		{"notes with more than 5 likes", "unknown"},
		{"quem respondeu às minhas fotos?", "unknown"},
		{"wurde ich letzte Woche irgendwo erwähnt oder so", "for me, 16 00:00 to 22 23:00"},
		{"zeig mal die Antworten auf meine Sachen", "for me"},
		{"les réactions que j'ai eues hier", "for me, 22 00:00 to 22 23:00"},
		{"on parle de moi en ce moment ?", "for me"},
		{"reacciones a lo que puse ayer", "for me, 22 00:00 to 22 23:00"},
		{"who liked my latest note", "for me, on the newest note"},
		{"Wem gefällt mein letzter Beitrag?", "for me, on the newest note"},
		{"did I ever like anything by Ada", "unknown"},
		{"who's chattier, Ada or Bruno?", "compared, of ada and bruno"},
		{"dá pra fazer um gráfico Ada x Bruno?", "compared, of ada and bruno"},
		{"compare Ada, Bruno and Lou", "unknown"},
		{"Ada, wer war das nochmal", "who is, of ada"},
		{"Von wem hört man denn gar nichts mehr", "quiet"},
		{"y a des gens que je suis qui ne donnent plus signe de vie ?", "quiet"},
		{"最近見かけない人は?", "quiet"},
		{"qual foi a nota que deu mais que falar ontem", "popular, 22 00:00 to 22 23:00"},
		{"remind me who found the boat", "digest, perhaps about found boat"},
		{"remind me to feed the cat", "cannot"},
		{"c koi la grande roue", "digest, perhaps about roue"},
		{"川沿いの橋の話、あれからどうなりました?", "digest, perhaps about 川沿 橋"},
		{"今日みんな何してるのか教えて〜", "digest, 23 00:00 to 23 13:00"},
		{"しばらく見てなかったので、ここ一週間の出来事を教えて", "digest, 16 13:00 to 23 13:00"},
		{"me puedes hacer una gráfica de las notas por día", "series, by day"},
		{"retrouve-moi les messages sur la grande roue", "search, about roue"},
		{"quién me ha dado like", "for me"},
		{"誰かが私の話をしてた?", "for me"},
		{"what has Ada said about her bowerbird", "digest, of ada, about bowerbird"},
		{"whatd I miss since friday", "digest, 20 00:00 to 23 13:00"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			if got := inWords(p.Read(tt.text, c, &question.Talk{Known: known})); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// inWords tells what a question was read as.
func inWords(q question.Question) string {
	parts := []string{q.Intent.String()}
	add := func(is bool, format string, args ...any) {
		if is {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	add(q.Person != "" && q.Other == "", "of %s", q.Person)
	add(q.Other != "", "of %s and %s", q.Person, q.Other)
	add(q.Topic != "" && q.Loose, "perhaps about %s", q.Topic)
	add(q.Topic != "" && !q.Loose, "about %s", q.Topic)
	add(q.N > 0, "the last %d", q.N)
	add(q.By != "", "by %s", q.By)
	add(q.Hours.To > 0, "at %d to %d", q.Hours.From, q.Hours.To)
	add(q.Window.Asked, "%s to %s", q.Window.Since.Format("02 15:00"), q.Window.Until.Format("02 15:00"))
	add(q.Except != "", "without %s", q.Except)
	add(q.OnNewest, "on the newest note")
	add(q.Unread != "", "then %s", q.Unread)
	return strings.Join(parts, ", ")
}

// "I would like a table with" is no mere politeness.
func TestAPoliteRequestKeepsItsForm(t *testing.T) {
	z := zone(t, "Europe/Berlin")
	c := question.Calendar{Now: at(t, z, "2026-11-23 13:00")}
	p := question.New(language.Lexicons(language.All()))
	q := p.Read("je voudrais un tableau avec le nombre de notes par jour depuis hier", c, &question.Talk{})
	if q.Intent != question.Series || q.Form != question.AsTable {
		t.Errorf("got %v in form %v, want a series as a table", q.Intent, q.Form)
	}
}
