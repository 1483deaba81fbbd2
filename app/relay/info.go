package relay

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"bowerbird/netsafe"
)

const (
	maxInfo     = 64 << 10
	infoTimeout = 5 * time.Second
	maxInfoText = 200
)

// Info is what a relay says of itself (NIP-11). It is a stranger's word: numbers
// that cannot be are 0, texts are cleaned. 0 and "" mean that it does not say.
type Info struct {
	Name     string
	Software string
	Version  string
	NIPs     []int

	MaxLimit         int // the most events it gives for one filter
	MaxSubscriptions int // at one time on one connection
	MaxMessageLength int // bytes of a message that it takes from us
	AuthRequired     bool
	PaymentRequired  bool

	// Compares: it can compare sets by NIP-77, as it says itself, or as its software
	// and version are known to.
	Compares bool

	// Date is the relay's clock as its answer's Date header has it, and zero when
	// that is missing. Many relays' dates beside our own time show whether our clock is wrong.
	Date time.Time
}

// Has reports whether the relay says that it supports a NIP.
func (i Info) Has(nip int) bool {
	for _, n := range i.NIPs {
		if n == nip {
			return true
		}
	}
	return false
}

// FetchInfo asks the relay at url (in ParseURL's form) about itself, at most 64 KiB
// in 5 s. A field of the wrong type is as good as missing.
func FetchInfo(ctx context.Context, client *netsafe.Client, url string) (Info, error) {
	resp, err := client.Fetch(ctx, netsafe.Request{
		URL:      "http" + strings.TrimPrefix(url, "ws"),
		Accept:   "application/nostr+json",
		MaxBytes: maxInfo,
		Timeout:  infoTimeout,
		Relay:    true,
	})
	if err != nil {
		return Info{}, fmt.Errorf("ask relay about itself: %w", err)
	}
	info, err := parseInfo(resp.Body)
	if err != nil {
		return Info{}, &netsafe.Error{Kind: netsafe.Protocol, Op: "ask relay about itself", Host: url, Err: err}
	}
	if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		info.Date = date
	}
	return info, nil
}

func parseInfo(data []byte) (Info, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return Info{}, err
	}
	var limits map[string]json.RawMessage
	if json.Unmarshal(fields["limitation"], &limits) != nil {
		limits = nil
	}
	info := Info{
		Name:             textField(fields["name"]),
		Software:         textField(fields["software"]),
		Version:          textField(fields["version"]),
		NIPs:             nipsField(fields["supported_nips"]),
		MaxLimit:         countField(limits["max_limit"]),
		MaxSubscriptions: countField(limits["max_subscriptions"]),
		MaxMessageLength: countField(limits["max_message_length"]),
		AuthRequired:     bytes.Equal(limits["auth_required"], []byte("true")),
		PaymentRequired:  bytes.Equal(limits["payment_required"], []byte("true")),
	}
	info.Compares = info.Has(77) || countField(fields["negentropy"]) > 0 || isNewStrfry(info)
	return info, nil
}

// isNewStrfry reports whether it is a strfry that can compare sets: all since 1.0.
func isNewStrfry(info Info) bool {
	major, _, _ := strings.Cut(strings.TrimPrefix(info.Version, "v"), ".")
	n, err := strconv.Atoi(major)
	return err == nil && n >= 1 && strings.Contains(strings.ToLower(info.Software), "strfry")
}

func textField(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return clean(s, maxInfoText)
}

// countField reads a number that may stand as 500, 500.0 or "500".
func countField(raw json.RawMessage) int {
	var n float64
	if json.Unmarshal(bytes.Trim(raw, `"`), &n) != nil || n < 1 || n > 1<<30 {
		return 0
	}
	return int(n)
}

func nipsField(raw json.RawMessage) []int {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		return nil
	}
	var nips []int
	for _, item := range items {
		if n := countField(item); n > 0 {
			nips = append(nips, n)
		}
	}
	return nips
}
