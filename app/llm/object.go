package llm

import (
	"encoding/json"
	"errors"

	"bowerbird/app/llm/internal/jsonfix"
)

// ReadObject returns the JSON object that a model wrote as its answer: what stands
// around it goes, and it is mended where only one reading is possible, as arguments of
// calls are.
func ReadObject(text string) (json.RawMessage, error) {
	read := jsonfix.Read(text, true)
	if read.Invalid != "" {
		return nil, errors.New(read.Invalid)
	}
	return read.Object, nil
}
