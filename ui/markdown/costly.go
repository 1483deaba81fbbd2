package markdown

import "strings"

// What a text may hold before it is shown as plain text: the time that goldmark
// takes grows with the square of these, and no answer comes near them.
const (
	maxContainers = 4 * maxDepth // quotes and lists that one line opens
	maxBrackets   = 1_000        // in a paragraph
	maxDelimiters = 8_000        // stars, underscores and tildes in a paragraph
	maxCells      = 100_000      // in a table, with the empty ones
)

// costly reports a text that was made to keep the parser busy. What is costly stays
// so when more is written behind it.
func costly(text string) bool {
	var p paragraphCost
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		if containers(line) > maxContainers {
			return true
		}
		if strings.TrimSpace(line) == "" {
			p = paragraphCost{}
			continue
		}
		if p.add(line) {
			return true
		}
	}
	return false
}

// paragraphCost counts over lines without a blank one between them.
type paragraphCost struct{ brackets, delimiters, columns, lines int }

func (p *paragraphCost) add(line string) bool {
	columns := 1
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '[', '<':
			p.brackets++
		case '*', '_', '~':
			p.delimiters++
		case '|':
			columns++
		}
	}
	p.lines++
	p.columns = max(p.columns, columns)
	return p.brackets > maxBrackets || p.delimiters > maxDelimiters || p.columns > 1 && p.columns*p.lines > maxCells
}

// containers counts what a line may open before its text, but for a rule.
func containers(line string) int {
	n := 0
	same := true
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case '>', '-', '+', '*':
			n++
			same = same && c == strings.TrimLeft(line, " ")[0]
		case ' ', '\t', '.', ')', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		default:
			return n
		}
	}
	if same && !strings.ContainsRune(line, '>') {
		return 0
	}
	return n
}
