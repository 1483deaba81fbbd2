package llm

import (
	"bytes"
	"encoding/json"
)

// recordMark stands before each JSON text of a sequence (RFC 7464).
const recordMark = '\x1e'

// isDone reports whether the data of an event is the mark at the end of a stream,
// with or without its brackets, also in quotes.
func isDone(data []byte) bool {
	if len(data) > 10 {
		return false
	}
	return bytes.EqualFold(bytes.Trim(data, "[]\"' \t"), []byte("DONE"))
}

// unwrapData takes off further "data:" that some gateway put before an event that
// was one already.
func unwrapData(value []byte) []byte {
	for {
		rest, found := bytes.CutPrefix(value, []byte("data:"))
		if !found {
			return value
		}
		value = bytes.TrimLeft(rest, " ")
	}
}

// openList returns what stands in a list of chunks. It reports false for all else.
func openList(data []byte) ([]byte, bool) {
	if data[0] != '[' || !bytes.Contains(data, []byte(`"choices"`)) || !json.Valid(data) {
		return data, false
	}
	return bytes.TrimSpace(data[1 : len(data)-1]), true
}

// cutEvent cuts the first event off what came as one and is several: JSON objects one
// behind the other. What stands between objects and is not the mark at the end stays
// one piece, for whoever cannot read it.
func cutEvent(data []byte) (event, rest []byte) {
	if data[0] != '{' {
		return data, nil
	}
	end := objectEnd(data)
	rest = bytes.TrimLeft(data[end:], " \t\r\n,\x1e")
	return data[:end], unwrapData(rest) // some leave out the line end
}

// objectEnd returns the length of the object that data begins with; all of data
// where it does not end.
func objectEnd(data []byte) int {
	var b balance
	for i := range data {
		b.feed(data[i : i+1])
		if b.done() {
			return i + 1
		}
	}
	return len(data)
}
