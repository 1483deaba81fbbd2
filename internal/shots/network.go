package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/binary"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// network is a small internet in this process: whoever looks a name up here is led
// to it, and nothing leads out. For the program there is no difference.
type network struct {
	names  []string
	server *http.Server

	mu    sync.Mutex
	hosts map[string]http.Handler // of names; who is not there now has no address
}

// startNetwork begins to serve hosts by their names, over https and wss, for as long
// as the process runs. The file of its certificates is in dir.
func startNetwork(dir string, names []string) (*network, error) {
	certificate, err := certify(names, filepath.Join(dir, "roots.pem"))
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:443")
	if err != nil {
		return nil, fmt.Errorf("%w; packaging/shots.sh gives the gallery a network of its own, in which that is permitted", err)
	}
	n := &network{names: names}
	n.server = &http.Server{Handler: http.HandlerFunc(n.serve), ReadHeaderTimeout: patience, ErrorLog: log.New(io.Discard, "", 0)}
	go func() {
		_ = n.server.Serve(tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{certificate}}))
	}()
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go n.answer(ours)
		return theirs, nil
	}}
	return n, nil
}

// connect puts hosts in the place of those before.
func (n *network) connect(hosts map[string]http.Handler) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.hosts = hosts
}

func (n *network) host(name string) http.Handler {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.hosts[name]
}

func (n *network) serve(w http.ResponseWriter, r *http.Request) {
	if h := n.host(r.Host); h != nil {
		h.ServeHTTP(w, r)
	}
}

// address is where a host is: nobody listens at that of one that is away.
func (n *network) address(name string) [4]byte {
	if r, ok := n.host(name).(*relay); ok && r.away {
		return [4]byte{127, 0, 0, 2}
	}
	return [4]byte{127, 0, 0, 1}
}

// answer answers one question for the address of a name, as DNS over TCP does.
func (n *network) answer(conn net.Conn) {
	defer conn.Close()
	var size uint16
	if binary.Read(conn, binary.BigEndian, &size) != nil {
		return
	}
	raw := make([]byte, size)
	var m dnsmessage.Message
	if _, err := io.ReadFull(conn, raw); err != nil || m.Unpack(raw) != nil || len(m.Questions) != 1 {
		return
	}
	q := m.Questions[0]
	m.Response, m.Additionals = true, nil
	switch name := q.Name.String(); {
	case n.host(name[:len(name)-1]) == nil:
		m.RCode = dnsmessage.RCodeNameError
	case q.Type == dnsmessage.TypeA:
		m.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
			Body:   &dnsmessage.AResource{A: n.address(name[:len(name)-1])},
		}}
	}
	reply, err := m.AppendPack(make([]byte, 2, 512))
	if err != nil {
		return
	}
	binary.BigEndian.PutUint16(reply, uint16(len(reply)-2)) //nolint:gosec // a message is shorter
	_, _ = conn.Write(reply)                                // whoever asked may be gone
}

// certify makes a certificate for some names, and the file of the one authority that
// this process believes from now on.
func certify(names []string, roots string) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Bowerbird's gallery"}, DNSNames: names,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, err
	}
	if err := os.WriteFile(roots, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		return tls.Certificate{}, err
	}
	if err := os.Setenv("SSL_CERT_FILE", roots); err != nil {
		return tls.Certificate{}, err
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}
