package jsonfix

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// repairObject finds the only object in s and writes it as JSON. Text around it is dropped,
// unless it shows that the object is part of something larger.
func repairObject(s string) (json.RawMessage, error) {
	for {
		start := strings.IndexByte(s, '{')
		if start < 0 {
			return nil, errors.New("no object in it")
		}
		before := strings.TrimSpace(s[:start])
		if strings.HasSuffix(before, "[") || strings.HasSuffix(before, ",") || strings.HasSuffix(before, `":`) {
			return nil, errors.New("its object is inside something else")
		}
		r := repairer{in: s, at: start}
		if err := r.object(); err != nil {
			return nil, err
		}
		object, rest := json.RawMessage(r.out.String()), strings.TrimSpace(s[r.at:])
		switch {
		case !json.Valid(object):
			return nil, errors.New("it cannot be read")
		case rest != "" && strings.IndexByte(",:", rest[0]) >= 0:
			return nil, errors.New("it goes on behind its last bracket")
		case !strings.Contains(rest, "{"), rest == s[start:r.at]:
			return object, nil
		case string(object) != "{}": // an empty one comes first where servers fill it later
			return nil, errors.New("there is more than one object")
		}
		s = rest
	}
}

// repairer reads an object as models mean it and writes it as JSON.
type repairer struct {
	in    string
	at    int
	depth int
	out   strings.Builder
}

const maxDepth = 200

var errCut = errors.New("it ends in the middle")

func (r *repairer) peek() byte {
	for r.at < len(r.in) {
		switch c := r.in[r.at]; c {
		case ' ', '\t', '\r', '\n':
			r.at++
		default:
			return c
		}
	}
	return 0
}

func (r *repairer) unexpected(c byte) error {
	if c == 0 {
		return errCut
	}
	shown := r.in[r.at:]
	return fmt.Errorf("unexpected %q", string([]rune(shown[:min(len(shown), 80)])[:1]))
}

func (r *repairer) value() error {
	switch c := r.peek(); {
	case c == '{':
		return r.object()
	case c == '[':
		return r.members('[', ']', r.value)
	case c == '"' || c == '\'':
		return r.text(c)
	default:
		return r.word(c)
	}
}

func (r *repairer) object() error {
	return r.members('{', '}', func() error {
		if err := r.key(); err != nil {
			return err
		}
		if c := r.peek(); c != ':' {
			return r.unexpected(c)
		}
		r.at++
		r.out.WriteByte(':')
		return r.value()
	})
}

// members reads the members between two brackets. A comma before the closing bracket is
// dropped, and closing brackets missing at the very end are added.
func (r *repairer) members(open, closer byte, member func() error) error {
	if r.depth++; r.depth > maxDepth {
		return fmt.Errorf("it is nested deeper than %d", maxDepth)
	}
	defer func() { r.depth-- }()
	r.at++
	r.out.WriteByte(open)
	for first := true; ; first = false {
		c := r.peek()
		if c == closer {
			r.at++
			break
		}
		if c == 0 {
			return errCut // a member is missing, not only a bracket
		}
		if !first {
			r.out.WriteByte(',')
		}
		if err := member(); err != nil {
			return err
		}
		switch c := r.peek(); c {
		case ',':
			r.at++
			continue
		case closer:
			r.at++
		case 0:
		default:
			return r.unexpected(c)
		}
		break
	}
	r.out.WriteByte(closer)
	return nil
}

func (r *repairer) key() error {
	c := r.peek()
	if c == '"' || c == '\'' {
		return r.text(c)
	}
	start := r.at
	for r.at < len(r.in) && isWordByte(r.in[r.at], r.at == start) {
		r.at++
	}
	if r.at == start {
		return r.unexpected(c)
	}
	r.out.WriteByte('"')
	r.out.WriteString(r.in[start:r.at])
	r.out.WriteByte('"')
	return nil
}

func isWordByte(c byte, first bool) bool {
	letter := c == '_' || c == '$' || c|0x20 >= 'a' && c|0x20 <= 'z'
	return letter || !first && (c == '-' || c >= '0' && c <= '9')
}

func (r *repairer) word(c byte) error {
	start := r.at
	for r.at < len(r.in) && !strings.ContainsRune(" \t\r\n,]}:", rune(r.in[r.at])) {
		r.at++
	}
	word := r.in[start:r.at]
	switch word {
	case "True":
		word = "true"
	case "False":
		word = "false"
	case "None":
		word = "null"
	}
	if word == "" || !json.Valid([]byte(word)) {
		r.at = start
		return r.unexpected(c)
	}
	r.out.WriteString(word)
	return nil
}

// text reads a string in single or double quotes. It ends at the first quote of its kind,
// so an unescaped quote inside leads to an error after it.
func (r *repairer) text(quote byte) error {
	r.at++
	r.out.WriteByte('"')
	for r.at < len(r.in) {
		switch c := r.in[r.at]; {
		case c == quote:
			r.at++
			r.out.WriteByte('"')
			return nil
		case c == '"':
			r.at++
			r.out.WriteString(`\"`)
		case c == '\\':
			if !r.escape() {
				return errCut
			}
		case c < 0x20:
			r.at++
			fmt.Fprintf(&r.out, `\u%04x`, c)
		default:
			_, n := utf8.DecodeRuneInString(r.in[r.at:])
			r.out.WriteString(r.in[r.at : r.at+n])
			r.at += n
		}
	}
	return errCut
}

// escape reads an escape sequence. A backslash that does not begin a valid one is literal,
// as in patterns and paths.
func (r *repairer) escape() bool {
	rest := r.in[r.at+1:]
	if rest == "" {
		return false
	}
	switch c := rest[0]; {
	case strings.IndexByte(`"\/bfnrt`, c) >= 0:
		r.out.WriteString(r.in[r.at : r.at+2])
		r.at += 2
	case isCodeUnit(rest):
		r.out.WriteString(r.in[r.at : r.at+6])
		r.at += 6
	case c == '\'':
		r.out.WriteByte('\'')
		r.at += 2
	default:
		r.out.WriteString(`\\`)
		r.at++
	}
	return true
}

// isCodeUnit reports whether s begins with u and four hex digits.
func isCodeUnit(s string) bool {
	if len(s) < 5 || s[0] != 'u' {
		return false
	}
	_, err := strconv.ParseUint(s[1:5], 16, 16)
	return err == nil
}
