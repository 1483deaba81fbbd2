package llm

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const maxMessage = 2000

type serverError struct {
	message string
	code    string // its code, else its type
	status  int    // a status named inside the body; 0 when none
	param   string
	wait    time.Duration // before the next request; 0 when not said
}

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

// isFailure reports whether a code of a server's own is there and not that of success.
func isFailure(code json.RawMessage) bool {
	n, ok := number(code)
	return ok && n != 0 && n != http.StatusOK
}

// saysError tells an error member from one that is always there and empty.
func saysError(raw json.RawMessage) bool {
	switch string(raw) {
	case "", "null", "false", `""`, "{}", "[]":
		return false
	}
	return true
}

// readInnerError reads the value of an error member: an object, a text, or a list
// of either.
func readInnerError(inner json.RawMessage, outer members) serverError {
	if s, ok := text(inner); ok {
		e := errorMembers(outer)
		// Frameworks have the status as the error, and beside it what is wrong.
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
		return e // the member says only that there is an error
	}
	return serverError{message: string(inner)}
}

func errorMembers(m members) serverError {
	e := serverError{message: messageOf(firstPresent(m, "message", "msg", "detail", "error_description", "error_msg", "status_msg"))}
	e.code = scalar(m["code"])
	if e.code == "" {
		e.code = scalar(firstPresent(m, "type", "error_code", "status_code"))
	}
	e.param = scalar(m["param"])
	for _, name := range []string{"status_code", "status", "code"} {
		if n, err := strconv.Atoi(scalar(m[name])); err == nil && n >= 400 && n < 600 {
			e.status = n
			break
		}
	}
	if e.message == "" {
		e.message = e.code
	}
	if raw := membersOf(m["metadata"])["raw"]; present(raw) {
		e.message += said(raw)
	}
	for _, detail := range readList(m["details"]) { // Gemini
		wait, err := time.ParseDuration(scalar(membersOf(detail)["retryDelay"]))
		if err == nil {
			e.wait = max(e.wait, min(wait, 24*time.Hour))
		}
	}
	return e
}

// said returns what OpenRouter's provider said, of which OpenRouter's own message only
// says that it was an error.
func said(raw json.RawMessage) string {
	words, ok := text(raw)
	if !ok {
		words = string(raw)
	}
	if inner, ok := readServerError([]byte(words)); ok {
		words = inner.message
	}
	if words == "" || strings.HasPrefix(words, "<") {
		return ""
	}
	return ": " + words
}

// errorIn finds what is wrong in the body of a response, which some servers frame as
// a stream all the same.
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

// messageOf reads a message that may be a text, a list, or the list of
// {loc, msg} that Python frameworks answer with.
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

// bareError reads a body that holds no error in JSON: plain text, or a proxy's
// page, of which nothing is worth showing.
func bareError(resp *http.Response, body []byte) serverError {
	said := strings.TrimSpace(string(body))
	if said == "" || strings.HasPrefix(said, "<") {
		said = "the server answered " + strings.TrimSpace(resp.Status)
	}
	return serverError{message: said}
}

func clip(s string) string {
	s = strings.ToValidUTF8(strings.TrimSpace(s), "�")
	if len(s) <= maxMessage {
		return s
	}
	return strings.ToValidUTF8(s[:maxMessage], "") + "…"
}
