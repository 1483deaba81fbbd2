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

// splitEvents takes apart what came as one event and is several: JSON objects one
// behind the other, or a list of chunks. What stands between objects and is not the
// mark at the end stays one piece, for whoever cannot read it.
func splitEvents(data []byte) [][]byte {
	if data[0] == '[' && bytes.Contains(data, []byte(`"choices"`)) {
		var list []json.RawMessage
		if json.Unmarshal(data, &list) == nil && len(list) > 0 {
			all := make([][]byte, len(list))
			for i, one := range list {
				all[i] = one
			}
			return all
		}
	}
	if data[0] != '{' {
		return [][]byte{data}
	}
	var all [][]byte
	for len(data) > 0 && data[0] == '{' {
		end := objectEnd(data)
		all = append(all, data[:end])
		data = unwrapData(bytes.TrimLeft(data[end:], " \t\r\n,\x1e")) // some leave out the line end
	}
	if len(data) > 0 {
		all = append(all, data)
	}
	return all
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
