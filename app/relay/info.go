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

// Info is what a relay says of itself (NIP-11), as far as it matters for how it is
// asked. It is a stranger's word: a number that cannot be is 0, as one that is missing.
type Info struct {
	MaxLimit         int // the most events it gives for one filter
	MaxSubscriptions int // at one time on one connection
	MaxMessageLength int // bytes of a message that it takes from us
	// Compares: it can compare sets by NIP-77, as it says itself, or as its software
	// and version are known to.
	Compares bool
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
	_ = json.Unmarshal(fields["supported_nips"], &nips) // one that is no list names none
	return Info{
		MaxLimit:         countField(limits["max_limit"]),
		MaxSubscriptions: countField(limits["max_subscriptions"]),
		MaxMessageLength: countField(limits["max_message_length"]),
		Compares: slices.ContainsFunc(nips, func(nip json.RawMessage) bool { return countField(nip) == 77 }) ||
			countField(fields["negentropy"]) > 0 || isNewStrfry(textField(fields["software"]), textField(fields["version"])),
	}, nil
}

// isNewStrfry reports whether it is a strfry that can compare sets: all since 1.0.
func isNewStrfry(software, version string) bool {
	major, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	n, err := strconv.Atoi(major)
	return err == nil && n >= 1 && strings.Contains(strings.ToLower(software), "strfry")
}

func textField(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// countField reads a number that may stand as 500, 500.0 or "500".
func countField(raw json.RawMessage) int {
	var n float64
	if json.Unmarshal(bytes.Trim(raw, `"`), &n) != nil || n < 1 || n > 1<<30 {
		return 0
	}
	return int(n)
}
