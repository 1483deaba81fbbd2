package netsafe

import (
	"crypto/x509"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"syscall"

	"code.dny.dev/ssrf"
)

// Policy is what may be reached. The zero value is for addresses that strangers wrote: public
// hosts, on the ports of web servers and relays.
type Policy struct {
	// AllowPrivate permits loopback and private networks, any port, and plain ws:// and
	// http://. It is for addresses that the user typed, never for those in notes.
	AllowPrivate bool

	// Resolver resolves names; nil means the system's resolver.
	Resolver *net.Resolver
	// RootCAs verify servers; nil means the system's certificates.
	RootCAs *x509.CertPool
}

type portRule func(port uint16) bool

// webPorts are the ports of web pages, pictures and NIP-05 documents.
func webPorts(port uint16) bool {
	return slices.Contains([]uint16{80, 443, 8080, 8443}, port)
}

// relayPorts include all ports from 1024 on, since relays run on many. Other system ports
// are excluded, since mail, name and shell servers listen there.
func relayPorts(port uint16) bool {
	return port == 80 || port == 443 || port >= 1024
}

func anyPort(uint16) bool { return true }

// The networks that AllowPrivate permits. Link-local networks, with the metadata servers of
// cloud providers, remain forbidden.
var (
	privateV4 = []netip.Prefix{
		netip.MustParsePrefix("127.0.0.0/8"),
		netip.MustParsePrefix("10.0.0.0/8"),
		netip.MustParsePrefix("172.16.0.0/12"),
		netip.MustParsePrefix("192.168.0.0/16"),
		netip.MustParsePrefix("100.64.0.0/10"),
	}
	privateV6 = []netip.Prefix{
		netip.MustParsePrefix("::1/128"),
		netip.MustParsePrefix("fc00::/7"),
	}
)

func (p Policy) guardian() *ssrf.Guardian {
	opts := []ssrf.Option{ssrf.WithAnyPort()}
	if p.AllowPrivate {
		opts = append(opts, ssrf.WithAllowedV4Prefixes(privateV4...), ssrf.WithAllowedV6Prefixes(privateV6...))
	}
	return ssrf.New(opts...)
}

// CheckAddr returns nil if the policy permits an address, else an [*Error] of kind [Refused].
// An IPv4-mapped IPv6 address is treated as the IPv4 address.
func (p Policy) CheckAddr(addr netip.Addr) error {
	if err := p.guardian().SafeAddr(addr.Unmap()); err != nil {
		return &Error{Kind: Refused, Op: "check address", Host: addr.String(), Err: err}
	}
	return nil
}

// CheckRelayPort returns nil if relays may be dialled at a port, else an [*Error] of kind
// [Refused].
func (p Policy) CheckRelayPort(port uint16) error {
	if p.AllowPrivate || relayPorts(port) {
		return nil
	}
	return &Error{Kind: Refused, Op: "check port", Err: fmt.Errorf("port %d is not one that relays use", port)}
}

// control returns the check between name resolution and connecting: see [net.Dialer].Control.
func (p Policy) control(ports portRule) dialCheck {
	guard := p.guardian()
	if p.AllowPrivate {
		ports = anyPort
	}
	return func(network, address string, _ syscall.RawConn) error {
		target, err := netip.ParseAddrPort(address)
		if err != nil {
			return &Error{Kind: Refused, Op: "dial", Host: address, Err: err}
		}
		if network != "tcp4" && network != "tcp6" {
			return &Error{Kind: Refused, Op: "dial", Host: address, Err: fmt.Errorf("network %q is not TCP", network)}
		}
		if !ports(target.Port()) {
			return &Error{Kind: Refused, Op: "dial", Host: address, Err: fmt.Errorf("port %d is not permitted", target.Port())}
		}
		if err := guard.SafeAddr(target.Addr().Unmap()); err != nil {
			return &Error{Kind: Refused, Op: "dial", Host: address, Err: err}
		}
		return nil
	}
}
