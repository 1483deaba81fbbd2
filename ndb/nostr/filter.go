package nostr

import (
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Filter is a NIP-01 filter, with NIP-50's search. The zero value matches everything. A
// list that is empty but not nil matches nothing.
type Filter struct {
	IDs     []ID
	Authors []PubKey
	Kinds   []uint16
	Tags    map[byte][]string // one-letter tag name to wanted values
	Since   *int64            // unix seconds, inclusive
	Until   *int64            // unix seconds, inclusive
	Limit   *int              // nil: no limit
	Search  string            // see search.Parse
}

// FilterError says which field of a filter is wrong, and how.
type FilterError struct {
	Field  string // as written; "" when the filter is no JSON object
	Detail string
}

func (e *FilterError) Error() string {
	if e.Field == "" {
		return "filter: " + e.Detail
	}
	return fmt.Sprintf("filter: field %.40q: %s", e.Field, e.Detail)
}

// ParseFilter reads a NIP-01 filter from strict JSON. Ids and authors are whole
// and in lower-case hex; a field that NIP-01 and NIP-50 do not know, or one given
// twice, is an error. The error is a *FilterError.
func ParseFilter(raw []byte) (Filter, error) {
	if !utf8.Valid(raw) {
		return Filter{}, &FilterError{Detail: fmt.Sprintf("byte %d is no UTF-8", firstInvalidUTF8(raw))}
	}
	p := filterParser{jsonReader: jsonReader{text: string(raw), max: maxDepth}, seen: make(map[string]bool)}
	err := p.object(p.field)
	if err == nil {
		err = p.end()
	}
	if err == nil {
		return p.filter, nil
	}
	if wrong, ok := errors.AsType[*FilterError](err); ok {
		return Filter{}, wrong
	}
	return Filter{}, &FilterError{Detail: err.Error()}
}

type filterParser struct {
	jsonReader
	filter Filter
	seen   map[string]bool
}

func (p *filterParser) field(name string) error {
	if p.seen[name] {
		return &FilterError{Field: name, Detail: "stands there twice"}
	}
	p.seen[name] = true
	err := p.value(name)
	if broken, ok := errors.AsType[*jsonError](err); ok {
		return &FilterError{Field: name, Detail: broken.Error()}
	}
	if err != nil {
		return &FilterError{Field: name, Detail: err.Error()}
	}
	return nil
}

func (p *filterParser) value(name string) (err error) {
	f := &p.filter
	switch name {
	case "ids":
		f.IDs, err = list(p, p.str, ParseID)
	case "authors":
		f.Authors, err = list(p, p.str, ParsePubKey)
	case "kinds":
		f.Kinds, err = list(p, p.number, parseKind)
	case "since":
		f.Since, err = p.time()
	case "until":
		f.Until, err = p.time()
	case "limit":
		f.Limit, err = p.limit()
	case "search":
		f.Search, err = p.str()
	default:
		if len(name) != 2 || name[0] != '#' || !isLetter(name[1]) {
			return errors.New("no filter has this field (a tag is # and one letter)")
		}
		var values []string
		values, err = list(p, p.str, func(s string) (string, error) { return s, nil })
		if f.Tags == nil {
			f.Tags = make(map[byte][]string)
		}
		f.Tags[name[1]] = values
	}
	return err
}

// list reads an array, each element by read and then by parse. The result is
// never nil.
func list[T any](p *filterParser, read func() (string, error), parse func(string) (T, error)) ([]T, error) {
	values := []T{}
	err := p.array(func() error {
		s, err := read()
		if err != nil {
			return err
		}
		v, err := parse(s)
		if err != nil {
			return fmt.Errorf("element %d: %w", len(values)+1, err)
		}
		values = append(values, v)
		return nil
	})
	return values, err
}

func parseKind(s string) (uint16, error) {
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil {
		return 0, fmt.Errorf("%.40s is no kind, want an integer from 0 to 65535", s)
	}
	return uint16(n), nil
}

func (p *filterParser) time() (*int64, error) {
	s, err := p.number()
	if err != nil {
		return nil, err
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%.40s is no time, want whole unix seconds", s)
	}
	return &n, nil
}

func (p *filterParser) limit() (*int, error) {
	s, err := p.number()
	if err != nil {
		return nil, err
	}
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil || n < 0 {
		return nil, fmt.Errorf("%.40s is no limit, want an integer from 0 to %d", s, 1<<31-1)
	}
	limit := int(n)
	return &limit, nil
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// MarshalJSON writes the filter as NIP-01 has it.
func (f Filter) MarshalJSON() ([]byte, error) {
	w := filterWriter{dst: []byte{'{'}}
	if f.IDs != nil {
		writeList(&w, "ids", f.IDs, func(dst []byte, id ID) []byte { return quoteHex(dst, id[:]) })
	}
	if f.Authors != nil {
		writeList(&w, "authors", f.Authors, func(dst []byte, pk PubKey) []byte { return quoteHex(dst, pk[:]) })
	}
	if f.Kinds != nil {
		writeList(&w, "kinds", f.Kinds, func(dst []byte, k uint16) []byte { return strconv.AppendUint(dst, uint64(k), 10) })
	}
	for _, letter := range slices.Sorted(maps.Keys(f.Tags)) {
		if !isLetter(letter) {
			return nil, &FilterError{Field: "#" + string(rune(letter)), Detail: "a tag is # and one letter"}
		}
		writeList(&w, "#"+string(rune(letter)), f.Tags[letter], func(dst []byte, s string) []byte {
			return appendString(dst, s, jsonEscapes)
		})
	}
	if f.Since != nil {
		w.dst = strconv.AppendInt(w.key("since"), *f.Since, 10)
	}
	if f.Until != nil {
		w.dst = strconv.AppendInt(w.key("until"), *f.Until, 10)
	}
	if f.Limit != nil {
		w.dst = strconv.AppendInt(w.key("limit"), int64(*f.Limit), 10)
	}
	if f.Search != "" {
		w.dst = appendString(w.key("search"), f.Search, jsonEscapes)
	}
	return append(w.dst, '}'), nil
}

// UnmarshalJSON reads the filter as ParseFilter does.
func (f *Filter) UnmarshalJSON(raw []byte) error {
	parsed, err := ParseFilter(raw)
	if err != nil {
		return err
	}
	*f = parsed
	return nil
}

type filterWriter struct{ dst []byte }

// key begins a field and returns what is written so far.
func (w *filterWriter) key(name string) []byte {
	if len(w.dst) > 1 {
		w.dst = append(w.dst, ',')
	}
	return append(appendString(w.dst, name, jsonEscapes), ':')
}

func writeList[T any](w *filterWriter, name string, values []T, appendValue func([]byte, T) []byte) {
	dst := append(w.key(name), '[')
	for i, v := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendValue(dst, v)
	}
	w.dst = append(dst, ']')
}

func quoteHex(dst, b []byte) []byte { return append(hex.AppendEncode(append(dst, '"'), b), '"') }

// Matches reports whether the event passes every test of the filter but Limit
// and Search.
func (f *Filter) Matches(e *Event) bool {
	switch {
	case f.Since != nil && e.CreatedAt < *f.Since,
		f.Until != nil && e.CreatedAt > *f.Until,
		f.Kinds != nil && !slices.Contains(f.Kinds, e.Kind),
		f.IDs != nil && !slices.Contains(f.IDs, e.ID),
		f.Authors != nil && !slices.Contains(f.Authors, e.PubKey):
		return false
	}
	for letter, values := range f.Tags {
		if !e.Tags.HasAny(letter, values) {
			return false
		}
	}
	return true
}

// HasAny reports whether the first value of some tag with a one-letter name is in values.
func (ts Tags) HasAny(letter byte, values []string) bool {
	for _, t := range ts {
		if len(t) > 1 && len(t[0]) == 1 && t[0][0] == letter && slices.Contains(values, t[1]) {
			return true
		}
	}
	return false
}
