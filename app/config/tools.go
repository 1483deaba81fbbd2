package config

import "slices"

// Tools configures which tools a model gets to know.
type Tools struct {
	Off []string `toml:"off,omitempty"` // tools that no model gets, by the names that models call them
	// Unserved are those of our tools that "bowerbird mcp" does not serve to other programs.
	Unserved []string `toml:"unserved,omitempty"`
}

func (t Tools) clone() Tools {
	t.Off, t.Unserved = slices.Clone(t.Off), slices.Clone(t.Unserved)
	return t
}

// With returns a list of names with a name in it or not.
func With(names []string, name string, in bool) []string {
	rest := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })
	if in {
		rest = append(rest, name)
	}
	return rest
}
