package answers

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"bowerbird/app/agent"
	"bowerbird/app/models"
	"bowerbird/ndb/clean"
)

// SentRequest is one request to a model's server, split so that a person can read it.
// Texts are cut into pieces that are fast to lay out.
type SentRequest struct {
	At      time.Time
	Host    string
	Size    int // of the body, in bytes
	Try     int // from 1
	Outcome Phrase
	Parts   []SentPart // in order; none where the body is not kept or is no JSON object
	Exact   []string   // what went out: the line, the headers, the body
	Body    []byte     // to copy; nil where it is not kept any more
}

// SentPart is a message, the tools, or the rest of a request.
type SentPart struct {
	Name  Phrase
	First string // its beginning, in one line
	Size  int    // in bytes
	Text  []string
}

// hostLength is how long the name of a server may be, in characters.
const hostLength = 100

// ReadSent splits requests. It reads all that was sent, so it must not be called on the
// window's thread.
func ReadSent(all []models.SentRequest) []SentRequest {
	out := make([]SentRequest, 0, len(all))
	for _, s := range all {
		r := SentRequest{
			At: s.Time, Host: clean.Line(s.URL, hostLength), Size: s.Size, Try: s.Try, Outcome: outcome(s), Body: s.Body,
			Parts: partsOf(s.Body), Exact: exact(s),
		}
		if u, err := url.Parse(s.URL); err == nil {
			r.Host = clean.Line(u.Host, hostLength)
		}
		out = append(out, r)
	}
	return out
}

func outcome(s models.SentRequest) Phrase {
	switch {
	case s.Failed != "":
		return phrase("not answered: {{.Text}}", "Text", clean.Line(s.Failed, 160))
	case s.Status >= 200 && s.Status < 300:
		return phrase("answered")
	case s.Status > 0:
		return phrase("refused with {{.Status}}", "Status", strconv.Itoa(s.Status))
	}
	return phrase("not answered yet")
}

// exact writes a request as it was sent. Keys in it were removed before.
func exact(s models.SentRequest) []string {
	var head strings.Builder
	head.WriteString("POST " + agent.Visible(s.URL) + "\n")
	for _, name := range slices.Sorted(maps.Keys(s.Header)) {
		for _, value := range s.Header[name] {
			head.WriteString(name + ": " + agent.Visible(value) + "\n")
		}
	}
	return append(pieces(head.String()), pieces(agent.Visible(strings.ToValidUTF8(string(s.Body), "\uFFFD")))...)
}

// Member is one member of a JSON object.
type Member struct {
	Name  string
	Value json.RawMessage
}

// Members returns the members of a JSON object in their order, duplicates included; ok is
// false for anything but one object.
func Members(raw []byte) (all []Member, ok bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, false
		}
		m := Member{Name: fmt.Sprint(name)}
		if d.Decode(&m.Value) != nil {
			return nil, false
		}
		all = append(all, m)
	}
	if _, err := d.Token(); err != nil { // the closing brace
		return nil, false
	}
	_, err := d.Token()
	return all, err == io.EOF
}

// membersOf returns the members of an object; nil for anything else, or an empty one.
func membersOf(raw []byte) []Member {
	if all, ok := Members(raw); ok {
		return all
	}
	return nil
}

// partsOf splits a body into the instructions, the messages, the tools and the settings.
// It knows the names that the families of providers use.
func partsOf(body []byte) []SentPart {
	var parts, tools []SentPart
	var rest []Member
	for _, m := range membersOf(body) {
		switch m.Name {
		case "messages", "input", "contents":
			var list []json.RawMessage
			if json.Unmarshal(m.Value, &list) != nil {
				parts = append(parts, newPart(phrase("You"), m.Value))
			}
			for _, one := range list {
				parts = append(parts, newPart(roleOf(one), one))
			}
		case "system", "instructions":
			parts = append(parts, newPart(phrase("Instructions"), m.Value))
		case "tools":
			var list []json.RawMessage
			_ = json.Unmarshal(m.Value, &list)
			part := newPart(plural("{{.Count}} tools", len(list)), m.Value)
			part.First = cmp.Or(toolNames(m.Value), part.First)
			tools = append(tools, part)
		default:
			rest = append(rest, m)
		}
	}
	parts = append(parts, tools...)
	if len(rest) > 0 {
		parts = append(parts, newPart(phrase("Settings"), object(rest)))
	}
	return parts
}

// toolNames names the tools of a request.
func toolNames(raw json.RawMessage) string {
	var list []struct {
		Name     string
		Function struct{ Name string }
	}
	_ = json.Unmarshal(raw, &list) // those that can be read
	var names []string
	for _, t := range list {
		names = append(names, cmp.Or(t.Name, t.Function.Name))
	}
	return clean.Line(strings.Join(names, ", "), firstRunes)
}

// object writes members as an object.
func object(all []Member) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range all {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(m.Name) // a string can always be written
		b.Write(name)
		b.WriteByte(':')
		b.Write(m.Value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// roleOf words who wrote a message.
func roleOf(raw json.RawMessage) Phrase {
	var m struct {
		Role, Type string
		Content    json.RawMessage
	}
	_ = json.Unmarshal(raw, &m) // what is not there is said as a message
	switch {
	case m.Type == "function_call_output" || m.Role == "tool" || m.Role == "function" || holdsResult(m.Content):
		return phrase("Tool result")
	case m.Role == "system" || m.Role == "developer":
		return phrase("Instructions")
	case m.Role == "user":
		return phrase("You")
	case m.Role == "assistant" || m.Role == "model" || m.Type == "function_call" || m.Type == "reasoning":
		return phrase("The model")
	}
	return phrase("Message")
}

// holdsResult reports whether the content of a message is the result of a call.
func holdsResult(content json.RawMessage) bool {
	var blocks []struct{ Type string }
	return json.Unmarshal(content, &blocks) == nil &&
		slices.ContainsFunc(blocks, func(b struct{ Type string }) bool { return b.Type == "tool_result" })
}

// firstRunes is how much of a part is shown beside its name.
const firstRunes = 120

func newPart(name Phrase, raw json.RawMessage) SentPart {
	text := agent.Visible(readable(raw, 0))
	return SentPart{Name: name, First: firstWords(raw, text), Size: len(raw), Text: pieces(text)}
}

// firstWords returns the beginning of the text of a part.
func firstWords(raw json.RawMessage, text string) string {
	for _, m := range membersOf(raw) {
		var s string
		if m.Name == "content" && json.Unmarshal(m.Value, &s) == nil && s != "" {
			text = s
		}
	}
	if len(text) > 8*firstRunes {
		text = strings.ToValidUTF8(text[:8*firstRunes], "")
	}
	return clean.Line(strings.Join(strings.Fields(text), " "), firstRunes)
}

// readableDepth is how deep a message is taken apart.
const readableDepth = 4

// readable writes JSON for people: a text as it is, an object as lines of members, a list
// of objects as paragraphs, and anything else indented.
func readable(raw json.RawMessage, depth int) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	if depth == readableDepth {
		return indentedJSON(raw)
	}
	if members := membersOf(raw); members != nil {
		var lines []string
		for _, m := range members {
			switch m.Name {
			case "content", "text", "output":
				lines = append(lines, readable(m.Value, depth+1))
			case "role": // the part is called so
			default:
				lines = append(lines, m.Name+": "+readable(m.Value, readableDepth))
			}
		}
		return strings.Join(lines, "\n")
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil || len(list) == 0 || membersOf(list[0]) == nil {
		return indentedJSON(raw)
	}
	texts := make([]string, len(list))
	for i, one := range list {
		texts[i] = readable(one, depth+1)
	}
	return strings.Join(texts, "\n\n")
}

func indentedJSON(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

// The most of a text that is laid out as one piece.
const (
	pieceLines = 40
	pieceRunes = 2_000
)

// pieces cuts a text into pieces, between lines if possible. Joined by line feeds they are
// the text, except for cuts within lines.
func pieces(text string) []string {
	var out []string
	var b strings.Builder
	lines, runes := 0, 0
	end := func() {
		if lines > 0 {
			out = append(out, b.String())
		}
		b.Reset()
		lines, runes = 0, 0
	}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		for {
			part := line[:cutAt(line, pieceRunes)]
			n := utf8.RuneCountInString(part)
			if lines == pieceLines || runes+n > pieceRunes {
				end()
			}
			if lines > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(part)
			lines, runes = lines+1, runes+n
			if line = line[len(part):]; line == "" {
				break
			}
		}
	}
	end()
	return out
}

// cutAt returns where to cut a text: after at most n runes, after a space if one is near.
func cutAt(text string, n int) int {
	const near = 80
	for i := range text {
		if n == 0 {
			if space := strings.LastIndexByte(text[max(0, i-near):i], ' '); space >= 0 {
				return max(0, i-near) + space + 1
			}
			return i
		}
		n--
	}
	return len(text)
}
