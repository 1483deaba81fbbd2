package netsafe

import (
	"context"
	"encoding/binary"
	"net"
	"net/netip"
	"sync/atomic"
	"testing"
)

// nameServer answers every question for an IPv4 address over real DNS on
// loopback: with the first address for the first question, with the second
// from then on, which is what rebinding does. For "no.such.example" there is none.
type nameServer struct {
	resolver *net.Resolver
	asked    atomic.Int32
}

func startNameServer(t *testing.T, first, then netip.Addr) *nameServer {
	t.Helper()
	conn, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	s := new(nameServer)
	go func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			if reply := s.answer(buf[:n], first, then); reply != nil {
				_, _ = conn.WriteTo(reply, from) // the test then times out and says so
			}
		}
	}()
	s.resolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp4", conn.LocalAddr().String())
	}}
	return s
}

// answer makes the reply (RFC 1035): the question again, and one address record.
func (s *nameServer) answer(query []byte, first, then netip.Addr) []byte {
	end := 12
	for end < len(query) && query[end] != 0 {
		end += int(query[end]) + 1
	}
	if end += 5; end > len(query) { // the final 0, type, class
		return nil
	}
	reply := append([]byte(nil), query[:end]...)
	reply[2], reply[3] = 0x81, 0x80             // an answer, recursion done
	copy(reply[6:12], []byte{0, 0, 0, 0, 0, 0}) // no records yet
	if query[13] == 'n' && query[14] == 'o' && query[12] == 2 {
		reply[3] |= 3 // no such name
		return reply
	}
	if binary.BigEndian.Uint16(query[end-4:]) != 1 { // not for IPv4
		return reply
	}
	addr := then
	if s.asked.Add(1) == 1 {
		addr = first
	}
	reply[7] = 1
	reply = append(reply, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
	return append(reply, addr.AsSlice()...)
}
