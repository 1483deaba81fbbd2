package chartspec

import (
	"maps"
	"slices"
)

// readMark reads a mark and its orientation.
func (u *unit) readMark(v any) error {
	if o, ok := v.(object); ok {
		v = o["type"]
		u.orient, _ = o["orient"].(string)
		if err := u.readInterpolate(o["interpolate"]); err != nil {
			return err
		}
	}
	name, ok := v.(string)
	if !ok {
		return refuse("mark", "is missing")
	}
	switch name {
	case "bar", "line", "area", "point", "tick", "rule", "arc", "rect", "text":
		u.mark = Mark(name)
		return nil
	case "circle", "square":
		u.mark = Dot
		return nil
	}
	return refuse("mark "+name, "is not drawn; bar, line, area, point, tick, rule, arc, rect and text are")
}

// readInterpolate reads how points are connected. Curves through the points are drawn as
// straight lines, which mean the same; curves that miss the points are refused.
func (u *unit) readInterpolate(v any) error {
	switch name, _ := v.(string); name {
	case "", "linear", "monotone", "cardinal", "catmull-rom", "natural":
		return nil
	case "step-after":
		u.steps = true
		return nil
	default:
		return refuse("mark.interpolate", "%q is not drawn; linear and step-after are", clip(name, 30))
	}
}

// complete checks that a mark has the channels that it needs.
func (u *unit) complete() error {
	has := func(name string) bool { return u.channels[name] != nil }
	switch {
	case u.mark == Arc && !has("theta"):
		return refuse("mark arc", "needs a theta channel")
	case u.mark == Label && !has("text"):
		return refuse("mark text", "needs a text channel")
	case u.mark != Arc && !has("x") && !has("y"):
		return refuse("encoding", "needs x or y")
	}
	for _, name := range slices.Sorted(maps.Keys(u.channels)) {
		c := u.channels[name]
		if err := u.fits(name, c); err != nil {
			return err
		}
		if err := u.checkSort(c); err != nil {
			return err
		}
	}
	return nil
}

// fits refuses a channel that a mark does not show.
func (u *unit) fits(name string, c *channel) error {
	at := "encoding." + name
	switch {
	case name == "size" && c.number == nil && u.mark != Dot:
		return refuse(at, "only points are drawn larger for more")
	case name == "xOffset" && u.mark != Bar:
		return refuse(at, "only bars stand side by side")
	case name == "size" && c.number == nil && c.typ != quantitative, name == "theta" && !c.measure():
		return refuse(at, "shows numbers only")
	case name == "opacity" && c.number == nil && c.typ != quantitative && c.typ != temporal:
		return refuse(at, "shows numbers and times only")
	case (name == "x" || name == "y") && u.mark != Bar && u.mark != Area && c.hasStack && c.stack != nil && c.stack != false:
		return refuse(at+".stack", "only bars and areas are stacked")
	}
	return nil
}
