package llm

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"bowerbird/netsafe"
)

// ErrorKind says what a caller can do about a failed request.
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

// errElsewhere is behind an Error when a server sends on to another one, which gets
// neither the request nor the key.
var errElsewhere = errors.New("the server sends requests on to another one")

// Error is how a request fails.
type Error struct {
	Kind              ErrorKind
	Message           string // the server's words or ours; no secrets
	Status            int    // HTTP status; 0 when none
	Code              string // the server's code, if any
	RetryAfterSeconds float64
	Finish            string // the finish reason, when the answer ended but is not usable
	Cause             Cause  // what is behind it, where that is known
	Err               error

	inStream int    // the status that a server named inside a stream
	param    string // the request's member that the server objects to
	final    bool   // another try cannot help
}

func (e *Error) Error() string { return string(e.Kind) + ": " + e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

func statusError(resp *http.Response, body []byte, now time.Time) *Error {
	said, ok := errorIn(body)
	if !ok {
		said = bareError(resp, body)
	}
	wait := retryAfter(resp.Header, now).Seconds()
	if wait == 0 {
		wait = said.wait.Seconds()
	}
	return &Error{
		Kind:              kindOfStatus(resp.StatusCode, said),
		Message:           clip(said.message),
		Status:            resp.StatusCode,
		Code:              said.code,
		Cause:             causeOfAnswer(resp.StatusCode, string(body)),
		RetryAfterSeconds: wait,
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
	case status == http.StatusPaymentRequired, saysBilling(low):
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
	case status == http.StatusRequestTimeout, status == http.StatusGatewayTimeout:
		return KindServer
	case status >= 500:
		return KindServer
	case containsAny(low, "invalid_api_key", "api key not valid", "incorrect api key"):
		return KindAuth // Gemini and xAI answer 400
	case status >= 400:
		return KindBadRequest
	}
	return KindAPI
}

// chunkError makes the error of one that came inside a stream, where no status
// vouches for what the server says.
func chunkError(said serverError) *Error {
	kind := KindAPI
	switch {
	case saysContextOverflow(strings.ToLower(said.code + " " + said.message)):
		kind = KindContext
	case saysNoTools(said):
		kind = KindNoTools
	}
	return &Error{
		Kind: kind, Message: clip(said.message), Code: said.code, RetryAfterSeconds: said.wait.Seconds(), inStream: said.status,
	}
}

// streamError makes the error of one that came inside a stream and whose type
// stands for a status.
func streamError(said serverError, status int) *Error {
	return &Error{
		Kind: kindOfStatus(status, said), Message: clip(said.message), Code: said.code,
		RetryAfterSeconds: said.wait.Seconds(), inStream: status,
	}
}

func saysBilling(low string) bool {
	return containsAny(low,
		"insufficient_quota", "insufficient balance", "balance is insufficient", "credit balance is too low",
		"have any credits", "insufficient_user_quota", "exceeded_current_quota", "arrearage",
	)
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

// transportError makes the error of a request that got no answer, or whose answer
// broke off. ctx is the request's own, whose cause tells why we ended it. The message
// holds the words of the system; what to say of a Cause is for who shows the error.
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
		e.Message = clip(refusal(err))
	case isOffline(err):
		e.Kind, e.Message = KindOffline, "cannot reach "+host+": "+clip(plainCause(err))
	default:
		e.Message = "the connection to " + host + " broke: " + clip(plainCause(err))
	}
	return e
}

func refusal(err error) string {
	if refused, ok := errors.AsType[*netsafe.Error](err); ok {
		return refused.Error()
	}
	return err.Error()
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

// plainCause leaves the address out, which the message names already.
func plainCause(err error) string {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	return err.Error()
}

// retryAfter reads how long a server asks to wait; 0 when it does not say.
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

// seconds turns a number from a stranger into a duration of at most a day.
func seconds(s float64) time.Duration {
	return time.Duration(min(s, 86400) * float64(time.Second))
}
