package question

import (
	"regexp"
	"strings"
	"time"
)

// searchOps are what a question holds of the language of the search.
type searchOps struct {
	used                 bool
	person, since, until string
	filter               []string // what has no field of its own
}

var operator = regexp.MustCompile(`(?i)(^|\s)(-?)(from|by|author|to|since|until|kind|has|is|lang|site):("[^"]*"|\S+)`)

// operators takes the operators of a search out of a text.
func operators(text string, c Calendar) (searchOps, string) {
	var ops searchOps
	rest := operator.ReplaceAllStringFunc(text, func(s string) string {
		m := operator.FindStringSubmatch(s)
		minus, name, value := m[2], strings.ToLower(m[3]), strings.TrimRight(m[4], "?!,;.")
		if value == "" {
			return s
		}
		ops.used = true
		plain := strings.ToLower(strings.Trim(value, `"`))
		switch {
		case minus == "" && ops.person == "" && (name == "from" || name == "by" || name == "author"):
			ops.person = plain
		case minus == "" && name == "since":
			ops.since = plain
		case minus == "" && name == "until":
			ops.until = plain
		default:
			ops.filter = append(ops.filter, minus+name+":"+value)
		}
		return " "
	})
	return ops, rest
}

// question is the rest of a text with what its operators say: a question where it is
// one, else a search.
func (ops searchOps) question(p *Reader, langs []*compiled, rest string, c Calendar, t *Talk) Question {
	q := Question{Intent: Search, Lang: langs[0].Lang, Topic: strings.TrimSpace(strings.ToLower(rest))}
	for _, lx := range langs {
		if strings.TrimSpace(rest) == "" {
			break
		}
		if got, ok := lx.questionOf(rest, "", c, t, false); ok && got.Intent != fragment && got.Intent != Help && got.Intent != Cannot {
			q = got
			break
		}
	}
	if ops.person != "" {
		q.Person, q.Self = ops.person, ops.person == "me"
	}
	if q.Filter = strings.Join(ops.filter, " "); q.Intent == Search && q.Topic == "" && q.Filter == "" {
		q.Intent = Digest
	}
	ops.window(p.langs[0], &q, c)
	return q
}

// window sets the time that since: and until: name.
func (ops searchOps) window(lx *compiled, q *Question, c Calendar) {
	at := func(s string) (span, bool) {
		if s == "" {
			return span{}, false
		}
		if len(s) > len("2006-01-02") && strings.Contains(s, "t") {
			s = s[:len("2006-01-02")]
		}
		got, n := lx.time.point(c, folds(lx.tokenize(s)))
		return got, n > 0
	}
	from, okFrom := at(ops.since)
	to, okTo := at(ops.until)
	if !okFrom && !okTo {
		return
	}
	w := Window{Since: q.Window.Since, Until: c.Now, Asked: true}
	if okFrom {
		w.Since = from.from
	} else if !q.Window.Asked {
		w.Since = time.Unix(0, 0)
	}
	if okTo {
		w.Until = to.to.Add(-time.Second)
		if w.Until.After(c.Now) {
			w.Until = c.Now
		}
	}
	q.Window = w
}
