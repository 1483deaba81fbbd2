package llm

import (
	"slices"
	"strings"
)

// saysNoTools reports whether an error means that the model or its server does not support
// tools. There is no common code for it, and every server words it differently. Errors about
// one tool, its schema, or tools in combination with something else do not count: another
// request may succeed.
func saysNoTools(said serverError) bool {
	low := strings.ToLower(said.code + " " + said.message)
	low = strings.NewReplacer("'", "", "’", "", "`", "", `"`, "", "doesnt", "does not", "isnt", "is not").Replace(low)
	if containsAny(low, "reasoning_effort", "reasoning effort", "parallel", "response_format", "response mime", "json mode", "v1/responses") {
		return false
	}
	if containsAny(low, "support tool use", "requires --jinja", "enable-auto-tool-choice", "--tool-call-parser") {
		return true
	}
	refused := strings.Contains(said.code, "unsupported") || strings.Contains(said.code, "unknown")
	if refused && (said.param == "tools" || said.param == "functions") {
		return true
	}
	for _, tools := range []string{
		"tools", "functions", "tool use", "tool usage", "tool calling", "tool-calling", "tool calls", "tool call",
		"function calling", "function-calling", "function calls", "tool use with function calling",
	} {
		for i := 0; ; {
			found := strings.Index(low[i:], tools)
			if found < 0 {
				break
			}
			i += found + len(tools)
			if deniedBefore(low[:i-len(tools)]) && wordEnds(low[i:]) || deniedBehind(low[i:]) {
				return true
			}
		}
	}
	return false
}

// deniedBefore reports whether a text that precedes "tools" denies support for them.
func deniedBefore(low string) bool {
	for _, article := range []string{"the parameter ", "parameters: {", "parameter ", "the use of ", "use of ", "native "} {
		low = strings.TrimSuffix(low, article)
	}
	return slices.ContainsFunc([]string{
		"not support ", "not support: ", "cannot use ", "can not use ", "unsupported ", "unsupported parameter: ",
		"unsupported parameters: ", "unknown parameter: ", "unknown field ", "unknown name ", "unrecognized field ",
		"unrecognized request argument supplied: ", "not supported: ", "unexpected keyword argument ", "unsupported parameter(s): ",
		"not capable of ",
	}, func(words string) bool { return strings.HasSuffix(low, words) })
}

// deniedBehind reports whether a text that follows "tools" denies support for them.
func deniedBehind(low string) bool {
	for _, filler := range []string{" parameter", " param", " option", " feature", " capability", " support"} {
		low = strings.TrimPrefix(low, filler)
	}
	for _, verb := range []string{" is ", " are ", " has ", " have ", " "} {
		rest, found := strings.CutPrefix(low, verb)
		if !found {
			continue
		}
		for _, words := range []string{
			"not supported", "not yet supported", "currently not supported", "not currently supported", "not fully supported",
			"unsupported", "not enabled", "not available", "not been enabled", "not allowed for this model", "disabled",
		} {
			if strings.HasPrefix(rest, words) {
				return true
			}
		}
	}
	return strings.HasPrefix(low, ": extra inputs are not permitted") || strings.HasPrefix(low, ": extra fields not permitted")
}

// wordEnds reports whether "tools" ends before low: it does not if a path such as
// tools[0].function or a phrase with another meaning continues there.
func wordEnds(low string) bool {
	if low == "" {
		return true
	}
	if strings.HasPrefix(low, ".") {
		return len(low) == 1 || low[1] == ' ' || low[1] == '\n'
	}
	for _, company := range []string{" with ", " of type ", " named ", " and ", " together "} {
		if strings.HasPrefix(low, company) {
			return strings.HasPrefix(low, " with stream") // every request has stream
		}
	}
	return strings.IndexByte(" ,;:)}!\n", low[0]) >= 0
}
