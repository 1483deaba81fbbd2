package chartspec

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
)

type object = map[string]any

// readTop parses the JSON and refuses what must never be followed.
func readTop(raw []byte) (object, error) {
	top, err := readObject(raw)
	if err != nil {
		return nil, err
	}
	if err := nameData(top); err != nil {
		return nil, err
	}
	for _, name := range []string{"params", "selection", "transform", "projection", "facet", "repeat", "concat", "hconcat", "vconcat", "spec"} {
		if v, ok := top[name]; ok && !empty(v) {
			return nil, refuse(name, "is not drawn here")
		}
	}
	resolve, _ := top["resolve"].(object)
	scales, _ := resolve["scale"].(object)
	for _, name := range slices.Sorted(maps.Keys(scales)) {
		if scales[name] == "independent" {
			return nil, refuse("resolve.scale."+name, "the layers are drawn on common scales only")
		}
	}
	return top, forbidden(top, "")
}

// nameData replaces references to datasets with their rows.
func nameData(top object) error {
	sets, _ := top["datasets"].(object)
	delete(top, "datasets")
	views := []any{top}
	if layers, ok := top["layer"].([]any); ok {
		views = append(views, layers...)
	}
	for _, v := range views {
		view, _ := v.(object)
		data, _ := view["data"].(object)
		name, named := data["name"].(string)
		if !named || data["values"] != nil {
			continue
		}
		rows, ok := sets[name].([]any)
		if !ok {
			return refuse("data.name", "there is no list of rows %q in datasets", clip(name, 60))
		}
		view["data"] = object{"values": rows}
	}
	return nil
}

func readObject(raw []byte) (object, error) {
	if len(raw) > maxBytes {
		return nil, refuse("specification", "%d bytes, at most %d are read", len(raw), maxBytes)
	}
	if err := checkDepth(raw); err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var top object
	if err := dec.Decode(&top); err != nil || top == nil {
		return nil, refuse("specification", "is no JSON object")
	}
	return top, nil
}

func checkDepth(raw []byte) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	for depth := 0; ; {
		tok, err := dec.Token()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return refuse("specification", "is no JSON")
		}
		switch tok {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth > maxDepth {
			return refuse("specification", "nested deeper than %d", maxDepth)
		}
	}
}

// forbidden looks for members, except in the data, that would make a renderer fetch or
// evaluate something.
func forbidden(v any, path string) error {
	switch v := v.(type) {
	case object:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			at := strings.TrimPrefix(path+"."+name, ".")
			switch name {
			case "values":
				if path == "data" || strings.HasSuffix(path, ".data") {
					continue
				}
			case "url", "href":
				return refuse(at, "nothing is fetched or linked; put the data into data.values")
			case "expr", "signal", "calculate", "filter", "labelExpr":
				return refuse(at, "expressions are not evaluated; compute the values first")
			case "param", "params", "condition", "selection":
				return refuse(at, "interaction is not drawn")
			}
			if err := forbidden(v[name], at); err != nil {
				return err
			}
		}
	case []any:
		for _, item := range v {
			if err := forbidden(item, path); err != nil {
				return err
			}
		}
	}
	return nil
}

func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		return len(v) == 0
	case object:
		return len(v) == 0
	}
	return false
}

// unit is a layer as it is specified: a mark, channels, rows.
type unit struct {
	mark     Mark
	orient   string // "horizontal" or "vertical" if the mark sets it
	steps    bool   // lines and areas: level until the next point
	unsorted bool   // order without a field: lines connect the rows in their order
	channels map[string]*channel
	rows     []object
}

// layersOf reads the only view, or the layers that share its data and channels.
func layersOf(top object) ([]*unit, error) {
	layers, layered := top["layer"].([]any)
	if !layered {
		u, err := readUnit(top, nil, nil)
		return []*unit{u}, err
	}
	if len(layers) == 0 || len(layers) > maxLayers {
		return nil, refuse("layer", "%d layers, 1 to %d are drawn", len(layers), maxLayers)
	}
	shared, _ := top["encoding"].(object)
	var units []*unit
	for _, l := range layers {
		o, ok := l.(object)
		if !ok {
			return nil, refuse("layer", "is no object")
		}
		if _, nested := o["layer"]; nested {
			return nil, refuse("layer", "layers within layers are not drawn")
		}
		if !empty(o["transform"]) {
			return nil, refuse("transform", "is not drawn here")
		}
		u, err := readUnit(o, shared, top["data"])
		if err != nil {
			return nil, err
		}
		units = append(units, u)
	}
	return units, nil
}

func readUnit(o, shared object, data any) (*unit, error) {
	if own, ok := o["data"]; ok && own != nil {
		data = own
	}
	rows, err := inlineRows(data)
	if err != nil {
		return nil, err
	}
	u := &unit{channels: map[string]*channel{}, rows: rows}
	if err = u.readMark(o["mark"]); err != nil {
		return nil, err
	}
	encoding := maps.Clone(shared)
	if encoding == nil {
		encoding = object{}
	}
	own, _ := o["encoding"].(object)
	maps.Copy(encoding, own)
	for _, name := range slices.Sorted(maps.Keys(encoding)) {
		if err := u.readChannel(name, encoding[name]); err != nil {
			return nil, err
		}
	}
	return u, u.complete()
}

// titleOf reads a title of one or several lines, with its subtitle.
func titleOf(o object) string {
	title := o["title"]
	if v, ok := title.(object); ok {
		head, below := textOf(v["text"]), textOf(v["subtitle"])
		if head != "" && below != "" {
			head += " · "
		}
		return clip(head+below, maxText)
	}
	return clip(textOf(title), maxText)
}

// textOf reads a string, or a list of lines.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var lines []string
		for _, line := range v {
			if s, ok := line.(string); ok {
				lines = append(lines, s)
			}
		}
		return strings.Join(lines, " ")
	}
	return ""
}

// side reads width or height in pixels; 0 for others, which leave it to the renderer.
func side(o object, name string) (int, error) {
	n, ok := o[name].(json.Number)
	if !ok {
		return 0, nil
	}
	f, err := n.Float64()
	if err != nil || f < 1 || f > maxSide {
		return 0, refuse(name, "%s, from 1 to %d pixels are drawn", clip(n.String(), 20), maxSide)
	}
	return int(f), nil
}

// clip cuts s to n runes, and removes what would affect a terminal or a page: control
// characters, bidirectional controls, and what XML does not allow.
func clip(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Bidi_Control, r), r >= 0xfff9 && r <= 0xffff, r == 0xfeff:
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
