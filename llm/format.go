package llm

import (
	"slices"
	"strings"
)

// The formats beside those of textcall.
const (
	FormatNative = "native" // the provider's own calls
	FormatNone   = "none"   // no tools at all: plain talk
)

// Says is a server's word about something; "" where it gave none.
type Says string

// What a server may say.
const (
	SaysYes Says = "yes"
	SaysNo  Says = "no"
)

// FormatFacts are what the format is chosen by.
type FormatFacts struct {
	Wanted   string // by the user: FormatNative, FormatNone, a text format; "" for no wish
	Refused  bool   // the server was found to take no tools with this model
	Says     Says   // whether the model takes tools, in the server's words
	SaysFrom Source // where those stand
	Always   bool   // all models of the provider take tools
	Model    string // its name
}

// ChooseFormat says in which format a model is told of its tools, and by what that
// was chosen. The user's wish comes first, where it can be fulfilled (native calls cannot
// where they were refused); then what was
// seen, what the server says, and what the name tells. Where nothing speaks against
// them, the provider's own calls are tried: a refusal is learned, and calls that come
// as text all the same are read.
func ChooseFormat(f FormatFacts) (format string, from Source) {
	switch {
	case f.Wanted == FormatNative && !f.Refused, f.Wanted == FormatNone, writerOf(f.Wanted) != nil:
		return f.Wanted, FromUser
	case f.Refused:
		return textFormatOf(f.Model), FromRefusal
	case f.Says == SaysYes:
		return FormatNative, f.SaysFrom
	case f.Says == SaysNo:
		return textFormatOf(f.Model), f.SaysFrom
	case f.Always:
		return FormatNative, FromDefault
	case neverCalls(f.Model):
		return textFormatOf(f.Model), FromName
	}
	return FormatNative, FromDefault
}

// neverCalls reports whether a model is known to have been taught no calls. Such
// names are asked only where the server says nothing. They are what people still run
// at home and what has no template for tools anywhere: base models, which continue
// texts, and the families of 2023 and 2024 that came before tools.
func neverCalls(model string) bool {
	name := plainModel(model)
	if slices.ContainsFunc([]string{
		"gemma-2b", "gemma-7b", "gemma:", "gemma-1.", "gemma2", "gemma-2-", "gemma3", "gemma-3", "codegemma", "medgemma",
		"llama2", "llama-2", "codellama", "tinyllama", "vicuna", "falcon", "starcoder", "orca-mini",
		"phi-2", "phi:", "phi3", "phi-3",
	}, func(family string) bool { return strings.HasPrefix(name, family) }) {
		return true
	}
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-_:.", r) }) {
		if word == "base" || word == "pt" || word == "text" && strings.HasPrefix(name, "gemma") {
			return true
		}
	}
	return name == "gemma" || name == "phi"
}

// textFormatOf returns the text format that comes most naturally to a model: the one
// that its family was taught, else that of Hermes, which more models were taught than
// any other, and which others can follow by its description.
func textFormatOf(model string) string {
	name := plainModel(model)
	for _, row := range []struct{ format, families string }{
		{"mistral", "mistral ministral magistral devstral codestral mixtral-8x22b mathstral"},
		{"pythonic", "llama3.2 llama-3.2 llama4 llama-4 toolace xlam"},
		{"json", "llama3 llama-3 meta-llama-3 gemma codegemma phi"},
	} {
		for _, family := range strings.Fields(row.families) {
			if strings.HasPrefix(name, family) {
				return row.format
			}
		}
	}
	return "hermes"
}

// plainModel is a model's name without who made it, in small letters.
func plainModel(model string) string {
	model = strings.ToLower(model[:min(len(model), maxSizeName)])
	return model[strings.LastIndexByte(model, '/')+1:]
}
