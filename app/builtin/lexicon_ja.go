package builtin

import "strings"

// japanese is matched on words that cutWords found by the lexicon's own
// vocabulary; what lies between them (a name, a topic) stays in one piece.
func japanese() *lexicon {
	return &lexicon{
		lang:     "ja",
		hints:    []string{"昨日", "今日", "先週", "今週", "から", "何", "誰", "教えて", "検索", "探して", "ノート", "まとめて"},
		time:     japaneseTime(),
		everyone: []string{"みんな", "皆", "フォロー", "フォロー中 の 人", "フォローしている人", "人"},
		self:     []string{"私", "僕", "俺"},
		before:   `ねえ|すみません|じゃあ|それで`,
		behind:   `教えて|ください|お願い|は|を|か|ですか|の|あった|ある`,
		charts:   `(?:を )?(?:グラフ|チャート|図)(?: で| に)?(?: して)?`,
		asks: []phrase{
			{help, `ヘルプ|助けて|何 が できる|何 が できますか|使い方`},
			{topHashtags, `(?:人気|トップ|上位|よく使われた)(?: の)?(?: {n})?(?: の)? ハッシュタグ`},
			{topPosters, `誰 が (?:一番|最も)(?: 多く)?(?: (?:投稿した|書いた|投稿|書いて))?`},
			{count, `(?:ノート|投稿)(?: は| が)? (?:いくつ|何件)`},
			{count, `{t} (?:について|に関する)(?: の)? (?:ノート|投稿)(?: は| が)? (?:いくつ|何件)`},
			{search, `(?:検索|探して|探す) {t}|{t}(?: を)? (?:検索|検索して|探して|探す)`},
			{digest, `(?:何|なに)?(?: を| か)? ?(?:見逃した|逃した|見落とした)(?: もの| こと)?`},
			{digest, `(?:の )?(?:何|なに)(?: が| か)?(?: あった| あった の| 起きた| 新しい)?|(?:何|なに) が あった|新着|ニュース|最新|(?:の )?(?:まとめ|まとめて|要約|要約して|ダイジェスト)`},
			{digest, `{all}(?: は| が)? (?:何|なに)(?: を| の| について)?(?: 話)?(?: を)? (?:話した|話して|話している|話していた|言った|言って|言っている|書いた|投稿した|話題)`},
			{digest, `{p} (?:は|が) {t} について (?:何|なに)(?: を| と)? (?:話した|話して|話している|言った|言って|言っている|書いた|投稿した)`},
			{digest, `{p} (?:は|が) (?:何|なに)(?: を| と)? (?:話した|話して|話している|言った|言って|言っている|書いた|投稿した)`},
			{digest, `{t} について`},
			{whoIs, `{p}(?: は| って) (?:誰|だれ)`},
			{longestThread, `(?:一番|最も) 長い (?:スレッド|会話)(?: を)? ?(?:まとめて|要約して|要約|まとめ)?`},
			{thread, `(?:この )?(?:スレッド|会話|ノート)?(?: を)? ?(?:まとめて|要約して|要約|まとめ)?`},
		},
	}
}

func japaneseTime() timeWords {
	return timeWords{
		after: []string{"から", "以来", "以降", "からは"},
		upTo:  []string{"まで", "までに"},
		parts: map[string]part{
			"朝": {6, 12}, "午前": {0, 12}, "昼": {12, 14}, "午後": {12, 18}, "夕方": {16, 19}, "夜": {18, 30}, "晩": {18, 30},
		},
		units:    unitNames("分|分間", "時間", "日間|日", "週間|週", "か月|ヶ月|カ月", "年間"),
		weekdays: weekdayNames("日曜|日曜日", "月曜|月曜日", "火曜|火曜日", "水曜|水曜日", "木曜|木曜日", "金曜|金曜日", "土曜|土曜日"),
		months:   monthNames("1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"),
		numbers:  map[string]int{"一": 1, "二": 2, "三": 3, "数": 3, "四": 4, "五": 5},
		spans: []spanPattern{
			{"今日 の?", true, dayOffset(0)},
			{"昨日 の?", true, dayOffset(-1)},
			{"一昨日 の?", true, dayOffset(-2)},
			{"今朝 の?", true, fixedPart(0, part{6, 12})},
			{"今夜 の?", true, fixedPart(0, part{18, 24})},
			{"昨夜 の?", true, fixedPart(-1, part{18, 30})},
			{"昨日 の? {part}", true, dayPart(-1)},
			{"今日 の? {part}", true, dayPart(0)},
			{"今週 の?", true, blockOf(weeks, 0)},
			{"先週 の?", true, blockOf(weeks, -1)},
			{"今月 の?", true, blockOf(months, 0)},
			{"先月 の?", true, blockOf(months, -1)},
			{"今年 の?", true, blockOf(years, 0)},
			{"去年|昨年 の?", true, blockOf(years, -1)},
			{"週末 の?", true, weekend},
			{"過去|この|ここ {n} {unit} の?", true, rolling},
			{"{n} {unit} 前 の?", true, ago},
			{"{weekday} の?", true, weekday},
			{"{month} {d} 日", true, dayOfMonth},
			{"{y} 年", true, year},
			{"{y} 年 {month}", true, month},
			{"{y} 年 {month} {d} 日", true, dayOfMonth},
			{"{date}", true, date},
			{"{clock}", false, clockTime},
			{"{h} 時", false, clockTime},
			{"前回", false, lastVisit},
			{"最後 に 見た? 時?", false, lastVisit},
		},
	}
}

// vocabularyOf collects every word that a lexicon's tables speak of.
func vocabularyOf(lx *lexicon) map[string]bool {
	v := set("の", "は", "が", "を", "か", "に")
	add := func(s string) {
		for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(" |?(){}:.+\\d", r) || r < 0x80 && r > ' ' }) {
			v[w] = true
		}
	}
	for _, a := range lx.asks {
		add(a.pattern)
	}
	for _, list := range [][]string{lx.hints, lx.everyone, lx.time.after, lx.time.upTo, {lx.before, lx.behind, lx.charts}} {
		for _, s := range list {
			add(s)
		}
	}
	for _, p := range lx.time.spans {
		add(p.pattern)
	}
	for w := range lx.time.parts {
		v[w] = true
	}
	for w := range lx.time.units {
		v[w] = true
	}
	for w := range lx.time.weekdays {
		v[w] = true
	}
	for w := range lx.time.months {
		v[w] = true
	}
	for w := range lx.time.numbers {
		v[w] = true
	}
	return v
}
