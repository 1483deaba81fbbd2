package relay

import (
	"errors"
	"strings"
	"testing"

	"bowerbird/netsafe"
)

func TestARelayURLHasOneNormalForm(t *testing.T) {
	tests := []struct{ raw, want string }{
		{"wss://relay.example", "wss://relay.example"},
		{" wss://relay.example/ \n", "wss://relay.example"},
		{"WSS://Relay.Example:443/", "wss://relay.example"},
		{"wss://relay.example.", "wss://relay.example"},
		{"wss://relay.example:", "wss://relay.example"},
		{"wss://relay.example:7777/", "wss://relay.example:7777"},
		{"wss://relay.example:80", "wss://relay.example:80"},
		{"wss://relay.example/Inbox", "wss://relay.example/Inbox"},
		{"wss://relay.example/a/", "wss://relay.example/a/"},
		{"wss://relay.example//", "wss://relay.example//"},
		{"wss://relay.example/a%2Fb%20c", "wss://relay.example/a%2Fb%20c"},
		{"wss://relay.example/?key=A%26b", "wss://relay.example?key=A%26b"},
		{"wss://relay.example?", "wss://relay.example"},
		{"wss://relay.example/x#frag", "wss://relay.example/x"},
		{"wss://relay.example/#", "wss://relay.example"},
		{"wss://xn--bcher-kva.example", "wss://xn--bcher-kva.example"},
		{"wss://1.1.1.1", "wss://1.1.1.1"},
		{"wss://[2606:4700:4700:0:0:0:0:1111]:443/x", "wss://[2606:4700:4700::1111]/x"},
	}
	for _, test := range tests {
		got, err := ParseURL(test.raw, netsafe.Policy{})
		if err != nil || got != test.want {
			t.Errorf("%q: %q, %v; want %q", test.raw, got, err, test.want)
			continue
		}
		if again, err := ParseURL(got, netsafe.Policy{}); err != nil || again != got {
			t.Errorf("%q: its normal form is not its own: %q, %v", got, again, err)
		}
	}
}

func TestWhatNoStrangerMayMakeUsDialIsRefused(t *testing.T) {
	for _, raw := range []string{
		"", "relay.example", "//relay.example", "https://relay.example", "wss:relay.example", "javascript:alert(1)",
		"wss://", "wss:///x", "wss://.", "wss://:443", "wss://a..b", "wss://.relay.example",
		"wss://user@relay.example", "wss://user:pass@relay.example", "wss://@relay.example",
		"wss://relay.example:0", "wss://relay.example:22", "wss://relay.example:25", "wss://relay.example:1023",
		"wss://relay.example:65536", "wss://relay.example:x",
		"wss://relay.example/" + strings.Repeat("x", 200),
		"wss://relay.example/\u202egro", "wss://relay.example/a b", "wss://re\tlay.example", "wss://bücher.example",
		"wss://relay.example\\@evil.example", "wss://relay.example,wss://other.example", "wss://relay.example%2f.evil.example",
		"wss://127.1", "wss://0x7f000001", "wss://2130706433", "wss://0177.0.0.1", "wss://127.0.0.1.",
		"wss://abc.onion", "wss://[::1%25eth0]", "wss://[::1",
	} {
		for _, policy := range []netsafe.Policy{{}, {AllowPrivate: true}} {
			got, err := ParseURL(raw, policy)
			// The user may dial any port, and the loopback.
			if policy.AllowPrivate && (strings.Contains(raw, "127.0.0.1.") || strings.HasPrefix(raw, "wss://relay.example:") && err == nil) {
				continue
			}
			if !errors.Is(err, netsafe.Refused) {
				t.Errorf("%q with %+v: %q, %v; want it refused", raw, policy, got, err)
			}
		}
	}
}

func TestPrivateRelaysNeedTheUsersWord(t *testing.T) {
	for _, test := range []struct{ raw, want string }{
		{"ws://relay.example/", "ws://relay.example"},
		{"ws://relay.example:80/", "ws://relay.example"},
		{"ws://localhost:7777", "ws://localhost:7777"},
		{"wss://relay", "wss://relay"},
		{"wss://relay.local", "wss://relay.local"},
		{"wss://x.home.arpa", "wss://x.home.arpa"},
		{"ws://127.0.0.1:4848/", "ws://127.0.0.1:4848"},
		{"ws://[::1]:4848/", "ws://[::1]:4848"},
		{"wss://192.168.1.2", "wss://192.168.1.2"},
		{"wss://[fd00::1]", "wss://[fd00::1]"},
	} {
		if got, err := ParseURL(test.raw, netsafe.Policy{}); !errors.Is(err, netsafe.Refused) {
			t.Errorf("%q: %q, %v; want it refused", test.raw, got, err)
		}
		if got, err := ParseURL(test.raw, netsafe.Policy{AllowPrivate: true}); err != nil || got != test.want {
			t.Errorf("%q: %q, %v; want %q", test.raw, got, err, test.want)
		}
	}
}

func FuzzParseURL(f *testing.F) {
	f.Add("wss://relay.example:443/A?b#c")
	f.Add("wss://[::ffff:10.0.0.1]/")
	f.Add("ws://%31%32%37.0.0.1")
	f.Fuzz(func(t *testing.T, raw string) {
		got, err := ParseURL(raw, netsafe.Policy{})
		if err != nil {
			return
		}
		if again, err := ParseURL(got, netsafe.Policy{}); err != nil || again != got {
			t.Errorf("%q became %q, and that %q, %v", raw, got, again, err)
		}
		if !strings.HasPrefix(got, "wss://") || strings.ContainsAny(got, " \n\\#") || len(got) > maxURL+2 {
			t.Errorf("%q became %q", raw, got)
		}
	})
}
