package builtin

// Fetching is how it stands with whom the reader follows, where the program itself
// sees to fetching notes: in the window. The reasons why there is nothing to tell
// then are other ones than in a terminal, and so is what the reader can do.
type Fetching int

// How it can stand.
const (
	FetchByHand   Fetching = iota // the reader fetches, by a command in a terminal
	FetchUnderWay                 // it is being looked up
	FetchOffline                  // no relay can be reached
	FetchNoList                   // no relay that was asked knows whom the reader follows
	FetchNobody                   // the list is there, and empty
)

// lacking are the answers in the window when nothing is there to be told.
type lacking struct {
	nobodyChosen          string
	lookingUp             string
	offline, offlineNotes string // offlineNotes: whom the reader follows is known
	noList, nobody        string
	noNotes               string
}

// inWindow returns the words with the answers of the window in place of those that
// advise a command. stage is how it stands.
func (w *words) inWindow(stage Fetching) *words {
	if stage == FetchByHand {
		return w
	}
	l, all := lackingIn(w.lang), *w
	all.nobodyChosen, all.nothingAtAll = l.nobodyChosen, l.noNotes
	all.nobody = map[Fetching]string{FetchUnderWay: l.lookingUp, FetchOffline: l.offline, FetchNoList: l.noList, FetchNobody: l.nobody}[stage]
	if stage == FetchOffline {
		all.nothingAtAll = l.offlineNotes
	}
	return &all
}

func lackingIn(lang string) lacking {
	switch lang {
	case "de":
		return lacking{
			nobodyChosen: "Es ist niemand gewählt, für den gelesen wird. Unter Einstellungen, „Du“, wird eine Person gewählt.",
			lookingUp:    "Wem du folgst, wird gerade bei den Relays nachgesehen. Frag in einer Minute noch einmal.",
			offline:      "Wem du folgst, ist noch nicht bekannt: Kein Relay ist erreichbar, dieser Computer ist wohl offline. Sobald er online ist, wird die Liste von selbst abgerufen, und dann die Notizen; „Erneut versuchen“ auf der Relay-Seite sieht sofort nach.",
			offlineNotes: "Hier ist noch keine Notiz von den Leuten gespeichert, denen du folgst, und kein Relay ist erreichbar: Dieser Computer ist wohl offline. Sobald er online ist, werden die Notizen von selbst abgerufen.",
			noList:       "Kein Relay, das gefragt wurde, weiß, wem du folgst. Kennst du ein Relay, das du sonst benutzt, dann füge es auf der Relay-Seite hinzu; es wird dann gleich gefragt.",
			nobody:       "Du folgst noch niemandem: Deine Liste ist leer. Folge jemandem in einem anderen Nostr-Programm, oder durchsuche alles, was hier liegt, zum Beispiel „Suche Fahrrad“.",
			noNotes:      "Hier ist noch keine einzige Notiz von den Leuten gespeichert, denen du folgst. Sie werden von selbst abgerufen; die Relay-Seite zeigt, wie weit es ist.",
		}
	case "fr":
		return lacking{
			nobodyChosen: "Personne n'est choisi comme lecteur. On choisit quelqu'un dans les réglages.",
			lookingUp:    "La liste des gens que tu suis est en cours de recherche sur les relais. Redemande dans une minute.",
			offline:      "On ne sait pas encore qui tu suis : aucun relais ne répond, cet ordinateur est sans doute hors ligne. Dès qu'il sera en ligne, ta liste puis les notes seront récupérées d'elles-mêmes.",
			offlineNotes: "Aucune note des gens que tu suis n'est encore stockée ici et aucun relais ne répond : cet ordinateur est sans doute hors ligne. Dès qu'il sera en ligne, les notes seront récupérées d'elles-mêmes.",
			noList:       "Aucun relais interrogé ne sait qui tu suis. Si tu connais un relais que tu utilises ailleurs, ajoute-le sur la page des relais.",
			nobody:       "Tu ne suis encore personne : ta liste est vide. Suis quelqu'un dans un autre programme Nostr, ou cherche dans tout ce qui est ici, par exemple « cherche vélo ».",
			noNotes:      "Aucune note des gens que tu suis n'est encore stockée ici. Elles sont récupérées d'elles-mêmes ; la page des relais montre où cela en est.",
		}
	case "es":
		return lacking{
			nobodyChosen: "No se ha elegido a nadie como lector. Se elige en los ajustes.",
			lookingUp:    "Se está buscando en los relays a quién sigues. Vuelve a preguntar dentro de un minuto.",
			offline:      "Todavía no se sabe a quién sigues: no se llega a ningún relay, este ordenador estará sin conexión. En cuanto la tenga, se recibirán solas tu lista y las notas.",
			offlineNotes: "Aquí no hay todavía ni una nota de las personas que sigues y no se llega a ningún relay: este ordenador estará sin conexión. En cuanto la tenga, las notas se recibirán solas.",
			noList:       "Ninguno de los relays preguntados sabe a quién sigues. Si conoces un relay que usas en otro sitio, añádelo en la página de relays.",
			nobody:       "Todavía no sigues a nadie: tu lista está vacía. Sigue a alguien en otro programa de Nostr, o busca en todo lo que hay aquí, por ejemplo «busca bicicleta».",
			noNotes:      "Aquí no hay todavía ni una nota de las personas que sigues. Se reciben solas; la página de relays muestra cómo va.",
		}
	case "pt":
		return lacking{
			nobodyChosen: "Ninguém foi escolhido como leitor. Escolhe-se nas definições.",
			lookingUp:    "Está a ser procurado nos relays quem segues. Pergunta de novo daqui a um minuto.",
			offline:      "Ainda não se sabe quem segues: não se chega a nenhum relay, este computador estará sem ligação. Assim que a tiver, a tua lista e as notas são recebidas sozinhas.",
			offlineNotes: "Ainda não há aqui uma única nota das pessoas que segues e não se chega a nenhum relay: este computador estará sem ligação. Assim que a tiver, as notas são recebidas sozinhas.",
			noList:       "Nenhum dos relays perguntados sabe quem segues. Se conheces um relay que usas noutro sítio, acrescenta-o na página dos relays.",
			nobody:       "Ainda não segues ninguém: a tua lista está vazia. Segue alguém noutro programa de Nostr, ou procura em tudo o que está aqui, por exemplo «procura bicicleta».",
			noNotes:      "Ainda não há aqui uma única nota das pessoas que segues. São recebidas sozinhas; a página dos relays mostra como vai.",
		}
	case "ja":
		return lacking{
			nobodyChosen: "誰として読むかが選ばれていません。設定で選んでください。",
			lookingUp:    "フォローしている人をリレーで調べています。一分ほどしてからもう一度お尋ねください。",
			offline:      "どのリレーにもつながらないため、誰をフォローしているかまだ分かりません。オフラインのようです。つながり次第、リストとノートは自動で取得されます。",
			offlineNotes: "フォロー中の人たちのノートはまだ一つも保存されておらず、どのリレーにもつながりません。オフラインのようです。つながり次第、ノートは自動で取得されます。",
			noList:       "問い合わせたリレーでは、誰をフォローしているか分かりませんでした。ほかでお使いのリレーがあれば、リレーのページで追加してください。",
			nobody:       "まだ誰もフォローしていません(リストは空です)。ほかの Nostr アプリで誰かをフォローするか、「自転車を検索」のように全体を検索してください。",
			noNotes:      "フォロー中の人たちのノートはまだ一つも保存されていません。自動で取得されます。進み具合はリレーのページで分かります。",
		}
	}
	return lacking{
		nobodyChosen: "Nobody is chosen to read as. Choose somebody in the settings, under “You”.",
		lookingUp:    "Whom you follow is being looked up at the relays right now. Ask again in a minute.",
		offline:      "Whom you follow is not known yet: no relay can be reached, so this computer seems to be offline. As soon as it is online your list is fetched by itself, and then the notes; “Try again” on the Relays page looks at once.",
		offlineNotes: "Not one note by the people you follow is stored here yet, and no relay can be reached: this computer seems to be offline. As soon as it is online the notes are fetched by themselves.",
		noList:       "No relay that was asked knows whom you follow. If you know a relay that you use elsewhere, add it on the Relays page; it is then asked at once.",
		nobody:       "You follow nobody yet: your list is empty. Follow somebody in another Nostr program, or search everything that is here, for example “search bicycle”.",
		noNotes:      "Not one note by the people you follow is stored here yet. They are fetched by themselves; the Relays page shows how far that is.",
	}
}
