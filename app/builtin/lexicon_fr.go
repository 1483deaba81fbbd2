package builtin

func french() *lexicon {
	const talk = `(?:dit|disent|écrit|écrivent|parle|parlent|parlé|publié|publient|publie|discuté|discutent|raconte|racontent)`
	return &lexicon{
		lang: "fr",
		hints: []string{
			"qu'est-ce", "que", "quoi", "qui", "quels", "combien", "j'ai", "depuis", "hier", "aujourd'hui", "semaine", "cherche",
			"sur", "les", "des", "de", "le", "la", "est", "neuf", "aide", "raté", "manqué", "résume", "ce", "plus",
		},
		time: frenchTime(),
		everyone: []string{
			"les gens", "tout le monde", "ils", "mes amis", "mes contacts", "on", "les gens que je suis", "ceux que je suis", "les personnes que je suis",
		},
		articles: []string{"le", "la", "les", "un", "une", "des"},
		elided:   []string{"l'", "d'"},
		self:     []string{"je", "moi"},
		before:   `s'il te plaît|s'il vous plaît|bonjour|salut|ok|et|alors|dis-moi|peux-tu|peux-tu me dire|pouvez-vous|montre-moi`,
		behind:   `s'il te plaît|s'il vous plaît|merci|pour moi|sur nostr|ici`,
		charts:   `(?:en|avec un|sous forme de|dans un) (?:graphique|diagramme|graphe)`,
		asks: []phrase{
			{help, `aide|que (?:peux-tu|sais-tu) faire|qu'est-ce que tu (?:peux|sais) faire|que puis-je (?:te )?demander|qui es-tu`},
			{topHashtags, `(?:quels (?:sont|étaient) )?(?:les )?(?:{n} )?(?:top |meilleurs |principaux )?(?:hashtags|mots-dièse)(?: les plus (?:utilisés|populaires))?`},
			{topPosters, `qui (?:a|écrit|publie|poste) (?:le plus )?(?:écrit|publié|posté)?(?: ?le plus)?(?: de notes)?`},
			{count, `combien de (?:notes|messages)(?: y a-t-il| ont été écrites?| ai-je)?(?: (?:sur|avec|à propos de) {t})?`},
			{count, `combien de (?:notes|messages) {p} a-t-(?:il|elle) (?:écrites?|publiées?)`},
			{search, `(?:cherche|chercher|recherche|rechercher|trouve|trouver)(?: les| des)?(?: notes)?(?: (?:sur|avec|à propos de))? {t}`},
			{digest, `(?:qu'est-ce que j'ai|qu'ai-je) (?:raté|manqué|loupé)(?: (?:sur|à propos de) {t})?`},
			{digest, `(?:quoi de neuf|quoi de nouveau|qu'y a-t-il de nouveau|qu'est-ce qu'il y a de nouveau|quelles sont les nouvelles|les nouvelles)(?: (?:sur|à propos de) {t})?`},
			{digest, `(?:que s'est-il passé|qu'est-ce qui s'est passé|qu'est-ce qu'il s'est passé|que se passe-t-il)`},
			{digest, `(?:fais-moi |donne-moi |fais |donne )?(?:un |le )?résumé(?: (?:de la semaine|du jour|des notes))?(?: (?:sur|à propos de) {t})?|résume (?:la semaine|la journée|tout|mon fil|les notes)`},
			{digest, `(?:de quoi|qu'est-ce que|que|qu'est-ce qu') ?(?:ont |a |a-t-)?{all}(?: ont| a)? ` + talk},
			{digest, `(?:de quoi|que|qu')(?:ont| ont|a| a)? ?` + talk + ` {all}(?: (?:sur|de|à propos de) {t})?`},
			{digest, `(?:que dit|qu'a dit|que pense|qu'a écrit|qu'écrit|que raconte) {p} (?:sur|de|à propos de|des|du) {t}`},
			{digest, `(?:que dit|qu'a dit|que pense|qu'a écrit|qu'écrit|qu'a publié|que raconte|de quoi parle) {p}`},
			{digest, `(?:les )?notes (?:de|d') ?{p}`},
			{whoIs, `qui (?:est |suis-){p}|(?:le )?profil de {p}`},
			{longestThread, `(?:(?:résume|montre|explique) )?(?:le fil|la conversation|la discussion) (?:le|la) plus (?:long|longue)`},
			{thread, `(?:résume|explique|montre)(?: (?:ce|cette|le|la))?(?: (?:fil|discussion|conversation|note))?|de quoi parle(?: (?:ce|cette|le|la))?(?: (?:fil|discussion|conversation|note))?`},
		},
	}
}

func frenchTime() timeWords {
	return timeWords{
		since:   []string{"depuis", "dès", "après", "à partir de", "à partir du"},
		until:   []string{"jusqu'à", "jusqu'au", "avant", "jusque"},
		between: []string{"entre"},
		and:     []string{"et"},
		from:    []string{"de", "du"},
		to:      []string{"à", "au", "jusqu'à", "jusqu'au"},
		at:      []string{"le", "la", "en", "à", "dans", "ce", "cette", "pendant", "de", "du", "au", "cet", "les"},
		parts: map[string]part{
			"matin": {6, 12}, "midi": {12, 14}, "après-midi": {12, 18}, "soir": {18, 24}, "nuit": {18, 30}, "minuit": {0, 1},
		},
		units:    unitNames("minute|minutes", "heure|heures|h", "jour|jours|journée", "semaine|semaines", "mois", "an|ans|année|années"),
		weekdays: weekdayNames("dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"),
		months: monthNames("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août|aout", "septembre", "octobre",
			"novembre", "décembre"),
		numbers: map[string]int{
			"un": 1, "une": 1, "deux": 2, "trois": 3, "quelques": 3, "quatre": 4, "cinq": 5, "six": 6, "sept": 7, "huit": 8, "neuf": 9, "dix": 10,
		},
		spans: []spanPattern{
			{"aujourd'hui", true, dayOffset(0)},
			{"hier", true, dayOffset(-1)},
			{"d'hier", true, dayOffset(-1)},
			{"avant-hier", true, dayOffset(-2)},
			{"ce|cet|cette {part}", true, dayPart(0)},
			{"hier {part}", true, dayPart(-1)},
			{"{part}", false, dayPart(0)},
			{"cette|ce {unit}", true, block(0)},
			{"la|le|l'? {unit} dernière|dernier|passée|passé", true, block(-1)},
			{"ces|les|des? {n} dernières|derniers {unit}", true, rolling},
			{"il y a {n} {unit}", true, ago},
			{"{weekday} dernier?", true, weekday},
			{"{weekday} {part}", true, weekdayPart},
			{"ce|le? week-end|weekend dernier?", true, weekend},
			{"{d} {month}", true, dayOfMonth},
			{"{d} {month} {y}", true, dayOfMonth},
			{"{month} {y}", true, month},
			{"{month}", false, month},
			{"{y}", false, year},
			{"{date}", true, date},
			{"{date} à? {clock}", true, dateClock},
			{"{clock}", false, clockTime},
			{"{h} heures|h", false, clockTime},
			{"ma dernière visite", false, lastVisit},
			{"la dernière fois", false, lastVisit},
		},
	}
}
