package mcp

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Limits of what a host may send and leave open.
const (
	bodyLimit   = 1 << 20
	headerLimit = 64 << 10
	headerWait  = 10 * time.Second
	idleSession = time.Hour
)

// Listen opens an address for Handler, such as "localhost:3001". It refuses every address
// that another computer could reach.
func Listen(address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%s: want an address such as localhost:3001", address)
	}
	if host == "localhost" {
		host = "127.0.0.1" // whatever this computer's names say
	}
	if ip, err := netip.ParseAddr(host); err != nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("%s: only this computer may connect: want localhost, 127.0.0.1 or [::1]", address)
	}
	return net.Listen("tcp", net.JoinHostPort(host, port))
}

// Server returns a server of streamable HTTP at /mcp, which answers whoever has the token.
func Server(token string, opt Options) *http.Server {
	server := newServer(opt)
	streams := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server },
		&sdk.StreamableHTTPOptions{MaxRequestBodyBytes: bodyLimit, SessionTimeout: idleSession})
	return &http.Server{
		Handler: guarded(token, streams), ReadHeaderTimeout: headerWait, MaxHeaderBytes: headerLimit,
	}
}

// guarded passes on to next what a program of this computer sends with the token. Web pages
// can reach loopback too: by their own origin, or by a name that they made lead here.
func guarded(token string, next http.Handler) http.Handler {
	want := sha256.Sum256([]byte("Bearer " + token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got := sha256.Sum256([]byte(r.Header.Get("Authorization")))
		switch origin := r.Header.Get("Origin"); {
		case !isLocal(r.Host):
			http.Error(w, "the host must be localhost, 127.0.0.1 or [::1]", http.StatusForbidden)
		case origin != "" && !isLocalOrigin(origin):
			http.Error(w, "web pages of this origin may not connect", http.StatusForbidden)
		case r.URL.Path != "/mcp":
			http.NotFound(w, r)
		case subtle.ConstantTimeCompare(got[:], want[:]) != 1:
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, `the token is missing or wrong; "bowerbird mcp token" prints it`, http.StatusUnauthorized)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// isLocal reports whether a host, with or without a port, is this computer by its address
// or by the one name that cannot lead elsewhere.
func isLocal(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

func isLocalOrigin(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && isLocal(u.Host)
}

// Closed reports whether the error of a Server is that of its end.
func Closed(err error) bool { return errors.Is(err, http.ErrServerClosed) }
