// Package locale gives a system without a language (C, POSIX, nothing) one for this
// program, before Fyne looks: Fyne takes "C" for an error and says so on stderr of
// every command, as soon as it is linked.
//
// This is the one place with work in an init: packages that are ready are
// initialised in the order of their paths, so this one, which needs only the
// standard library, comes before fyne.io.
package locale

import (
	"os"
	"strings"
)

func init() { name(os.Getenv, os.Setenv) }

// name sets LC_ALL where the system names no language.
func name(getenv func(string) string, setenv func(string, string) error) {
	for _, variable := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		value, _, _ := strings.Cut(getenv(variable), ".")
		if value == "" {
			continue
		}
		if value != "C" && value != "POSIX" {
			return
		}
		break
	}
	_ = setenv("LC_ALL", "en_US.UTF-8") // a name without = and NUL is always taken
}
