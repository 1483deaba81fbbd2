package netsafe

import (
	"errors"
	"net/netip"
	"testing"
)

// special are the forms of addresses behind which something private can stand.
var special = []struct {
	addr, what string
	user       bool // the user's own word opens it
}{
	{"127.0.0.1", "loopback", true},
	{"127.255.255.254", "the end of loopback", true},
	{"0.0.0.0", "this host", false},
	{"0.1.2.3", "this network", false},
	{"10.0.0.1", "private", true},
	{"172.16.0.1", "private", true},
	{"172.31.255.255", "the end of a private network", true},
	{"192.168.1.1", "private", true},
	{"100.64.0.1", "carrier NAT", true},
	{"169.254.169.254", "a cloud's metadata", false},
	{"169.254.0.1", "link-local", false},
	{"192.0.0.8", "IETF protocols", false},
	{"192.0.2.1", "documentation", false},
	{"198.18.0.1", "benchmarks", false},
	{"198.51.100.1", "documentation", false},
	{"203.0.113.1", "documentation", false},
	{"224.0.0.1", "multicast", false},
	{"240.0.0.1", "reserved", false},
	{"255.255.255.255", "broadcast", false},
	{"::", "unspecified", false},
	{"::1", "loopback", true},
	{"::ffff:127.0.0.1", "loopback in IPv6 clothes", true},
	{"::ffff:169.254.169.254", "metadata in IPv6 clothes", false},
	{"64:ff9b::7f00:1", "loopback through NAT64", false},
	{"2002:7f00:1::", "loopback through 6to4", false},
	{"fc00::1", "unique local", true},
	{"fe80::1", "link-local", false},
	{"ff02::1", "multicast", false},
	{"2001:db8::1", "documentation", false},
	{"2001::1", "Teredo", false},
	{"::127.0.0.1", "loopback in the old mapping", false},
}

func TestSpecialAddressesAreRefused(t *testing.T) {
	if len(special) < 27 {
		t.Fatalf("%d forms, the design asks for 27", len(special))
	}
	for _, s := range special {
		addr := netip.MustParseAddr(s.addr)
		if err := (Policy{}).CheckAddr(addr); !errors.Is(err, Refused) {
			t.Errorf("%s (%s): %v, want it refused", s.addr, s.what, err)
		}
		if err := (Policy{AllowPrivate: true}).CheckAddr(addr); (err == nil) != s.user {
			t.Errorf("%s (%s) on the user's word: %v, want permitted %v", s.addr, s.what, err, s.user)
		}
		// The dialer's own check, which sees what the name resolved to.
		network, target := "tcp6", netip.AddrPortFrom(addr, 443).String()
		if addr.Is4() {
			network = "tcp4"
		}
		if err := (Policy{}).control(webPorts)(network, target, nil); !errors.Is(err, Refused) {
			t.Errorf("dial %s (%s): %v, want it refused", s.addr, s.what, err)
		}
	}
}

func TestPublicAddressesArePermitted(t *testing.T) {
	for _, s := range []string{"1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:1.1.1.1"} {
		for _, p := range []Policy{{}, {AllowPrivate: true}} {
			if err := p.CheckAddr(netip.MustParseAddr(s)); err != nil {
				t.Errorf("%s with %v: %v", s, p.AllowPrivate, err)
			}
		}
	}
}

func TestPortsAreThoseOfTheirUse(t *testing.T) {
	tests := []struct {
		port       uint16
		web, relay bool
	}{
		{80, true, true},
		{443, true, true},
		{8080, true, true},
		{8443, true, true},
		{22, false, false},
		{25, false, false},
		{53, false, false},
		{1023, false, false},
		{1024, false, true},
		{7777, false, true},
		{65535, false, true},
		{0, false, false},
	}
	for _, test := range tests {
		target := netip.AddrPortFrom(netip.MustParseAddr("1.1.1.1"), test.port).String()
		if err := (Policy{}).control(webPorts)("tcp4", target, nil); (err == nil) != test.web {
			t.Errorf("web port %d: %v", test.port, err)
		}
		if err := (Policy{}).control(relayPorts)("tcp4", target, nil); (err == nil) != test.relay {
			t.Errorf("relay port %d: %v", test.port, err)
		}
		if err := (Policy{}).CheckRelayPort(test.port); (err == nil) != test.relay {
			t.Errorf("check relay port %d: %v", test.port, err)
		}
		if err := (Policy{AllowPrivate: true}).control(webPorts)("tcp4", target, nil); err != nil {
			t.Errorf("port %d on the user's word: %v", test.port, err)
		}
	}
	if err := (Policy{AllowPrivate: true}).control(webPorts)("udp4", "1.1.1.1:443", nil); !errors.Is(err, Refused) {
		t.Errorf("UDP: %v, want it refused", err)
	}
}
