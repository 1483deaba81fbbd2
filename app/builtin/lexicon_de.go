package builtin

func german() *lexicon {
	return &lexicon{
		lang: "de", time: germanTime(),
		imperatives: "lösch|lösche|löschen sie|übersetze|übersetz|sende|schick|schicke|erinnere|folge|blockiere|ruf|schreib|schreibe|poste|veröffentliche|mach|mache|teile|verfasse|dichte",
		ordinals:    []string{"erste|ersten|erster|erstes|ersteren", "zweite|zweiten|zweiter|zweites|zweitem", "dritte|dritten|dritter|drittes", "vierte|vierten|vierter|viertes", "fünfte|fünften|fünfter", "sechste|sechsten"},
		senses: []sense{
			{cFiller, `der|die|das|den|dem|des|ein|eine|einen|einem|einer|eines|bitte|mal|doch|denn|so|nun|jetzt|eigentlich|alles|etwas|was alles|hier|auf nostr|für mich|zeig mir|zeige mir|gib mir|
				sag mir|sage mir|erzähl mir|erzähle mir|mach mir|schreib mir|nenn mir|nenne mir|zeig|zeige|gib|es|zuletzt|neulich|kürzlich|in letzter zeit|gerade|grad|grade|aktuell|momentan|derzeit|schon|noch|auch|
				so alles|kurz|kurze|kurzen|kurzer|knapp|schnell|wichtig|wichtiges|wichtige|wichtigen|das wichtigste|letzte|letzten|letzter|wort|wörter|wörtern|wichtigste|wichtigsten|interessantes|interessante|dieser|diese|dieses|diesen|diesem|
				damit|dazu|davon|da|dort|in der zeit|zeit|gern|gerne|einmal|ganze|ganzen|ganz|komplett|unter|mit|sich|dass|zu wissen|wissen|danke schön|sagen|mitteilen|verraten|nennen|anzeigen|zeigen|an|als|jemals|besonders|vor allem|man|gewesen|insgesamt|dafür|alle|über die zeit|zu|lieber|liebe|lb`},
			{cFiller | cDid, `ist|sind|war|waren|bin|hat|haben|habe|hab|hatte|hatten|wird|wurde|wurden|werden|gibt es|gab es|gibt's|gab's|gibt|gab|kam|kamen|ging|läuft|lief|geht|seid|kann`},
			{cAlso, `und|sowie|oder|&`},
			{cAbout, `über|zu|zum|zur|bezüglich|zum thema|um|in|im|rund um|wegen|übers|auf`},
			{cOf, `von|vom|bei|beim|durch`},
			{cWhat, `was|welche|welches|welcher|wie|worüber|wovon|worum|woran|worum geht es|womit`},
			{cWho, `wer|wen|wem`},
			{cWhether, `ob`},
			{cPolite, `kannst du|könntest du|können sie|könnten sie|kannst du mir|könntest du mir|könnten sie mir|würdest du|würden sie|ich möchte wissen|ich würde gern wissen|ich will wissen|sag mir|sagen sie mir|weißt du|wissen sie|magst du`},
			{cSelf, `ich|wir`},
			{cMe, `mich|mir|uns`},
			{cMy, `mein|meine|meinen|meiner|meines|meinem|unsere`},
			{cEveryone, `leute|die leute|den leuten|alle|sie|meine freunde|freunde|meine leute|die anderen|andere|alle anderen|leute denen ich folge|die leute denen ich folge|der leute denen ich folge|alle denen ich folge|
				denen ich folge|meine kontakte|kontakte|meine timeline|mein feed|meinen feed|personen|menschen|wir alle|personen denen ich folge|meinen kontakten`},
			{cSomeone, `jemand|irgendwer|irgendjemand|jemanden|wer`},
			{cMissed, `verpasst|versäumt|entgangen|übersehen|verpassen|verpasse|nicht mitbekommen|nicht gesehen`},
			{cNews, `neues|neue|neuen|neuigkeiten|neu|nachrichten|news|neuste|neueste|neuesten|aktuelles|los|was neues`},
			{cHappened, `passiert|geschehen|los|abgegangen|ging ab|geht ab|abgeht|geschieht|passierte|ereignet|vorgefallen|ging|lief|läuft|war so|gelaufen|losgewesen`},
			{cSummary, `zusammenfassung|überblick|übersicht|digest|zusammen|zusammenfassen|fass|fasse|fassen sie|auf den stand|auf den neuesten stand|bring mich|kurzfassung|rückblick|auf dem laufenden|highlights|das wichtigste|resümee|tldr`},
			{cWrote, `gesagt|geschrieben|gepostet|geredet|gesprochen|diskutiert|erzählt|sagt|sagen|schreibt|schreiben|redet|reden|spricht|sprechen|diskutieren|erzählen|postet|posten|meint|meinen|denkt|denken|gedacht|
				schrieb|schrieben|sagte|sagten|redeten|sprachen|diskutierten|postete|posteten|erzählte|veröffentlicht|unterhalten|unterhielten|gestritten|streiten|stritten|geteilt|macht|treibt|gemacht|getrieben|hält|geäußert|verfasst|ausgetauscht|geplaudert|gemeint|tut|schreib ich|schreibe`},
			{cNotes, `notizen|notiz|beiträge|beitrag|beiträgen|posts|post|notes|nachrichten von|meldungen|einträge`},
			{cTimes, `wie viele|wieviele|wie viel|wieviel|anzahl|die anzahl|anzahl der|zahl der|wie oft`},
			{cMost, `am meisten|meisten|die meisten|am aktivsten|aktivsten|aktivste|am häufigsten|fleißigsten|am fleißigsten`},
			{cTop, `top|beliebteste|beliebtesten|häufigste|häufigsten|meistbenutzte|meistbenutzten|meistgenutzte|meistgenutzten|meistverwendete|meistverwendeten|beliebt|benutzt|genutzt|verwendet|angesagt|angesagten|angesagteste`},
			{cTags, `hashtags|hashtag|schlagwörter|tags|schlagworte`},
			{cReplied, `geantwortet|antwortete|antworten|antwort|antwortet|antworteten|erwidert|zurückgeschrieben|reagiert`},
			{cReplied | cMentioned, `gefragt|fragt|fragte|angeschrieben|angesprochen|gewandt`},
			{cMentioned, `erwähnt|erwähnte|erwähnten|erwähnungen|erwähnung|markiert|getaggt|verlinkt|erwähnen|angepingt`},
			{cQuoted, `zitiert|zitate|zitierte|zitat`},
			{cZapped, `gezappt|zaps|zap|zappte|gezapt|sats|sats geschickt`},
			{cLiked, `gelikt|geliked|reaktionen|likes|herzchen`},
			{cReposted, `weitergegeben|repostet|reposted|geteilt worden|reposts|geboostet`},
			{cGot, `bekommen|erhalten|gekriegt|bekam|kriegte|gekommen|für mich da`},
			{cFind, `suche|such|finde|find|suche nach|such nach|finden|suchen|suchen nach|durchsuche`},
			{cConversation, `thread|faden|unterhaltung|diskussion|gespräch|konversation|austausch|threads|unterhaltungen|diskussionen|gesprächsfaden`},
			{cLongest, `längste|längsten|größte|größten|lebhafteste|lebhaftesten|längster`},
			{cChart, `als diagramm|diagramm|grafik|als grafik|chart|als chart|als balkendiagramm|im diagramm|in einem diagramm|schaubild|als schaubild|balkendiagramm|kurve|als kurve|graph|als graph|mit diagramm|mit einem diagramm|in einer grafik|grafisch`},
			{cTable, `als tabelle|tabelle|in einer tabelle|tabellarisch|in tabellenform|mit tabelle|tabelle der`},
			{cPerDay, `pro tag|am tag|täglich|je tag|jeden tag|nach tagen|tageweise`},
			{cPerWeek, `pro woche|in der woche je|wöchentlich|je woche|jede woche|nach wochen|wochenweise`},
			{cPerHour, `pro stunde|stündlich|je stunde|jede stunde|nach stunden`},
			{cHelping, `hilfe|was kannst du|was kannst du tun|was kann ich fragen|was kann ich dich fragen|wie funktioniert das|wie funktioniert dies|wie funktionierst du|wer bist du|was bist du|bedienung|anleitung|wie geht das|hilf mir|was kann ich hier machen`},
			{cGreeting, `hallo|hi|hey|moin|servus|grüß gott|guten morgen|guten tag|guten abend|gute nacht|danke|vielen dank|danke schön|dankeschön|super|toll|prima|ok|okay|tschüss|grüezi|wie geht's|wie geht es dir|na|herzlichen dank|danke sehr|mfg|liebe grüße`},
			{cProfile, `profil|das profil|steckbrief`},
			{cMore, `mehr|mehr details|details|näheres|genauer|einzelheiten|weiteres|ausführlicher|mehr dazu|erzähl mehr|erklär|erkläre`},
			{cBetween, `zwischen|miteinander|untereinander|zueinander`},
			{cAgain, `dasselbe|das gleiche|dasgleiche|das selbe|nochmal|noch mal|noch einmal|stattdessen|wie sieht es aus mit|was ist mit|wie ist es mit|wie steht es mit`},
			{cUntold, `wann|warum|wieso|weshalb|wo|woher|wohin|wie lange`},
			{cPerson, `diese person|dieser person|diesen menschen|er|ihr|ihm|ihn|sein|seine|ihre`},
		},
	}
}
