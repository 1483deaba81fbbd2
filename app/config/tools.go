package config

import (
	"fmt"
	"slices"
)

// Tools configures which tools a model gets to know, and how.
type Tools struct {
	Strategy string   `toml:"strategy,omitempty"` // one of Strategies; "" is "auto"
	Limit    *int     `toml:"limit,omitempty"`    // the most that "auto" lists; nil: the usual; 0: none but those that find the others
	Off      []string `toml:"off,omitempty"`      // tools that no model gets, by the names that models call them
	// Unserved are those of our tools that "bowerbird mcp" does not serve to other programs.
	Unserved []string `toml:"unserved,omitempty"`
}

// MostTools is the largest Limit.
const MostTools = 100_000

// Strategies returns the ways in which a model can get to know tools; see package
// tools/offer.
func Strategies() []string { return []string{"auto", "direct", "deferred", "discovery", "routed"} }

func (t Tools) clone() Tools {
	t.Off, t.Unserved = slices.Clone(t.Off), slices.Clone(t.Unserved)
	if t.Limit != nil {
		own := *t.Limit
		t.Limit = &own
	}
	return t
}

func (t Tools) check() error {
	if n := t.Limit; n != nil && (*n < 0 || *n > MostTools) {
		return fmt.Errorf("entry \"tools.limit\" is %d; want 0 to %d, or leave it out", *n, MostTools)
	}
	return knownStrategy("tools.strategy", t.Strategy)
}

func knownStrategy(entry, value string) error {
	if value == "" || slices.Contains(Strategies(), value) {
		return nil
	}
	return fmt.Errorf("entry %q is %q; want one of %q", entry, value, Strategies())
}

// With returns a list of names with a name in it or not.
func With(names []string, name string, in bool) []string {
	rest := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })
	if in {
		rest = append(rest, name)
	}
	return rest
}
