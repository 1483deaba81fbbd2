package builtin

func portuguese() *lexicon {
	const talk = `(?:disse|disseram|diz|dizem|dizendo|escreveu|escreveram|escreve|escrevem|falou|falaram|fala|falam|falando|publicou|publicaram|publica|publicam|comentou|comentaram)`
	return &lexicon{
		lang: "pt",
		hints: []string{
			"o", "que", "quem", "quantas", "quantos", "eu", "perdi", "desde", "ontem", "hoje", "semana", "procura", "procurar",
			"busque", "buscar", "sobre", "os", "as", "é", "novo", "ajuda", "resume", "resuma", "há", "mais", "houve", "essa", "esta", "aconteceu", "passada",
		},
		time: portugueseTime(),
		everyone: []string{
			"as pessoas", "todos", "todo mundo", "toda a gente", "eles", "meus amigos", "os meus amigos", "meus contatos",
			"as pessoas que sigo", "as pessoas que eu sigo", "quem sigo", "quem eu sigo", "a gente",
		},
		articles: []string{"o", "a", "os", "as", "um", "uma", "uns", "umas"},
		self:     []string{"eu"},
		before:   `por favor|olá|oi|ok|e|então|me diga|diga-me|pode|pode me dizer|mostre-me|me mostre`,
		behind:   `por favor|obrigado|obrigada|para mim|no nostr|aqui`,
		charts:   `(?:como|em|num|com|com um|em um) (?:gráfico|diagrama)`,
		asks: []phrase{
			{help, `ajuda|o que (?:você |tu )?(?:pode|podes|sabe|sabes) fazer|o que posso perguntar|quem (?:é você|és tu)`},
			{topHashtags, `(?:quais (?:são|foram) )?(?:as |os )?(?:{n} )?(?:top |principais )?hashtags(?: mais (?:usadas|usados|populares))?`},
			{topPosters, `quem (?:mais )?(?:escreveu|publicou|postou|escreve|publica|posta)(?: mais)?(?: notas)?`},
			{count, `quantas (?:notas|publicações)(?: há| houve| tenho| foram escritas| existem)?(?: (?:sobre|com|de) {t})?`},
			{count, `quantas (?:notas|publicações) (?:o |a )?{p} (?:escreveu|publicou)`},
			{search, `(?:procura|procure|procurar|busca|busque|buscar|encontra|encontre|encontrar|pesquisa|pesquise|pesquisar)(?: as)?(?: notas)?(?: (?:sobre|com|por))? {t}`},
			{digest, `o que (?:é que )?(?:eu )?perdi(?: (?:sobre|de) {t})?|perdi (?:algo|alguma coisa)`},
			{digest, `o que há de novo(?: (?:sobre|com) {t})?|(?:as )?(?:novidades|notícias)(?: (?:sobre|de) {t})?|quais (?:são )?as novidades`},
			{digest, `o que (?:é que )?(?:aconteceu|acontece|se passou|rolou|está acontecendo|houve)`},
			{digest, `(?:me dê |dá-me |faça |faz )?(?:um |o )?resumo(?: (?:da semana|do dia|das notas))?(?: (?:sobre|de) {t})?|resum[ae] (?:a semana|o dia|tudo|as notas)`},
			{digest, `(?:o|do|sobre o) que (?:é que )?{all} (?:está |estão |têm )?` + talk + `(?: (?:sobre|de) {t})?`},
			{digest, `(?:o|do) que (?:é que )?(?:o |a )?{p} (?:está |anda )?` + talk + `(?: (?:sobre|de) {t})?`},
			{digest, `(?:o|do) que (?:está |anda )?` + talk + ` (?:o |a )?{p}(?: (?:sobre|de) {t})?`},
			{digest, `(?:as )?notas d[eoa] {p}`},
			{whoIs, `quem (?:é|sou) {p}|(?:o )?perfil d[eoa] {p}`},
			{longestThread, `(?:(?:resume|resuma|mostra|mostre|explica) )?(?:a conversa|o tópico|a discussão|o fio) mais (?:longa|longo)`},
			{thread, `(?:resum[ae]|explica|explique|mostra|mostre)(?: (?:este|esta|esse|essa|o|a))?(?: (?:fio|thread|conversa|discussão|nota))?`},
		},
	}
}

func portugueseTime() timeWords {
	return timeWords{
		since:   []string{"desde", "desde a", "desde o", "desde as", "há", "a partir de", "a partir do", "depois de", "depois do"},
		until:   []string{"até", "até o", "até ao", "antes de", "antes do"},
		between: []string{"entre"},
		and:     []string{"e"},
		from:    []string{"de", "do", "desde"},
		to:      []string{"a", "ao", "até", "até o", "até ao"},
		at:      []string{"na", "no", "em", "às", "as", "durante", "de", "da", "do", "à", "nas", "nos", "pela", "a", "o"},
		parts: map[string]part{
			"manhã": {6, 12}, "meio-dia": {12, 14}, "tarde": {12, 18}, "noite": {18, 30}, "meia-noite": {0, 1},
		},
		units: unitNames("minuto|minutos", "hora|horas", "dia|dias", "semana|semanas", "mês|meses", "ano|anos"),
		weekdays: weekdayNames("domingo", "segunda|segunda-feira", "terça|terça-feira", "quarta|quarta-feira", "quinta|quinta-feira",
			"sexta|sexta-feira", "sábado"),
		months: monthNames("janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro",
			"novembro", "dezembro"),
		numbers: map[string]int{
			"um": 1, "uma": 1, "dois": 2, "duas": 2, "três": 3, "quatro": 4, "cinco": 5, "seis": 6, "sete": 7, "oito": 8, "nove": 9, "dez": 10,
		},
		spans: []spanPattern{
			{"hoje", true, dayOffset(0)},
			{"ontem", true, dayOffset(-1)},
			{"anteontem", true, dayOffset(-2)},
			{"esta|essa|nesta|nessa {part}", true, dayPart(0)},
			{"ontem à|de {part}", true, dayPart(-1)},
			{"{part}", false, dayPart(0)},
			{"esta|este|essa|esse|nesta|neste|nessa|nesse {unit}", true, block(0)},
			{"a|o? {unit} passada|passado", true, block(-1)},
			{"as|os|nas|nos? últimas|últimos {n} {unit}", true, rolling},
			{"há {n} {unit}", true, ago},
			{"{n} {unit} atrás", true, ago},
			{"{weekday} passada|passado?", true, weekday},
			{"este|o|no? fim de semana passado?", true, weekend},
			{"{d} de? {month}", true, dayOfMonth},
			{"{d} de? {month} de? {y}", true, dayOfMonth},
			{"{month} de? {y}", true, month},
			{"{month}", false, month},
			{"{y}", false, year},
			{"{date}", true, date},
			{"{date} às? {clock}", true, dateClock},
			{"{clock}", false, clockTime},
			{"{h} horas?", false, clockTime},
			{"minha última visita", false, lastVisit},
			{"a? última vez", false, lastVisit},
		},
	}
}
