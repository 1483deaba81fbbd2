package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const maxMessage = 2000 // bytes

// serverError is an error as a server reports it.
type serverError struct {
	message string
	code    string        // its code, else its type
	status  int           // the status in the body; 0 if there is none
	param   string        // the member of the request that it is about
	wait    time.Duration // until the next request; 0 if not reported
}

// readServerError reads the error in a body or event, and reports whether there is one.
func readServerError(body []byte) (serverError, bool) {
	body = bytes.TrimSpace(body)
	if len(body) > 0 && body[0] == '[' { // Gemini wraps it in a list
		var list []json.RawMessage
		if json.Unmarshal(body, &list) != nil || len(list) == 0 {
			return serverError{}, false
		}
		body = list[0]
	}
	m := membersOf(body)
	for _, name := range []string{"error", "errors"} {
		if saysError(m[name]) {
			return readInnerError(m[name], m), true
		}
	}
	if base := membersOf(m["base_resp"]); isFailure(base["status_code"]) { // MiniMax, beside choices
		return errorMembers(base), true
	}
	object, _ := text(m["object"])
	kind, _ := text(m["type"])
	_, message := text(m["message"]) // Ollama's message is an object
	if _, msg := text(firstPresent(m, "msg", "error_msg")); msg {
		message = message || string(m["success"]) == "false" || isFailure(firstPresent(m, "code", "error_code"))
	}
	bare := (message || present(m["detail"])) && m["choices"] == nil
	if object == "error" || kind == "error" || bare {
		return errorMembers(m), true
	}
	return serverError{}, false
}

// isFailure reports whether a server's own code is present and does not mean success.
func isFailure(code json.RawMessage) bool {
	n, ok := number(code)
	return ok && n != 0 && n != http.StatusOK
}

// saysError reports whether an error member means an error: some servers always send an
// empty one.
func saysError(raw json.RawMessage) bool {
	switch string(raw) {
	case "", "null", "false", `""`, "{}", "[]":
		return false
	}
	return true
}

// readInnerError reads the value of an error member: an object, a string, or a list of
// either.
func readInnerError(inner json.RawMessage, outer members) serverError {
	if s, ok := text(inner); ok {
		e := errorMembers(outer)
		// Some frameworks put the status text into error and the reason into message.
		if more, _ := text(outer["message"]); more != "" && !strings.Contains(s, more) {
			s += ": " + more
		}
		e.message = s
		return e
	}
	var list []json.RawMessage
	if json.Unmarshal(inner, &list) == nil && len(list) > 0 {
		if isObject(list[0]) {
			inner = list[0]
		} else {
			return serverError{message: messageOf(inner)}
		}
	}

	if m := membersOf(inner); m != nil {
		return errorMembers(m)
	}
	if e := errorMembers(outer); e.message != "" {
		return e // the error member is true or a number
	}
	return serverError{message: string(inner)}
}

func errorMembers(m members) serverError {
	e := serverError{message: messageOf(firstPresent(m, "message", "msg", "detail", "error_description", "error_msg", "status_msg"))}
	e.code = cmp.Or(scalar(m["code"]), scalar(firstPresent(m, "type", "error_code", "status_code")))
	e.param = scalar(m["param"])
	for _, name := range []string{"status_code", "status", "code"} {
		if n, err := strconv.Atoi(scalar(m[name])); err == nil && n >= 400 && n < 600 {
			e.status = n
			break
		}
	}
	e.message = cmp.Or(e.message, e.code)
	if raw := membersOf(m["metadata"])["raw"]; present(raw) {
		e.message += upstreamMessage(raw)
	}
	for _, detail := range readList(m["details"]) { // Gemini
		wait, err := time.ParseDuration(scalar(membersOf(detail)["retryDelay"]))
		if err == nil {
			e.wait = max(e.wait, min(wait, 24*time.Hour))
		}
	}
	return e
}

// upstreamMessage returns the message of OpenRouter's upstream provider, to be appended to
// OpenRouter's own, which only says that the provider returned an error.
func upstreamMessage(raw json.RawMessage) string {
	words := cmp.Or(scalar(raw), string(raw))
	if inner, ok := readServerError([]byte(words)); ok {
		words = inner.message
	}
	if words == "" || strings.HasPrefix(words, "<") {
		return ""
	}
	return ": " + words
}

// errorIn finds the error in the body of a response, even if it is framed as a stream.
func errorIn(body []byte) (serverError, bool) {
	found, ok := readServerError(body)
	for events := newSSEReader(bytes.NewReader(body)); !ok; {
		e, err := events.next()
		if err != nil {
			return serverError{}, false
		}
		found, ok = readServerError(e.data)
	}
	return found, true
}

// messageOf reads a message that may be a string, a list, or the list of {loc, msg} that
// Python frameworks return.
func messageOf(raw json.RawMessage) string {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
		list = []json.RawMessage{raw}
	}
	var parts []string
	for _, item := range list[:min(len(list), 10)] {
		if part := oneMessage(item); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "; ")
}

func oneMessage(raw json.RawMessage) string {
	if s, ok := text(raw); ok {
		return s
	}
	var m struct {
		Loc     []any  `json:"loc"`
		Msg     string `json:"msg"`
		Message string `json:"message"`
	}
	if json.Unmarshal(raw, &m) != nil || m.Msg+m.Message == "" {
		return string(raw)
	}
	if m.Msg == "" {
		return m.Message
	}
	for _, l := range m.Loc {
		if name, ok := l.(string); ok && name != "body" {
			m.Msg = name + ": " + m.Msg
		}
	}
	return m.Msg
}

// bareError reads a body that is not an error in JSON: plain text, or a proxy's web page,
// which is not worth showing.
func bareError(resp *http.Response, body []byte) serverError {
	said := strings.TrimSpace(string(body))
	if said == "" || strings.HasPrefix(said, "<") {
		said = "the server answered " + strings.TrimSpace(resp.Status)
	}
	return serverError{message: said}
}

// clip returns s in valid UTF-8, cut to maxMessage.
func clip(s string) string {
	s = strings.ToValidUTF8(strings.TrimSpace(s), "�")
	if len(s) <= maxMessage {
		return s
	}
	return strings.ToValidUTF8(s[:maxMessage], "") + "…"
}
