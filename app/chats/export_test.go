package chats

import "testing"

// DecodedArguments returns the arguments of the first call of a turn's record.
func DecodedArguments(t *testing.T, id string, record []byte) string {
	t.Helper()
	values, err := (&packer{}).split(id, 1, record)
	if err != nil {
		t.Fatal(err)
	}
	turn, err := decodeTurn(id, turnPrefix(id, 1), [][]byte{values[partKey(id, 1, 0)]})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range turn.messages {
		if len(m.Calls) > 0 {
			return string(m.Calls[0].Arguments)
		}
	}
	t.Fatal("no call")
	return ""
}
