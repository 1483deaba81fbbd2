package netsafe

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

var loopback = netip.MustParseAddr("127.0.0.1")

// site is a web server that notes each request.
type site struct {
	*httptest.Server
	mu   sync.Mutex
	seen []*http.Request
}

func (s *site) requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.seen)
}

func startSite(t *testing.T, secure bool, handler http.HandlerFunc) *site {
	t.Helper()
	s := new(site)
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.seen = append(s.seen, r)
		s.mu.Unlock()
		handler(w, r)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // failed handshakes are what some tests want
	if secure {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s
}

func roots(sites ...*site) *x509.CertPool {
	pool := x509.NewCertPool()
	for _, s := range sites {
		pool.AddCert(s.Certificate())
	}
	return pool
}

func ok(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("fine")) }

func TestNoRequestReachesALoopbackServerWithoutTheUsersWord(t *testing.T) {
	s := startSite(t, true, ok)
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	names := startNameServer(t, loopback, loopback)
	client := New(Policy{RootCAs: roots(s), Resolver: names.resolver})
	for _, host := range []string{
		"127.0.0.1", "127.1", "[::1]", "[::ffff:127.0.0.1]", "localhost", "rebound.example", "0.0.0.0", "2130706433",
	} {
		// As a relay, for its port is none of the web's.
		_, err := client.Fetch(t.Context(), Request{URL: "https://" + host + ":" + port, MaxBytes: 10, Relay: true})
		if !errors.Is(err, Refused) && !errors.Is(err, DNS) && !errors.Is(err, Offline) {
			t.Errorf("%s: %v, want it refused", host, err)
		}
	}
	if n := s.requests(); n != 0 {
		t.Errorf("%d requests came through", n)
	}
	if names.asked.Load() == 0 {
		t.Error("no name was looked up: the test tests nothing")
	}
}

func TestANameThatTurnsPrivateAfterTheFirstLookIsRefused(t *testing.T) {
	names := startNameServer(t, netip.MustParseAddr("1.1.1.1"), loopback)
	s := startSite(t, true, ok)
	addrs, err := names.resolver.LookupNetIP(t.Context(), "ip4", "rebound.example")
	if err != nil || len(addrs) != 1 || (Policy{}).CheckAddr(addrs[0]) != nil {
		t.Fatalf("the first look: %v, %v", addrs, err)
	}
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	client := New(Policy{RootCAs: roots(s), Resolver: names.resolver})
	if _, err := client.Fetch(t.Context(), Request{URL: "https://rebound.example:" + port, MaxBytes: 10, Relay: true}); !errors.Is(err, Refused) {
		t.Errorf("the second look: %v, want it refused", err)
	}
	if n := s.requests(); n != 0 {
		t.Errorf("%d requests came through", n)
	}
}

func TestRedirectsAreFewAndStayOnHTTPS(t *testing.T) {
	plain := startSite(t, false, ok)
	var s *site
	s = startSite(t, true, func(w http.ResponseWriter, r *http.Request) {
		switch to := strings.TrimPrefix(r.URL.Path, "/"); to {
		case "0":
			ok(w, r)
		case "1", "2", "3", "4", "5":
			http.Redirect(w, r, "/"+string(to[0]-1), http.StatusFound)
		case "plain":
			http.Redirect(w, r, plain.URL, http.StatusFound)
		case "password":
			http.Redirect(w, r, strings.Replace(s.URL, "https://", "https://a:b@", 1)+"/0", http.StatusFound)
		case "file":
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		}
	})
	client := New(Policy{AllowPrivate: true, RootCAs: roots(s)})
	tests := []struct {
		path    string
		allowed int
		err     error
	}{
		{"0", 0, nil},
		{"1", 0, Status},
		{"1", 1, nil},
		{"3", 3, nil},
		{"4", 3, Refused},
		{"2", 1, Refused},
		{"5", 100, Refused}, // never more than 3
		{"plain", 3, Refused},
		{"password", 3, Refused},
		{"file", 3, Refused},
	}
	for _, test := range tests {
		body, err := client.Fetch(t.Context(), Request{URL: s.URL + "/" + test.path, MaxBytes: 100, Redirects: test.allowed})
		if !errors.Is(err, test.err) {
			t.Errorf("%s with %d redirects: %v, want %v", test.path, test.allowed, err, test.err)
		}
		if err == nil && string(body) != "fine" {
			t.Errorf("%s: %q", test.path, body)
		}
	}
	if n := plain.requests(); n != 0 {
		t.Errorf("%d requests went out in the clear", n)
	}
	for _, r := range s.seen {
		if r.Header.Get("Referer") != "" || r.Header.Get("Cookie") != "" || r.UserAgent() != userAgent {
			t.Errorf("%s carried %v", r.URL, r.Header)
		}
	}
}

func TestARedirectToAPrivateAddressReachesNothing(t *testing.T) {
	// The first server is public to the policy of the test only by the name's
	// address; what it redirects to is checked again.
	inner := startSite(t, true, ok)
	u, err := url.Parse(inner.URL)
	if err != nil {
		t.Fatal(err)
	}
	client := New(Policy{RootCAs: roots(inner)})
	check := client.fetcher(Request{Redirects: 3, Relay: true})
	req := (&http.Request{URL: u, Header: http.Header{"Referer": {"https://x.example/secret"}}}).WithContext(t.Context())
	if err := check.CheckRedirect(req, []*http.Request{{}}); err != nil {
		t.Fatalf("the redirect's form is fine: %v", err)
	}
	if req.Header.Get("Referer") != "" {
		t.Error("the Referer stays")
	}
	if _, err := check.Do(&http.Request{Method: http.MethodGet, URL: u}); Classify("get", "", err) == nil || !errors.Is(Classify("get", "", err), Refused) {
		t.Errorf("the address it leads to: %v, want it refused", err)
	}
	if n := inner.requests(); n != 0 {
		t.Errorf("%d requests came through", n)
	}
}

func TestCookiesAreNeitherKeptNorSent(t *testing.T) {
	s := startSite(t, true, func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "id", Value: "1"})
		if r.URL.Path == "/a" {
			http.Redirect(w, r, "/b", http.StatusFound)
		}
	})
	client := New(Policy{AllowPrivate: true, RootCAs: roots(s)})
	for range 2 {
		if _, err := client.Fetch(t.Context(), Request{URL: s.URL + "/a", MaxBytes: 10, Redirects: 1}); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range s.seen {
		if len(r.Cookies()) > 0 {
			t.Errorf("%s carried %v", r.URL, r.Cookies())
		}
	}
	if len(s.seen) != 4 {
		t.Errorf("%d requests, want 4", len(s.seen))
	}
}

func TestTheEnvironmentsProxyIsNotUsed(t *testing.T) {
	proxy := startSite(t, false, ok)
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		t.Setenv(name, proxy.URL)
	}
	s := startSite(t, true, ok)
	client := New(Policy{AllowPrivate: true, RootCAs: roots(s)})
	if _, err := client.Fetch(t.Context(), Request{URL: s.URL, MaxBytes: 10}); err != nil {
		t.Fatal(err)
	}
	// net/http asks the environment once a process: look at the setting as well.
	if client.web.Proxy != nil || client.relay.Proxy != nil || proxy.requests() != 0 {
		t.Error("the proxy was used")
	}
}

func TestABodyIsReadNoFurtherThanItsLimit(t *testing.T) {
	s := startSite(t, true, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/exact":
			_, _ = w.Write([]byte(strings.Repeat("x", 1000)))
		case "/over":
			_, _ = w.Write([]byte(strings.Repeat("x", 1001)))
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			for range 1000 { // the client hangs up long before the end
				if _, err := z.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
			_ = z.Close()
		case "/headers":
			for i := range 2000 {
				w.Header().Add("X-Many", strings.Repeat("x", 100+i%2))
			}
		}
	})
	client := New(Policy{AllowPrivate: true, RootCAs: roots(s)})
	for path, want := range map[string]error{"/exact": nil, "/over": TooLarge, "/bomb": TooLarge, "/headers": Protocol} {
		if _, err := client.Fetch(t.Context(), Request{URL: s.URL + path, MaxBytes: 1000}); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
	}
}

func TestEachFailureHasItsKind(t *testing.T) {
	s := startSite(t, true, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/slow":
			<-r.Context().Done()
			panic(http.ErrAbortHandler) // or an answer of 200 would still be on its way
		case "/busy":
			w.Header().Set("Retry-After", "120")
			w.WriteHeader(http.StatusServiceUnavailable)
		case "/cut":
			panic(http.ErrAbortHandler)
		}
	})
	plain := startSite(t, false, ok)
	old := &site{Server: httptest.NewUnstartedServer(http.HandlerFunc(ok))}
	old.Config.ErrorLog = log.New(io.Discard, "", 0)
	old.TLS = &tls.Config{MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}
	old.StartTLS()
	t.Cleanup(old.Close)
	dead, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dead.Close()
	names := startNameServer(t, loopback, loopback)
	trusting := New(Policy{AllowPrivate: true, RootCAs: roots(s, old), Resolver: names.resolver})
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()

	tests := []struct {
		name   string
		client *Client
		ctx    context.Context
		url    string
		want   Kind
	}{
		{"no answer in time", trusting, t.Context(), s.URL + "/slow", Timeout},
		{"a status", trusting, t.Context(), s.URL + "/busy", Status},
		{"cut off", trusting, t.Context(), s.URL + "/cut", Unreachable},
		{"nobody listens", trusting, t.Context(), "https://" + dead.Addr().String(), Unreachable},
		{"an unknown authority", New(Policy{AllowPrivate: true, RootCAs: x509.NewCertPool()}), t.Context(), s.URL, TLS},
		{"another name's certificate", trusting, t.Context(), strings.Replace(s.URL, "127.0.0.1", "other.test", 1), TLS},
		{"plain HTTP where TLS belongs", trusting, t.Context(), strings.Replace(plain.URL, "http://", "https://", 1), TLS},
		{"TLS 1.1", trusting, t.Context(), old.URL, TLS},
		{"an unknown name", trusting, t.Context(), "https://no.such.example", DNS},
		{"the caller left", trusting, cancelled, s.URL, Cancelled},
		{"another scheme", trusting, t.Context(), "ftp://relay.example", Refused},
		{"plain HTTP", New(Policy{}), t.Context(), "http://relay.example", Refused},
		{"a password", New(Policy{}), t.Context(), "https://a:b@relay.example", Refused},
		{"no URL", New(Policy{}), t.Context(), "https://%zz", Refused},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.client.Fetch(test.ctx, Request{URL: test.url, MaxBytes: 10, Timeout: timeoutFor(test.want)})
			var failed *Error
			if !errors.As(err, &failed) || failed.Kind != test.want {
				t.Fatalf("%v, want kind %s", err, test.want)
			}
			if test.want == Status && (failed.Status != 503 || failed.RetryAfter != 2*time.Minute) {
				t.Errorf("%+v", failed)
			}
			if strings.Contains(err.Error(), "a:b") {
				t.Errorf("the password stands in %q", err)
			}
		})
	}
}

// timeoutFor is short only where the timeout is what is tested.
func timeoutFor(want Kind) time.Duration {
	if want == Timeout {
		return 50 * time.Millisecond
	}
	return 0
}

func TestNoWayToTheNetworkIsToldFromASilentServer(t *testing.T) {
	down := &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ENETUNREACH)}
	if err := Classify("dial", "x", down); !errors.Is(err, Offline) {
		t.Errorf("%v, want offline", err)
	}
	lookup := &net.DNSError{Err: "network is unreachable", UnwrapErr: down}
	if err := Classify("dial", "x", &url.Error{Op: "Get", URL: "https://x/?secret", Err: lookup}); !errors.Is(err, Offline) || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v, want offline, and no query", err)
	}
	if err := Classify("dial", "x", &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.EHOSTUNREACH)}); !errors.Is(err, Unreachable) {
		t.Errorf("%v, want unreachable", err)
	}
}

func TestRetryAfterIsReadInBothForms(t *testing.T) {
	date := "Tue, 14 Nov 2023 22:13:20 GMT"
	tests := []struct {
		value string
		want  time.Duration
	}{
		{"", 0},
		{"90", 90 * time.Second},
		{"-5", 0},
		{"99999999", 30 * time.Minute},
		{"99999999999999999999", 0},
		{"soon", 0},
		{"Tue, 14 Nov 2023 22:14:20 GMT", time.Minute},
		{"Tue, 14 Nov 2023 22:00:00 GMT", 0},
		{"Wed, 15 Nov 2023 22:00:00 GMT", 30 * time.Minute},
	}
	for _, test := range tests {
		if got := retryAfter(http.Header{"Retry-After": {test.value}, "Date": {date}}); got != test.want {
			t.Errorf("%q: %v, want %v", test.value, got, test.want)
		}
	}
}
