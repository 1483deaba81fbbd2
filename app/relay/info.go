package relay

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"bowerbird/netsafe"
)

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
	var nips []json.RawMessage
	_ = json.Unmarshal(fields["supported_nips"], &nips) // anything but a list names none
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
