package llm

import (
	"slices"
	"strings"
)

// The formats in addition to those of [textcall].
const (
	formatNative = "native" // the provider's native calls
	formatNone   = "none"   // no tools
)

// Says is a server's yes or no about a capability; "" if it does not say.
type Says string

// The values of Says.
const (
	SaysYes Says = "yes"
	SaysNo  Says = "no"
)

// FormatFacts are what [ChooseFormat] chooses by.
type FormatFacts struct {
	Wanted   string // the user's choice: "native", "none" or a text format; "" for none
	Refused  bool   // the server has refused tools for this model
	Says     Says   // whether the model takes tools, according to the server
	SaysFrom Source // the source of Says
	Always   bool   // all models of the provider take tools
	Model    string // its name
}

// ChooseFormat returns the format in which a model gets its tools, and what the choice is
// based on. The user's choice comes first, unless it is native calls and the server has
// refused them; then what was observed, what the server says, and the model's name. By
// default native calls are tried: a refusal is learned, and calls that come as text
// nevertheless are read.
func ChooseFormat(f FormatFacts) (format string, from Source) {
	switch {
	case f.Wanted == formatNative && !f.Refused, f.Wanted == formatNone, writerOf(f.Wanted) != nil:
		return f.Wanted, FromUser
	case f.Refused:
		return textFormatOf(f.Model), FromRefusal
	case f.Says == SaysYes:
		return formatNative, f.SaysFrom
	case f.Says == SaysNo:
		return textFormatOf(f.Model), f.SaysFrom
	case f.Always:
		return formatNative, FromDefault
	case neverCalls(f.Model):
		return textFormatOf(f.Model), FromName
	}
	return formatNative, FromDefault
}

// neverCalls reports whether a model is known not to have been trained for calls. It is
// consulted only if the server says nothing. The names are of models that people still run
// themselves and that no server has a tool template for: base models, and families of 2023
// and 2024.
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

// textFormatOf returns the text format that a model's family was trained on, else that of
// Hermes: more models were trained on it than on any other, and others can follow its
// description.
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

// plainModel returns a model's name in lower case, without the organisation before "/".
func plainModel(model string) string {
	model = strings.ToLower(model[:min(len(model), maxSizeName)])
	return model[strings.LastIndexByte(model, '/')+1:]
}
