package builtin

func spanish() *lexicon {
	const talk = `(?:dicho|dijo|dijeron|dice|dicen|escrito|escribió|escribieron|escribe|escriben|hablado|habló|hablaron|habla|hablan|publicado|publicó|publicaron|publica|publican|comentan|comentado|diciendo|hablando)`
	return &lexicon{
		lang: "es",
		hints: []string{
			"qué", "que", "quién", "cuántas", "cuántos", "me", "he", "desde", "ayer", "hoy", "semana", "busca", "buscar", "sobre",
			"los", "las", "el", "la", "es", "nuevo", "ayuda", "perdido", "perdí", "resume", "hay", "más", "ha", "esta", "este",
		},
		time: spanishTime(),
		everyone: []string{
			"la gente", "todos", "ellos", "mis amigos", "mis contactos", "la gente que sigo", "las personas que sigo", "los que sigo", "gente",
		},
		articles: []string{"el", "la", "los", "las", "un", "una", "unos", "unas"},
		self:     []string{"yo"},
		before:   `por favor|hola|oye|ok|y|bueno|dime|puedes|puedes decirme|muéstrame`,
		behind:   `por favor|gracias|para mí|en nostr|aquí`,
		charts:   `(?:como|en|con|en un|con un|como un) (?:gráfico|gráfica|diagrama)`,
		asks: []phrase{
			{help, `ayuda|qué (?:puedes|sabes) hacer|qué puedo preguntar(?:te)?|quién eres`},
			{topHashtags, `(?:cuáles (?:son|fueron) )?(?:los |las )?(?:{n} )?(?:top |principales )?(?:hashtags|etiquetas)(?: más (?:usados|usadas|populares))?`},
			{topPosters, `quién (?:ha )?(?:escrito|escribió|publicó|publicado|publica|escribe|posteó) más(?: notas)?`},
			{count, `cuántas (?:notas|publicaciones)(?: hay| hubo| tengo| se escribieron)?(?: (?:sobre|de|con) {t})?`},
			{count, `cuántas (?:notas|publicaciones) (?:ha escrito|escribió|publicó) {p}`},
			{search, `(?:busca|buscar|encuentra|encontrar)(?: las)?(?: notas)?(?: (?:sobre|con|de))? {t}`},
			{digest, `qué me (?:he perdido|perdí|estoy perdiendo)(?: (?:sobre|de) {t})?|me he perdido algo|me perdí algo`},
			{digest, `qué (?:hay|hubo) (?:de )?nuevo(?: (?:sobre|de|con) {t})?|qué novedades hay(?: (?:sobre|de) {t})?|(?:las )?(?:novedades|noticias)(?: (?:sobre|de) {t})?`},
			{digest, `qué (?:ha pasado|pasó|pasa|está pasando|ha ocurrido|ocurrió)`},
			{digest, `(?:dame |hazme |haz )?(?:un |el )?resumen(?: (?:de la semana|del día|de las notas))?(?: (?:sobre|de) {t})?|resume (?:la semana|el día|todo|mi feed|las notas)|ponme al día`},
			{digest, `(?:de )?qué (?:ha |han |está |están )?` + talk + ` {all}(?: (?:sobre|de|acerca de) {t})?`},
			{digest, `(?:de )?qué (?:ha |han |está |están )?` + talk + ` {p} (?:sobre|acerca de|de) {t}`},
			{digest, `(?:de )?qué (?:ha |han |está |están )?` + talk + ` {p}`},
			{digest, `(?:de )?qué (?:ha|está) {p} ` + talk + `(?: (?:sobre|acerca de|de) {t})?`},
			{digest, `(?:las )?notas de {p}`},
			{whoIs, `quién (?:es|soy) {p}|(?:el )?perfil de {p}`},
			{longestThread, `(?:(?:resume|muestra|explica) )?(?:el hilo|la conversación|la discusión) más (?:largo|larga)`},
			{thread, `(?:resume|explica|muestra)(?: (?:este|esta|el|la))?(?: (?:hilo|conversación|discusión|nota))?|de qué (?:va|trata)(?: (?:este|esta|el|la))?(?: (?:hilo|conversación|discusión|nota))?`},
		},
	}
}

func spanishTime() timeWords {
	return timeWords{
		since:   []string{"desde", "desde hace", "a partir de", "a partir del", "después de", "después del", "desde el", "desde la", "desde las"},
		until:   []string{"hasta", "hasta el", "antes de", "antes del"},
		between: []string{"entre"},
		and:     []string{"y"},
		from:    []string{"de", "del", "desde", "desde el"},
		to:      []string{"a", "al", "hasta", "hasta el"},
		at:      []string{"el", "la", "las", "en", "en el", "en la", "a las", "durante", "de", "por la", "de la", "del", "los"},
		parts: map[string]part{
			"mañana": {6, 12}, "mediodía": {12, 14}, "tarde": {12, 20}, "noche": {18, 30}, "medianoche": {0, 1},
		},
		units:    unitNames("minuto|minutos", "hora|horas", "día|días|dia|dias", "semana|semanas", "mes|meses", "año|años"),
		weekdays: weekdayNames("domingo", "lunes", "martes", "miércoles|miercoles", "jueves", "viernes", "sábado|sabado"),
		months: monthNames("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre|setiembre",
			"octubre", "noviembre", "diciembre"),
		numbers: map[string]int{
			"un": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10,
		},
		spans: []spanPattern{
			{"hoy", true, dayOffset(0)},
			{"ayer", true, dayOffset(-1)},
			{"anteayer", true, dayOffset(-2)},
			{"esta {part}", true, dayPart(0)},
			{"ayer por|en? la {part}", true, dayPart(-1)},
			{"anoche", true, fixedPart(-1, part{18, 30})},
			{"{part}", false, dayPart(0)},
			{"esta|este {unit}", true, block(0)},
			{"la|el? {unit} pasada|pasado|anterior", true, block(-1)},
			{"las|los? últimas|últimos {n} {unit}", true, rolling},
			{"la|el última|último {unit}", true, rolling},
			{"hace {n} {unit}", true, ago},
			{"{weekday} pasado?", true, weekday},
			{"este|el? fin de semana pasado?", true, weekend},
			{"{d} de? {month}", true, dayOfMonth},
			{"{d} de? {month} de? {y}", true, dayOfMonth},
			{"{month} de? {y}", true, month},
			{"{month}", false, month},
			{"{y}", false, year},
			{"{date}", true, date},
			{"{date} a? las? {clock}", true, dateClock},
			{"{clock}", false, clockTime},
			{"{h} horas?", false, clockTime},
			{"mi última visita", false, lastVisit},
			{"la última vez", false, lastVisit},
			{"que? estuve aquí", false, lastVisit},
		},
	}
}
