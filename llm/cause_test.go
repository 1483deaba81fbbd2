package llm

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"bowerbird/netsafe"
)

// certificate makes one for 127.0.0.1 or for a name, signed by itself.
func certificate(t *testing.T, name string, from, until time.Time) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: from, NotAfter: until,
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	if ip := net.ParseIP(name); ip != nil {
		about.IPAddresses = []net.IP{ip}
	} else {
		about.DNSNames = []string{name}
	}
	raw, err := x509.CreateCertificate(rand.Reader, about, about, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(leaf)
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key}, pool
}

// answering starts a server, with TLS where set is called for it.
func answering(t *testing.T, set func(*tls.Config), h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	if s.TLS = (&tls.Config{}); set == nil {
		s.TLS = nil
		s.Start()
	} else {
		set(s.TLS)
		s.StartTLS()
	}
	t.Cleanup(s.Close)
	return s.URL
}

func TestTheCauseOfABrokenConnectionIsReported(t *testing.T) {
	now := time.Now()
	good, trusted := certificate(t, "127.0.0.1", now.Add(-time.Hour), now.Add(time.Hour))
	over, trustedOver := certificate(t, "127.0.0.1", now.Add(-48*time.Hour), now.Add(-time.Hour))
	early, trustedEarly := certificate(t, "127.0.0.1", now.Add(time.Hour), now.Add(48*time.Hour))
	other, trustedOther := certificate(t, "hotel.example", now.Add(-time.Hour), now.Add(time.Hour))
	with := func(c tls.Certificate) func(*tls.Config) {
		return func(to *tls.Config) { to.Certificates = []tls.Certificate{c} }
	}
	nothing := func(http.ResponseWriter, *http.Request) {}
	hangUp := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	status := func(status int, said string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, said)
		}
	}

	for name, tt := range map[string]struct {
		base  string
		trust *x509.CertPool
		cause Cause
		kind  ErrorKind
		again bool
	}{
		"a certificate that nobody signed":     {answering(t, with(good), nothing), x509.NewCertPool(), CauseUntrusted, KindTransport, false},
		"a certificate that is over":           {answering(t, with(over), nothing), trustedOver, CauseExpired, KindTransport, false},
		"a certificate that does not hold yet": {answering(t, with(early), nothing), trustedEarly, CauseExpired, KindTransport, false},
		"a certificate of another name":        {answering(t, with(other), nothing), trustedOther, CauseOtherName, KindTransport, false},
		"http behind https://":                 {strings.Replace(answering(t, nil, nothing), "http:", "https:", 1), trusted, CauseNoTLS, KindTransport, false},
		"https behind http://":                 {strings.Replace(answering(t, with(good), nothing), "https:", "http:", 1), trusted, CauseWantsTLS, KindBadRequest, false},
		"https behind http://, in its own way": {alertOnly(t), trusted, CauseWantsTLS, KindTransport, false},
		"an encryption that is too old": {
			answering(t, func(c *tls.Config) { with(good)(c); c.MaxVersion = tls.VersionTLS11; c.MinVersion = tls.VersionTLS10 }, nothing),
			trusted, CauseTLS, KindTransport, false,
		},
		"a server that hangs up": {answering(t, nil, hangUp), nil, CauseCut, KindTransport, true},
		"a server that hangs up in the middle": {answering(t, nil, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "data: {\"choices\":[{\"delta\":{\"content\":\"Half\"}}]}\n\n")
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}), nil, CauseCut, KindTransport, true},
		"a server that is not there": {gone.URL, nil, CauseNobody, KindOffline, false},
		"a proxy that wants a name":  {answering(t, nil, status(407, "<html>sign in")), nil, CauseProxy, KindBadRequest, false},
		"nginx, asked without TLS":   {answering(t, nil, status(400, "<html>…The plain HTTP request was sent to HTTPS port")), nil, CauseWantsTLS, KindBadRequest, false},
		"a request that is wrong":    {answering(t, nil, status(400, "what?")), nil, CauseUnknown, KindBadRequest, false},
	} {
		t.Run(name, func(t *testing.T) {
			row, _ := FindProvider("custom")
			client, err := New(Options{
				Provider: row, Model: "m", BaseURL: tt.base + "/v1", Tries: -1,
				HTTP: &http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: tt.trust, MinVersion: tls.VersionTLS12}}},
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, err := range client.Stream(t.Context(), &Request{Messages: []Message{{Role: User, Text: "hello"}}}) {
				if err == nil {
					continue
				}
				var e *Error
				if !errors.As(err, &e) || e.Cause != tt.cause || e.Kind != tt.kind || e.mayPass() != tt.again {
					t.Errorf("got %+v, cause %q", err, CauseOf(err))
				}
				return
			}
			t.Error("it went well")
		})
	}
}

// alertOnly is a server that answers http with an alert of TLS, as many do.
func alertOnly(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 4096))
			_, _ = io.WriteString(c, "\x15\x03\x01\x00\x02\x02\x16")
			_ = c.Close()
		}
	}()
	return "http://" + l.Addr().String()
}

func TestErrorsOfTheSystemAreDistinguished(t *testing.T) {
	dial := func(err error) error { return &net.OpError{Op: "dial", Err: err} }
	for name, tt := range map[string]struct {
		err  error
		want Cause
	}{
		"no such name":              {&net.DNSError{Err: "no such host", IsNotFound: true}, CauseName},
		"nobody who knows names":    {&net.DNSError{Err: "server misbehaving", IsTemporary: true}, CauseUnknown},
		"refused":                   {dial(os.NewSyscallError("connect", netsafe.ConnRefused)), CauseNobody},
		"no way to the computer":    {dial(os.NewSyscallError("connect", netsafe.HostUnreachable)), CauseNoAnswer},
		"no way to any network":     {dial(os.NewSyscallError("connect", netsafe.NetUnreachable)), CauseUnknown},
		"nothing came back":         {dial(os.ErrDeadlineExceeded), CauseNoAnswer},
		"reset":                     {&net.OpError{Op: "read", Err: os.NewSyscallError("read", netsafe.ConnReset)}, CauseCut},
		"an answer that ends early": {fmt.Errorf("reading: %w", io.ErrUnexpectedEOF), CauseCut},
		"an address that is never":  {&netsafe.Error{Kind: netsafe.Refused}, CausePolicy},
		"http over the internet":    {&netsafe.Error{Kind: netsafe.Refused, Err: netsafe.ErrPlainHTTP}, CausePlainHTTP},
		"a limit of our own":        {context.DeadlineExceeded, CauseUnknown},
		"stopped":                   {dial(context.Canceled), CauseUnknown},
		"what was known already":    {fmt.Errorf("asking: %w", &Error{Cause: CauseProxy}), CauseProxy},
		"nothing":                   {nil, CauseUnknown},
	} {
		if got := CauseOf(tt.err); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}
