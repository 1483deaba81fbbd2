package builtin

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/tools"
)

// tally ranks people by what no tool counts: whom somebody answers and mentions, whose notes
// were taken up most, or who writes in some hours of the day.
func (p *plan) tally() string {
	f, who, stop := p.whose()
	if stop != "" || p.waiting() {
		return stop
	}
	w := p.rankingWindow()
	if p.settleTopic(f, w); p.waiting() {
		return ""
	}
	f.search = p.topicWords()
	notes, left := p.posts(f.args(p.kinds(), w), w)
	r := p.coverage(f, w)
	if p.waiting() {
		return ""
	}
	sums, names := map[string]int{}, map[string]string{}
	for i := range notes {
		n := &notes[i]
		names[n.PubKey] = n.Name
		switch {
		case p.q.Intent == question.Partners:
			for _, key := range partners(n) {
				sums[key]++
			}
		case p.q.Kinds != 0:
			sums[n.PubKey] += int(p.takenUpBy(n))
		case p.q.Hours.Hold(time.Unix(n.CreatedAtUnix, 0).In(p.calendar.Now.Location()).Hour()):
			sums[n.PubKey]++
		}
	}
	keys := slices.DeleteFunc(sortedKeys(sums), func(key string) bool { return sums[key] == 0 })
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(sums[b], sums[a]) })
	var rows []rankRow
	for _, key := range keys[:min(len(keys), cmp.Or(p.q.N, defaultTop))] {
		if p.q.Intent == question.Partners {
			if got := ask[tools.ProfileResult](p.turn, "get_profile", tools.GetProfileArgs{Person: key}); got.value != nil {
				names[key] = profileName(got.value)
			}
		}
		rows = append(rows, rankRow{name: personName(names[key], key), notes: sums[key]})
	}
	if p.waiting() {
		return ""
	}
	fillIn := []string{"window", p.words.Window(w, p.calendar.Now), "what", p.words.AtLeastIf(left > 0, p.counted(len(notes), who)), "measure", p.measure()}
	title := p.texts.HoursMost
	switch {
	case p.q.Intent == question.Partners:
		title = words.Fill(p.texts.Partners, "name", profileName(who))
	case p.q.Kinds != 0:
		title = p.texts.GotMost
	}
	title = words.Fill(title, append(fillIn, "from", strconv.Itoa(p.q.Hours.From)+":00", "to", strconv.Itoa(p.q.Hours.To%24)+":00")...)
	if p.q.Kinds != 0 {
		ofMeasure := *p.words
		ofMeasure.ColNotes = p.measure()
		p.words = &ofMeasure
	}
	shown := len(rows) == 0 || p.showRanking("author", strings.TrimRight(title, ":： \u00a0"), rows)
	if p.waiting() {
		return ""
	}
	lines := append([]string{words.Fill(p.texts.Counted, fillIn...)}, p.covered(r)...)
	switch {
	case len(rows) == 0 && p.q.Kinds != 0:
		lines[0] = words.Fill(p.texts.PopularNone, fillIn...)
	case len(rows) == 0:
		lines = slices.Insert(lines, 0, title+" 0.")
	case !shown:
		return p.listRanking("author", title, rows) + "\n" + strings.Join(lines, " ") + "\n"
	}
	return strings.Join(lines, " ") + "\n"
}

// partners are the keys of those whom a note answers or mentions.
func partners(n *tools.Note) []string {
	var keys []string
	for _, tag := range n.Event.Tags {
		if len(tag) > 1 && tag[0] == "p" && tag[1] != n.PubKey && !slices.Contains(keys, tag[1]) {
			keys = append(keys, tag[1])
		}
	}
	return keys
}
