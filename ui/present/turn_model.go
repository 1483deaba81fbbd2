package present

import (
	"bowerbird/app/chats"
	"bowerbird/app/models"
	"bowerbird/ndb/clean"
)

// ModelPick is a model in the picker beside the field.
type ModelPick struct {
	Label  string // on the picker: which model it is, and where text goes
	Name   string // in its menu
	Place  string // beside it: where text goes, and how little it reads at once
	Barred bool   // the settings let no text go there
}

// Pick says what the picker shows of a model. What is not known is not promised. window
// is how many tokens it reads at once, 0 where that is not known; onlyHere that the
// settings let no text off this computer.
func (w Words) Pick(m models.State, window int, onlyHere bool) ModelPick {
	name := Isolate(clean.Line(m.Name, modelLength))
	switch {
	case m.ID == "":
		return ModelPick{w.say("Model"), "", "", false}
	case m.Obstacle == models.ModelUnknown || m.Obstacle == models.AddressMissing:
		id := Isolate(clean.Line(m.ID, modelLength))
		return ModelPick{id, id, "", false}
	case m.Name == "":
		return ModelPick{w.say("Built-in · stays on this computer"), w.say("Built-in"), w.say("stays on this computer"), false}
	case m.Obstacle == models.LocalOnlyOn:
		return ModelPick{w.say("{{.Model}} · not asked", "Model", name), name, w.say("not asked: it is at {{.Host}}", "Host", w.recipient(m)), true}
	case m.Host == "" && onlyHere:
		return ModelPick{w.say("{{.Model}} · on this computer only", "Model", name), name, w.reads(w.say("on this computer"), window), false}
	case m.Host == "":
		return ModelPick{w.say("{{.Model}} · on this computer", "Model", name), name, w.reads(w.say("on this computer"), window), false}
	}
	host := w.recipient(m)
	return ModelPick{w.say("{{.Model}} · sent to {{.Host}}", "Model", name, "Host", host), name, w.reads(w.say("sent to {{.Host}}", "Host", host), window), false}
}

// reads adds how much a model reads at once, where that is little.
func (w Words) reads(place string, window int) string {
	if window <= 0 || window >= smallWindow {
		return place
	}
	return place + " · " + w.say("reads only {{.Tokens}} tokens at once", "Tokens", w.Number(window))
}

// Usage says in one line what a chat came to; "" for nothing.
func (w Words) Usage(u chats.Usage) string {
	if u.Input+u.Output == 0 {
		return ""
	}
	total := w.Short(int64(u.Input + u.Output))
	if u.Cost > 0 {
		return w.say("{{.Count}} tokens, about {{.Cost}}", "Count", total, "Cost", w.Dollars(u.Cost))
	}
	return w.say("{{.Count}} tokens", "Count", total)
}
