package llm

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"bowerbird/netsafe"
)

// ErrorKind classifies errors by what a caller can do about them.
type ErrorKind string

// The kinds of error.
const (
	KindAuth          ErrorKind = "auth"
	KindBilling       ErrorKind = "billing"
	KindRateLimit     ErrorKind = "rate_limit"
	KindOverloaded    ErrorKind = "overloaded"
	KindServer        ErrorKind = "server"
	KindNotFound      ErrorKind = "not_found"
	KindBadRequest    ErrorKind = "bad_request"
	KindContext       ErrorKind = "context_overflow"
	KindNoTools       ErrorKind = "no_tool_support"
	KindOffline       ErrorKind = "offline"
	KindTransport     ErrorKind = "transport"
	KindTimeout       ErrorKind = "timeout"
	KindIncomplete    ErrorKind = "incomplete"
	KindEmpty         ErrorKind = "empty"
	KindNotSSE        ErrorKind = "not_sse"
	KindBadChunk      ErrorKind = "bad_chunk"
	KindMalformedCall ErrorKind = "malformed_function_call"
	KindNamelessCall  ErrorKind = "nameless_call"
	KindCancelled     ErrorKind = "cancelled"
	KindAPI           ErrorKind = "api"
)

// errElsewhere is the cause of an [Error] if a server redirects to another one, which gets
// neither the request nor the key.
var errElsewhere = errors.New("the server sends requests on to another one")

// Error is the error of a failed request.
type Error struct {
	Kind              ErrorKind
	Message           string // the server's or ours, without the key
	Status            int    // HTTP status; 0 if there was none
	Code              string // the server's code, if any
	RetryAfterSeconds float64
	Finish            string // the finish reason, if the answer ended but cannot be used
	Cause             Cause  // more about a failed connection, if known
	Err               error

	inStream int    // the status in an error inside a stream
	param    string // the member of the request that the server refuses
	final    bool   // retrying cannot help
}

func (e *Error) Error() string { return string(e.Kind) + ": " + e.Message }

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// statusError returns the error of a response whose status is not one of success.
func statusError(resp *http.Response, body []byte, now time.Time) *Error {
	said, ok := errorIn(body)
	if !ok {
		said = bareError(resp, body)
	}
	return &Error{
		Kind:              kindOfStatus(resp.StatusCode, said),
		Message:           clip(said.message),
		Status:            resp.StatusCode,
		Code:              said.code,
		Cause:             causeOfAnswer(resp.StatusCode, string(body)),
		RetryAfterSeconds: cmp.Or(retryAfter(resp.Header, now), said.wait).Seconds(),
		param:             said.param,
	}
}

func kindOfStatus(status int, said serverError) ErrorKind {
	low := strings.ToLower(said.code + " " + said.message)
	switch {
	case saysContextOverflow(low) && status != http.StatusTooManyRequests: // Bedrock: "Too many tokens, please wait"
		return KindContext
	case status == http.StatusUnauthorized:
		return KindAuth
	case status == http.StatusPaymentRequired, containsAny(low,
		"insufficient_quota", "insufficient balance", "balance is insufficient", "credit balance is too low",
		"have any credits", "insufficient_user_quota", "exceeded_current_quota", "arrearage",
	):
		return KindBilling
	case status == http.StatusTooManyRequests:
		return KindRateLimit
	case saysNoTools(said):
		return KindNoTools
	case status == http.StatusForbidden:
		return KindAuth
	case status == http.StatusNotFound:
		return KindNotFound
	case status == http.StatusServiceUnavailable, status == 529, strings.Contains(low, "overloaded"):
		return KindOverloaded
	case status == http.StatusRequestTimeout, status >= 500:
		return KindServer
	case containsAny(low, "invalid_api_key", "api key not valid", "incorrect api key"):
		return KindAuth // Gemini and xAI answer 400
	case status >= 400:
		return KindBadRequest
	}
	return KindAPI
}

// chunkError returns the error for one inside a stream of chat completions. Without a
// status, its message alone is not enough for most kinds.
func chunkError(said serverError) *Error {
	e := streamError(said, said.status)
	switch e.Kind = KindAPI; {
	case saysContextOverflow(strings.ToLower(said.code + " " + said.message)):
		e.Kind = KindContext
	case saysNoTools(said):
		e.Kind = KindNoTools
	}
	return e
}

// streamError returns the error for one inside a stream whose type implies a status.
func streamError(said serverError, status int) *Error {
	return &Error{
		Kind: kindOfStatus(status, said), Message: clip(said.message), Code: said.code,
		RetryAfterSeconds: said.wait.Seconds(), inStream: status,
	}
}

func saysContextOverflow(low string) bool {
	return containsAny(low,
		"context_length_exceeded", "context length", "context window", "context size", "context limit", "maximum context",
		"prompt is too long", "input is too long", "prompt too long", "too many tokens",
		"reduce the length of the messages", "reduce your message size", "input token count", "prompt token count",
		"maximum prompt length", "exceeds the maximum number of tokens", "input tokens exceed",
		"model token limit", "prompt exceeds max length", "range of input length", "max message tokens",
		"`max_new_tokens` must be", "`inputs` must have less than",
	)
}

func containsAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(s, word) })
}

// transportError returns the error of a request without a response, or whose answer broke
// off. ctx is that of the request; its cause is why the program ended it, if it did. The
// message is the system's: the window and the terminal have their own for each [Cause].
func transportError(ctx context.Context, err error, host string) *Error {
	if known, ok := errors.AsType[*Error](err); ok {
		return known
	}
	if cause := context.Cause(ctx); cause != nil {
		if known, ok := errors.AsType[*Error](cause); ok {
			return known
		}
		return cancelled(cause)
	}
	if errors.Is(err, errTooLarge) {
		return &Error{Kind: KindBadChunk, Message: err.Error(), Err: err, final: true}
	}
	cause := CauseOf(err)
	e := &Error{Kind: KindTransport, Err: err, Cause: cause, final: !cause.passes()}
	switch {
	case cause == CausePlainHTTP, cause == CausePolicy:
		if refused, ok := errors.AsType[*netsafe.Error](err); ok {
			err = refused
		}
		e.Message = clip(err.Error())
	case isOffline(err):
		e.Kind, e.Message = KindOffline, "cannot reach "+host+": "+clip(plainCause(err))
	default:
		e.Message = "the connection to " + host + " broke: " + clip(plainCause(err))
	}
	return e
}

func cancelled(cause error) *Error {
	if errors.Is(cause, context.DeadlineExceeded) {
		return &Error{Kind: KindTimeout, Message: "the time given for the answer is over", Err: cause}
	}
	return &Error{Kind: KindCancelled, Message: "stopped", Err: cause}
}

func isOffline(err error) bool {
	var dns *net.DNSError
	var op *net.OpError
	return errors.As(err, &dns) || (errors.As(err, &op) && op.Op == "dial") ||
		errors.Is(err, netsafe.ConnRefused) || errors.Is(err, netsafe.NetUnreachable)
}

// plainCause returns the message of an error without the URL.
func plainCause(err error) string {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	return err.Error()
}

// retryAfter returns how long the server asks to wait; 0 if it does not.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return seconds(ms / 1000)
	}
	value := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(value, 64); err == nil && s > 0 {
		return seconds(s)
	}
	if at, err := http.ParseTime(value); err == nil && at.After(now) {
		return at.Sub(now).Round(time.Second)
	}
	return 0
}

// seconds converts a server's number of seconds to a duration of at most a day.
func seconds(s float64) time.Duration {
	return time.Duration(min(s, 86400) * float64(time.Second))
}

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
		if found && slices.ContainsFunc([]string{
			"not supported", "not yet supported", "currently not supported", "not currently supported", "not fully supported",
			"unsupported", "not enabled", "not available", "not been enabled", "not allowed for this model", "disabled",
		}, func(words string) bool { return strings.HasPrefix(rest, words) }) {
			return true
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

// Cause is why a connection to a server failed, where more is known than the [ErrorKind]:
// each has its own explanation and advice.
type Cause string

// The causes.
const (
	CauseUnknown     Cause = ""
	CauseName        Cause = "name"        // the server's name cannot be resolved
	CauseNobody      Cause = "nobody"      // connection refused: no server listens there
	CauseNoAnswer    Cause = "no_answer"   // no response: the computer is off, elsewhere or behind a firewall
	CauseUntrusted   Cause = "untrusted"   // the certificate is signed by an unknown authority
	CauseExpired     Cause = "expired"     // the certificate has expired or is not valid yet
	CauseOtherName   Cause = "other_name"  // the certificate is for another name
	CauseCertificate Cause = "certificate" // the certificate is invalid for another reason
	CauseNoTLS       Cause = "no_tls"      // the URL is https://, but the server speaks http
	CauseWantsTLS    Cause = "wants_tls"   // the URL is http://, but the server speaks https
	CauseTLS         Cause = "tls"         // the TLS handshake failed otherwise
	CauseCut         Cause = "cut"         // the connection was closed or reset
	CauseProxy       Cause = "proxy"       // a proxy requires authentication
	CauseRedirect    Cause = "redirect"    // the server redirects to another one
	CausePlainHTTP   Cause = "plain_http"  // http:// over the internet, which would expose the key
	CausePolicy      Cause = "policy"      // another address that [netsafe] refuses
)

// CauseOf returns the cause of an error, which may be an [*Error].
func CauseOf(err error) Cause {
	var (
		known   *Error
		refused *netsafe.Error
		dns     *net.DNSError
	)
	switch {
	case errors.As(err, &known) && known.Cause != CauseUnknown:
		return known.Cause
	case errors.Is(err, errElsewhere):
		return CauseRedirect
	case errors.Is(err, netsafe.ErrPlainHTTP):
		return CausePlainHTTP
	case errors.As(err, &refused) && refused.Kind == netsafe.Refused:
		return CausePolicy
	case errors.As(err, &dns):
		if dns.IsNotFound {
			return CauseName
		}
		return CauseUnknown // no name server answers: this computer is offline
	}
	if cause := causeOfTLS(err); cause != CauseUnknown {
		return cause
	}
	return causeOfConnection(err)
}

func causeOfTLS(err error) Cause {
	var (
		authority x509.UnknownAuthorityError
		invalid   x509.CertificateInvalidError
		name      x509.HostnameError
		other     *tls.CertificateVerificationError
		record    tls.RecordHeaderError
		alert     tls.AlertError
		op        *net.OpError
	)
	switch {
	case errors.As(err, &name):
		return CauseOtherName
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return CauseExpired
	case errors.As(err, &authority):
		return CauseUntrusted
	case errors.As(err, &invalid), errors.As(err, &other):
		return CauseCertificate
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &record):
		return CauseNoTLS
	case errors.As(err, &alert), errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error"):
		return CauseTLS // crypto/tls has no error type for it
	case err != nil && strings.Contains(err.Error(), `malformed HTTP response "\x15\x03`):
		return CauseWantsTLS // a TLS alert instead of a response; net/http has no error type for it
	}
	return CauseUnknown
}

func causeOfConnection(err error) Cause {
	var (
		op    *net.OpError
		limit net.Error
	)
	dialled := errors.As(err, &op) && op.Op == "dial"
	timedOut := errors.As(err, &limit) && limit.Timeout() || errors.Is(err, os.ErrDeadlineExceeded)
	switch {
	case errors.Is(err, context.Canceled):
		return CauseUnknown
	case errors.Is(err, netsafe.ConnRefused):
		return CauseNobody
	case errors.Is(err, netsafe.NetUnreachable):
		return CauseUnknown // this computer is offline
	case errors.Is(err, netsafe.HostUnreachable), dialled && timedOut,
		timedOut && !errors.Is(err, context.DeadlineExceeded): // which is the caller's own limit
		return CauseNoAnswer
	case dialled, timedOut:
		return CauseUnknown
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET),
		errors.Is(err, netsafe.ConnReset), errors.Is(err, netsafe.ConnAborted), errors.Is(err, syscall.EPIPE):
		return CauseCut
	}
	return CauseUnknown
}

func causeOfAnswer(status int, body string) Cause {
	low := strings.ToLower(body)
	switch {
	case status == http.StatusProxyAuthRequired:
		return CauseProxy
	case status == http.StatusBadRequest && containsAny(low,
		"http request to an https server",                    // Go
		"http request was sent to https port",                // nginx
		"speaking plain http to an ssl-enabled server port"): // Apache
		return CauseWantsTLS
	}
	return CauseUnknown
}

// passes reports whether a retry may succeed.
func (c Cause) passes() bool {
	switch c {
	case CauseUntrusted, CauseExpired, CauseOtherName, CauseCertificate, CauseNoTLS, CauseWantsTLS, CauseTLS,
		CauseProxy, CauseRedirect, CausePlainHTTP, CausePolicy:
		return false
	}
	return true
}
