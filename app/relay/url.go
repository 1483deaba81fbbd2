package relay

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"bowerbird/netsafe"
)

// maxURL is the maximum length of a relay's URL, in bytes.
const maxURL = 200

// ParseURL returns the normal form of a relay's URL, in which it is dialled, stored and
// compared. The error is a [*netsafe.Error] that says why it cannot be used.
//
// Scheme and host become lower case; the default port, the root path "/", the host's final
// dot and any fragment are removed. The rest stays, since the case of a path and its final
// slash may matter. Refused are everything but ws and wss URLs, more than 200 bytes, names
// or passwords in the URL, and, unless the policy allows private addresses, plain ws,
// loopback, private and special addresses, names of local networks, .onion, and ports below
// 1024 other than 80 and 443. A public name that resolves to a private address is refused
// by [Dial].
func ParseURL(raw string, policy netsafe.Policy) (string, error) {
	normal, err := parseURL(raw, policy)
	if err != nil {
		return "", &netsafe.Error{Kind: netsafe.Refused, Op: "use relay", Host: clean(raw, maxURL), Err: err}
	}
	return normal, nil
}

func parseURL(raw string, policy netsafe.Policy) (string, error) {
	raw = strings.TrimSpace(raw)
	if len(raw) > maxURL {
		return "", fmt.Errorf("its URL is longer than %d bytes", maxURL)
	}
	if strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r > '~' || r == '\\' }) {
		return "", errors.New("its URL has characters that no URL has")
	}
	u, err := url.Parse(raw)
	if err != nil || u.Opaque != "" {
		return "", errors.New("not a URL")
	}
	switch u.Scheme = strings.ToLower(u.Scheme); {
	case u.Scheme == "wss":
	case u.Scheme == "ws" && policy.AllowPrivate:
	case u.Scheme == "ws":
		return "", errors.New("plain ws:// is not permitted")
	default:
		return "", errors.New("a relay's URL starts with wss://")
	}
	if u.User != nil {
		return "", errors.New("its URL holds a user name or password")
	}
	port, err := parsePort(u, policy)
	if err != nil {
		return "", err
	}
	host, err := parseHost(u.Hostname(), policy)
	if err != nil {
		return "", err
	}
	u.Host = host + port
	u.Fragment, u.RawFragment = "", ""
	if u.Path == "/" {
		u.Path, u.RawPath = "", ""
	}
	u.ForceQuery = false
	return u.String(), nil
}

// parsePort returns ":port", or "" for the default port of the scheme.
func parsePort(u *url.URL, policy netsafe.Policy) (string, error) {
	text := u.Port()
	if text == "" {
		return "", nil // "host:" means the default port too
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil || port == 0 {
		return "", fmt.Errorf("%q is not a port", text)
	}
	if err := policy.CheckRelayPort(uint16(port)); err != nil {
		return "", err
	}
	if u.Scheme == "wss" && port == 443 || u.Scheme == "ws" && port == 80 {
		return "", nil
	}
	return ":" + strconv.FormatUint(port, 10), nil
}

// localSuffixes end names that are only valid within one network.
var localSuffixes = []string{".localhost", ".local", ".internal", ".lan", ".home", ".home.arpa", ".corp", ".intranet", ".test", ".invalid"}

func parseHost(host string, policy netsafe.Policy) (string, error) {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "" {
		return "", errors.New("its URL has no host")
	}
	if strings.Contains(host, ":") {
		addr, err := netip.ParseAddr(host)
		if err != nil || addr.Zone() != "" {
			return "", errors.New("its host is not an IPv6 address")
		}
		return "[" + addr.String() + "]", policy.CheckAddr(addr)
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.String(), policy.CheckAddr(addr)
	}
	if strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" || strings.Contains(host, "..") || host[0] == '.' {
		return "", errors.New("its host is not a name")
	}
	// Resolvers read 127.1, 0x7f000001 and 2130706433 as addresses; we do not.
	if last := host[strings.LastIndexByte(host, '.')+1:]; last[0] >= '0' && last[0] <= '9' {
		return "", errors.New("its host is neither a name nor an address")
	}
	if strings.HasSuffix(host, ".onion") {
		return "", errors.New(".onion needs Tor, which is not set up")
	}
	if policy.AllowPrivate {
		return host, nil
	}
	if !strings.Contains(host, ".") || slices.ContainsFunc(localSuffixes, func(suffix string) bool { return strings.HasSuffix(host, suffix) }) {
		return "", errors.New("its host is a name of the local network")
	}
	return host, nil
}
