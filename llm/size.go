package llm

import (
	"regexp"
	"strconv"
	"strings"
)

// Size is the size of a model in 1e9 parameters; 0 if unknown.
type Size struct {
	Params float64 // all parameters
	Active float64 // those used for one token, if fewer (mixture of experts)
}

// maxSizeName is how many bytes of a model's name are read.
const maxSizeName = 200

// SizeOf reads a model's size from its name: "qwen3:8b", "mixtral-8x7b", "Qwen3-30B-A3B",
// "gemma-3n-e4b", "smollm2:135m". A version ("llama3.1", "qwen2.5") is not a size. For
// "8x7b" it returns the product, which is a little too much, since experts share parameters.
func SizeOf(name string) Size {
	name = strings.ToLower(name[:min(len(name), maxSizeName)])
	name = name[strings.LastIndexByte(name, '/')+1:] // without the organisation
	if known := knownSize(name); known > 0 {
		return Size{Params: known}
	}
	var (
		s       Size
		experts bool // "17b-16e" gives the active parameters
		letters = regexp.MustCompile(`^(?:r|[a-z]{2,})?(\d+(?:\.\d+)?)([bt])$`)
		mixture = regexp.MustCompile(`^(\d+)x(\d+(?:\.\d+)?)b$`)
		special = regexp.MustCompile(`^([ae])(\d+(?:\.\d+)?)([bm])$`)
		small   = regexp.MustCompile(`^(\d{2,3})m$`)
		expert  = regexp.MustCompile(`^\d+e$`)
	)
	for _, token := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-_:@ ()[],+", r) }) {
		if m := mixture.FindStringSubmatch(token); m != nil {
			s.Params = max(s.Params, billions(m[1], 1)*billions(m[2], 1))
		} else if m := special.FindStringSubmatch(token); m != nil {
			size := billions(m[2], map[string]float64{"b": 1, "m": 1e-3}[m[3]])
			if m[1] == "a" {
				s.Active = size
			} else {
				s.Params = max(s.Params, size) // "effective": it needs the memory of this many
			}
		} else if m := letters.FindStringSubmatch(token); m != nil {
			s.Params = max(s.Params, billions(m[1], map[string]float64{"b": 1, "t": 1e3}[m[2]]))
		} else if m := small.FindStringSubmatch(token); m != nil && s.Params == 0 {
			if size := billions(m[1], 1e-3); size >= 0.02 { // less is a context window: "7b-1m"
				s.Params = size
			}
		}
		experts = experts || expert.MatchString(token)
	}
	if experts && s.Active == 0 {
		s = Size{Active: s.Params}
	}
	if s.Params > maxParams {
		s.Params = 0
	}
	if s.Active > maxParams || s.Params > 0 && s.Active >= s.Params {
		s.Active = 0
	}
	return s
}

const maxParams = 20_000

func billions(digits string, unit float64) float64 {
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return 0 // out of range
	}
	return n * unit
}

// knownSize returns the size of models whose usual names do not contain it.
func knownSize(name string) float64 {
	for _, m := range []struct {
		names  string
		params float64
	}{
		{"phi4-mini phi-4-mini phi3-mini phi-3-mini phi3.5 phi-3.5-mini", 3.8},
		{"phi4 phi-4", 14},
		{"mistral-nemo", 12},
	} {
		for _, known := range strings.Fields(m.names) {
			rest, found := strings.CutPrefix(name, known)
			if found && (rest == "" || rest == ":latest" || strings.HasPrefix(rest, "-instruct") || strings.HasPrefix(rest, "-reasoning")) {
				return m.params
			}
		}
	}
	return 0
}
