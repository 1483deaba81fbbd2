package chartspec

import (
	"encoding/json"
	"strconv"
	"strings"
)

// reach resolves a field that is a path ("author.name", "counts[0]"): it adds the value to
// each row with the path as the key, so that it is read like any other field. A dot after a
// backslash is part of a name.
func (u *unit) reach(field string) {
	if !strings.ContainsAny(field, ".[\\") || u.anyHas(field) {
		return
	}
	steps := pathOf(field)
	for _, r := range u.rows {
		var v any = r
		found := true
		for _, step := range steps {
			if v, found = child(v, step); !found {
				break
			}
		}
		if found {
			r[field] = v
		}
	}
}

func pathOf(field string) []string {
	field = strings.NewReplacer(`\.`, "\x00", "[", ".", "]", "", `"`, "", `'`, "").Replace(field)
	steps := strings.Split(field, ".")
	for i, s := range steps {
		steps[i] = strings.ReplaceAll(s, "\x00", ".")
	}
	return steps
}

func child(v any, step string) (any, bool) {
	switch v := v.(type) {
	case object:
		found, ok := v[step]
		return found, ok
	case []any:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(v) {
			return v[i], true
		}
	}
	return nil, false
}

func (u *unit) anyHas(field string) bool {
	for _, r := range u.rows {
		if _, ok := r[field]; ok {
			return true
		}
	}
	return false
}

// guess returns the type of a field by its values.
func (u *unit) guess(field string) fieldType {
	numbers, times, seen := true, true, false
	for _, r := range u.rows {
		switch v := r[field].(type) {
		case nil:
			continue
		case json.Number:
			times = false
		case string:
			numbers = false
			if _, ok := readTime(v); !ok {
				times = false
			}
		default:
			numbers, times = false, false
		}
		seen = true
	}
	switch {
	case seen && numbers:
		return quantitative
	case seen && times:
		return temporal
	}
	return nominal
}
