package llm

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// eventsOf reads all events of a body; names are written before the data.
func eventsOf(r io.Reader) (events []string, err error) {
	s := newSSEReader(r)
	for {
		e, err := s.next()
		if err != nil {
			return events, err
		}
		data := string(e.data)
		if e.name != "" {
			data = e.name + "|" + data
		}
		events = append(events, data)
	}
}

func TestEventsAreFoundHoweverTheyAreFramed(t *testing.T) {
	for _, test := range []struct {
		name, body string
		want       []string
	}{
		{"by the standard", "data: {\"a\":1}\n\ndata: [DONE]\n\n", []string{`{"a":1}`, `[DONE]`}},
		{"with CRLF", "data: {\"a\":1}\r\n\r\ndata: {\"b\":2}\r\n\r\n", []string{`{"a":1}`, `{"b":2}`}},
		{"with CR", "data: {\"a\":1}\r\rdata: {\"b\":2}\r\r", []string{`{"a":1}`, `{"b":2}`}},
		{"with a byte order mark", "\xef\xbb\xbfdata: {\"a\":1}\n\n", []string{`{"a":1}`}},
		{"without a space", "data:{\"a\":1}\n\ndata:[DONE]\n\n", []string{`{"a":1}`, `[DONE]`}},
		{"without blank lines", "data: {\"a\":1}\ndata: {\"b\":2}\ndata: [DONE]\n", []string{`{"a":1}`, `{"b":2}`, `[DONE]`}},
		{"without a line end at the end", "data: {\"a\":1}\n\ndata: [DONE]", []string{`{"a":1}`, `[DONE]`}},
		{"over several lines of data", "data: {\"a\":\ndata: 1}\n\n", []string{"{\"a\":\n1}"}},
		{"over several lines, of which one alone is an object", "data: {}\n\ndata: [\ndata: {\"a\":1}\ndata: ]\n\n", []string{"{}", "[\n{\"a\":1}\n]"}},
		{"over several lines, framed only at the first", "data: {\n  \"a\": 1\n}\n\n", []string{"{\n  \"a\": 1\n}"}},
		{"with comments, ids, retries and names", ": hi\nid: 3\nretry: 10\nevent: error\ndata: no luck\n\n:\n\ndata: {\"a\":1}\n\n", []string{"error|no luck", `{"a":1}`}},
		{"with brackets inside strings", "data: {\"a\":\"}{\\\"}\"}\n\n", []string{`{"a":"}{\"}"}`}},
		{"as lines of JSON", "{\"a\":1}\n{\"b\":2}\n", []string{`{"a":1}`, `{"b":2}`}},
		{"as JSON over many lines", "{\n\"error\": {\n\n\"message\": \"data: x\"\n}\n}\n", []string{"{\n\"error\": {\n\n\"message\": \"data: x\"\n}\n}"}},
		{"a broken one among good ones", "data: {\"a\":1}\n\ndata: {\"a\"\n\ndata: {\"b\":2}\n\n", []string{`{"a":1}`, `{"a"`, `{"b":2}`}},
		{"a broken one without blank lines", "data: {\"a\"\ndata: {\"b\":2}\n", []string{`{"a"`, `{"b":2}`}},
		{"cut off inside an event", "data: {\"a\":1}\n\ndata: {\"b\"", []string{`{"a":1}`}},
		{"empty data", "data:\n\ndata: \n\n", nil},
		{"a web page", "<html>\n<script>{</script>\n{\n</html>", nil},
		{"nothing", "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(test.body), iotest.OneByteReader(strings.NewReader(test.body))} {
				got, err := eventsOf(r)
				if !errors.Is(err, io.EOF) {
					t.Errorf("ended with %v", err)
				}
				if strings.Join(got, "~") != strings.Join(test.want, "~") {
					t.Errorf("got %q, want %q", got, test.want)
				}
			}
		})
	}
}

func TestAnEventIsHandedOutBeforeTheBlankLineBehindIt(t *testing.T) {
	r, w := io.Pipe()
	got := make(chan string)
	go func() {
		e, err := newSSEReader(r).next()
		if err != nil {
			t.Error(err)
		}
		got <- string(e.data)
	}()
	if _, err := io.WriteString(w, "data: {\"a\":1}\r"); err != nil {
		t.Fatal(err)
	}
	if data := <-got; data != `{"a":1}` {
		t.Errorf("got %q", data)
	}
}

func TestWhatCameBeforeABrokenConnectionIsNoLine(t *testing.T) {
	broken := errors.New("reset")
	got, err := eventsOf(io.MultiReader(strings.NewReader("data: {\"a\":1}\n\ndata: {\"b\":2}"), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || len(got) != 1 {
		t.Errorf("got %q, %v", got, err)
	}
}

// endless repeats a text for ever.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.text[e.at]
		e.at = (e.at + 1) % len(e.text)
	}
	return len(p), nil
}

func TestEndlessBodiesAreGivenUp(t *testing.T) {
	for name, text := range map[string]string{
		"one line":             "x",
		"one event":            "data: {\n",
		"events":               "data: {\"a\":\"" + strings.Repeat("x", 4000) + "\"}\n\n",
		"comments":             ": " + strings.Repeat("x", 4000) + "\n",
		"bare JSON":            "{\n",
		"blank lines":          "\n",
		"lines without a name": strings.Repeat("x", 4000) + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := newSSEReader(&endless{text: text})
			s.lines.maxLine, s.lines.maxTotal = 64<<10, 1<<20
			for {
				_, err := s.next()
				if err == nil {
					continue
				}
				if !errors.Is(err, errTooLarge) {
					t.Errorf("ended with %v", err)
				}
				return
			}
		})
	}
}

// FuzzSSE holds that events do not depend on how the body was cut.
func FuzzSSE(f *testing.F) {
	f.Add("data: {\"a\":1}\n\n: c\r\n\r\ndata: {\rdata: }\n\n[DONE]", uint8(3))
	f.Add("\xef\xbb\xbf{\n}\nevent: error\ndata: x\n\n", uint8(1))
	f.Fuzz(func(t *testing.T, body string, size uint8) {
		whole, wholeErr := eventsOf(strings.NewReader(body))
		cut, cutErr := eventsOf(&pieces{rest: body, size: int(size)%7 + 1})
		if strings.Join(whole, "~") != strings.Join(cut, "~") || !errors.Is(wholeErr, io.EOF) || !errors.Is(cutErr, io.EOF) {
			t.Fatalf("whole %q (%v), cut %q (%v)", whole, wholeErr, cut, cutErr)
		}
	})
}

// pieces reads a text in pieces of one size.
type pieces struct {
	rest string
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.rest == "" {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.size)], p.rest)
	p.rest = p.rest[n:]
	return n, nil
}
