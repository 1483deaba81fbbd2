package relay

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"bowerbird/netsafe"
)

// Limits bound what a relay may cost. Zero fields take the defaults.
type Limits struct {
	Dial      time.Duration // handshake, with name resolution
	Write     time.Duration // sending one message
	Ping      time.Duration // between pings
	Dead      time.Duration // without a byte, until the connection is given up
	Message   time.Duration // from a message's first byte to its last
	FirstByte time.Duration // from a REQ to the first answer
	Idle      time.Duration // between two events of a page
	Page      time.Duration // from a REQ to its EOSE
	Grace     time.Duration // from a page's EOSE until it counts as complete without a pong
	Notice    time.Duration // between a REQ and a NOTICE that counts as its refusal

	Frame         int64 // bytes of one message
	Outgoing      int   // bytes of one message of ours; from Info.MaxMessageLength
	QueueEvents   int   // events received and not yet read by us, until reading stops
	QueueBytes    int   // the same in bytes
	PageBytes     int   // bytes of the events of one Fetch
	Bad           int   // bad events that are tolerated on one connection
	Slack         int   // events that a page may have beyond the limits of its filters
	Subscriptions int   // open at one time; Subscribe waits for one to end
}

// DefaultLimits returns the limits for ordinary relays.
func DefaultLimits() Limits {
	return Limits{
		Dial:      10 * time.Second,
		Write:     10 * time.Second,
		Ping:      30 * time.Second,
		Dead:      60 * time.Second,
		Message:   30 * time.Second,
		FirstByte: 10 * time.Second,
		Idle:      15 * time.Second,
		Page:      60 * time.Second,
		Grace:     2 * time.Second,
		Notice:    3 * time.Second,

		Frame:         1<<20 + 64<<10,
		Outgoing:      64 << 10,
		QueueEvents:   1024,
		QueueBytes:    4 << 20,
		PageBytes:     16 << 20,
		Bad:           20,
		Slack:         10,
		Subscriptions: 8,
	}
}

func (l Limits) withDefaults() Limits {
	own, standard := reflect.ValueOf(&l).Elem(), reflect.ValueOf(DefaultLimits())
	for i := range own.NumField() {
		if own.Field(i).IsZero() {
			own.Field(i).Set(standard.Field(i))
		}
	}
	return l
}

// Clock is a Conn's source of time, so that tests need not wait. Dialling and writing have
// deadlines of the network, by the system's clock.
type Clock interface {
	Now() time.Time
	// Tick returns a channel that delivers the time every d until stop is called.
	Tick(d time.Duration) (ticks <-chan time.Time, stop func())
}

// tickEvery is how often deadlines are checked, and so their precision.
const tickEvery = time.Second

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) Tick(d time.Duration) (<-chan time.Time, func()) {
	t := time.NewTicker(d)
	return t.C, t.Stop
}

const (
	maxInfo     = 64 << 10
	infoTimeout = 5 * time.Second
)

// Info is what a relay reports about itself (NIP-11), as far as it affects how to ask it.
// An impossible number is 0, like a missing one.
type Info struct {
	MaxLimit         int // events for one filter
	MaxSubscriptions int // open at one time on one connection
	MaxMessageLength int // bytes of a message from us
	// Compares means that it compares sets by NIP-77: it says so, or is a strfry since
	// 1.0.
	Compares bool
}

// FetchInfo asks the relay at url, in the form of [ParseURL], about itself: at most 64 KiB
// in 5 s. A field of the wrong type counts as missing.
func FetchInfo(ctx context.Context, client *netsafe.Client, url string) (Info, error) {
	body, err := client.Fetch(ctx, netsafe.Request{
		URL:      "http" + strings.TrimPrefix(url, "ws"),
		Accept:   "application/nostr+json",
		MaxBytes: maxInfo,
		Timeout:  infoTimeout,
		Relay:    true,
	})
	if err != nil {
		return Info{}, fmt.Errorf("ask relay about itself: %w", err)
	}
	info, err := parseInfo(body)
	if err != nil {
		return Info{}, &netsafe.Error{Kind: netsafe.Protocol, Op: "ask relay about itself", Host: url, Err: err}
	}
	return info, nil
}

func parseInfo(data []byte) (Info, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return Info{}, err
	}
	var limits map[string]json.RawMessage
	var nips []json.RawMessage
	// Anything but an object limits nothing, and anything but a list names none.
	_, _ = json.Unmarshal(fields["limitation"], &limits), json.Unmarshal(fields["supported_nips"], &nips)
	major, _, _ := strings.Cut(strings.TrimPrefix(textField(fields["version"]), "v"), ".")
	n, err := strconv.Atoi(major)
	newStrfry := err == nil && n >= 1 && strings.Contains(strings.ToLower(textField(fields["software"])), "strfry")
	return Info{
		MaxLimit:         countField(limits["max_limit"]),
		MaxSubscriptions: countField(limits["max_subscriptions"]),
		MaxMessageLength: countField(limits["max_message_length"]),
		Compares: slices.ContainsFunc(nips, func(nip json.RawMessage) bool { return countField(nip) == 77 }) ||
			countField(fields["negentropy"]) > 0 || newStrfry,
	}, nil
}

func textField(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// countField reads a number that may be written as 500, 500.0 or "500".
func countField(raw json.RawMessage) int {
	var n float64
	if json.Unmarshal(bytes.Trim(raw, `"`), &n) != nil || n < 1 || n > 1<<30 {
		return 0
	}
	return int(n)
}
