package agent

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// repeatedMark begins the warning behind a result.
const repeatedMark = "\n[This call was made "

// repeats counts calls that were made before with the same arguments and came to
// the same result: a model that goes in circles.
type repeats map[[sha256.Size]byte]int

// note counts one more, and returns a warning for the model ("" when there is
// none) and whether the turn should end.
func (r repeats) note(name string, arguments json.RawMessage, text string) (warning string, stop bool) {
	var args bytes.Buffer
	if json.Compact(&args, arguments) != nil {
		args.Write(arguments)
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", name, args.Bytes(), text))
	r[key]++
	n := r[key]
	if n < warnAt {
		return "", false
	}
	return fmt.Sprintf(repeatedMark+"%d times with the same result. Do not make it again: use what you have.]", n), n >= stopAt
}
