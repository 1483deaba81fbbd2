package language

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"

	"github.com/pelletier/go-toml/v2"
)

// read decodes a file and reports the first value that is not valid by itself.
func read(name string, data []byte) (*Language, error) {
	l := &Language{}
	err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(l)
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &unknown):
		line, _ := unknown.Errors[0].Position()
		return nil, fmt.Errorf("%s:%d: unknown key %s", name, line, strings.Join(unknown.Errors[0].Key(), "."))
	case errors.As(err, &wrong):
		line, _ := wrong.Position()
		return nil, fmt.Errorf("%s:%d: %s", name, line, strings.TrimPrefix(wrong.Error(), "toml: "))
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if l.Language == "" || name != l.Language+".toml" {
		return nil, fmt.Errorf("%s: language is %q, but the file is named otherwise", name, l.Language)
	}
	l.Question.Lang, l.Question.Answered, l.Question.Usual = l.Language, l.Answer != nil, append(strings.Fields(l.Notes.Usual), strings.Fields(l.Question.Common)...)
	if l.Answer != nil {
		l.Answer.Lang = l.Language
	}
	return l, nil
}

// place returns the line of a mistake: that of its key, else of the table it belongs in.
func place(name string, data []byte, err error) string {
	var m *question.Mistake
	if !errors.As(err, &m) {
		return name
	}
	table, at := "", 1
	for i, line := range strings.Split(string(data), "\n") {
		full := ""
		if strings.HasPrefix(line, "[") {
			table = strings.Trim(line, "[]")
			full = table
		} else if key, _, ok := strings.Cut(line, " = "); ok {
			full = table + "." + key
		}
		if full == m.Key {
			return fmt.Sprintf("%s:%d", name, i+1)
		}
		if full != "" && strings.HasPrefix(m.Key, full+".") {
			at = i + 1
		}
	}
	return fmt.Sprintf("%s:%d", name, at)
}

// check reports what is missing in a language, and texts whose placeholders differ from
// those in English.
func (l *Language) check(english *Language) error {
	if l.notesOnly() {
		return nil
	}
	if m := l.Question.Check(); m != nil {
		return &question.Mistake{Key: "question." + m.Key, Text: m.Text}
	}
	if err := complete("question", reflect.ValueOf(l.Question)); err != nil {
		return err
	}
	if l.Answer == nil {
		return nil
	}
	if err := complete("answer", reflect.ValueOf(*l.Answer)); err != nil {
		return err
	}
	return samePlaceholders("answer", reflect.ValueOf(*l.Answer), reflect.ValueOf(*english.Answer))
}

// complete reports a text or a list of words that is missing. A list may be empty, a text
// may not.
func complete(key string, v reflect.Value) error {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[words.Noun]() {
			return complete(key+".many", v.FieldByName("Many"))
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Tag.Get("toml") != "-" {
				if err := complete(key+"."+strings.ToLower(f.Name[:1])+f.Name[1:], v.Field(i)); err != nil {
					return err
				}
			}
		}
	case reflect.Array, reflect.Slice:
		if v.Kind() == reflect.Slice && v.IsNil() {
			return &question.Mistake{Key: key, Text: "is missing"}
		}
		for i := range v.Len() {
			if err := complete(key, v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Map:
		if v.IsNil() && key != "question.short" {
			return &question.Mistake{Key: key, Text: "is missing"}
		}
	case reflect.String:
		if v.String() == "" && key != "question.unseen.question" {
			return &question.Mistake{Key: key, Text: "is missing"}
		}
	}
	return nil
}

var placeholder = regexp.MustCompile(`\{[a-z]+\}`)

func placeholders(text string) []string {
	found := placeholder.FindAllString(text, -1)
	slices.Sort(found)
	return found
}

// samePlaceholders reports a text whose placeholders differ from the English ones. The
// singular of a noun may leave out {n}.
func samePlaceholders(key string, got, want reflect.Value) error {
	switch got.Kind() {
	case reflect.Struct:
		if n, ok := got.Interface().(words.Noun); ok {
			return samePlural(key, n, want.Interface().(words.Noun))
		}
		for i := range got.NumField() {
			name := got.Type().Field(i).Name
			if err := samePlaceholders(key+"."+strings.ToLower(name[:1])+name[1:], got.Field(i), want.Field(i)); err != nil {
				return err
			}
		}
	case reflect.Slice:
		if key == "answer.asked.offers" && got.Len() != want.Len() {
			return &question.Mistake{Key: key, Text: fmt.Sprintf("%d questions, English has %d", got.Len(), want.Len())}
		}
		for i := range min(got.Len(), want.Len()) {
			if err := samePlaceholders(key, got.Index(i), want.Index(i)); err != nil {
				return err
			}
		}
	case reflect.String:
		if b := placeholders(want.String()); !slices.Equal(placeholders(got.String()), b) && !strings.HasSuffix(key, ".lang") {
			return &question.Mistake{Key: key, Text: fmt.Sprintf("%q has the placeholders %v, English has %v", got.String(), placeholders(got.String()), b)}
		}
	}
	return nil
}

func samePlural(key string, n, english words.Noun) error {
	want := placeholders(english.Many)
	if got := placeholders(n.Many); !slices.Equal(got, want) {
		return &question.Mistake{Key: key + ".many", Text: fmt.Sprintf("%q has the placeholders %v, English has %v", n.Many, got, want)}
	}
	if n.One == "" {
		return nil // the language has one form
	}
	if got := placeholders(n.One); !slices.Equal(got, want) && !slices.Equal(append(got, "{n}"), want) {
		return &question.Mistake{Key: key + ".one", Text: fmt.Sprintf("%q has the placeholders %v, the plural has %v", n.One, got, want)}
	}
	return nil
}
