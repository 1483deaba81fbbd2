package mcp

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// served starts a server on loopback with the token "right".
func served(t *testing.T) (address string) {
	t.Helper()
	listener, err := Listen("localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	server := Server("right", Options{Call: func(context.Context, string, json.RawMessage, int) (json.RawMessage, error) {
		return json.RawMessage(`{"n":1}`), nil
	}})
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	t.Cleanup(func() {
		_ = server.Close()
		if err := <-done; !Closed(err) {
			t.Error(err)
		}
	})
	return listener.Addr().String()
}

func TestOnlyAProgramOfThisComputerWithTheTokenIsAnswered(t *testing.T) {
	address := served(t)
	for name, tc := range map[string]struct {
		host, origin, token, path, body string
		want                            int
	}{
		"right":                       {token: "Bearer right", want: 200},
		"right, by name":              {token: "Bearer right", host: "localhost:3001", want: 200},
		"right, from a local page":    {token: "Bearer right", origin: "http://localhost:6274", want: 200},
		"no token":                    {want: 401},
		"wrong token":                 {token: "Bearer wrong", want: 401},
		"no bearer":                   {token: "right", want: 401},
		"foreign origin":              {token: "Bearer right", origin: "https://evil.example", want: 403},
		"no origin that one can name": {token: "Bearer right", origin: "null", want: 403},
		"origin that begins alike":    {token: "Bearer right", origin: "http://localhost.evil.example", want: 403},
		"foreign host":                {token: "Bearer right", host: "evil.example:3001", want: 403},
		"host that begins alike":      {token: "Bearer right", host: "127.0.0.1.evil.example", want: 403},
		"another path":                {token: "Bearer right", path: "/", want: 404},
		"10 MB":                       {token: "Bearer right", body: hello + strings.Repeat(" ", 10<<20), want: 413},
	} {
		t.Run(name, func(t *testing.T) {
			path, body := "/mcp", hello
			if tc.path != "" {
				path = tc.path
			}
			if tc.body != "" {
				body = tc.body
			}
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+path, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			req.Host = tc.host
			for key, value := range map[string]string{"Origin": tc.origin, "Authorization": tc.token, "Content-Type": "application/json", "Accept": "application/json, text/event-stream"} {
				if value != "" {
					req.Header.Set(key, value)
				}
			}
			resp, err := new(http.Transport).RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = resp.Body.Close() }()
			if resp.StatusCode != tc.want || resp.Header.Get("Access-Control-Allow-Origin") != "" {
				said, _ := io.ReadAll(resp.Body)
				t.Errorf("%d, want %d: %s", resp.StatusCode, tc.want, said)
			}
		})
	}
}

type withToken struct{}

func (withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer right")
	return http.DefaultTransport.RoundTrip(r)
}

func TestAHundredHostsAtOnceAreAnswered(t *testing.T) {
	address := served(t)
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
				Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: "http://" + address + "/mcp", HTTPClient: &http.Client{Transport: withToken{}}}, nil)
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = session.Close() }()
			r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "count"})
			if err != nil || r.IsError || text(t, r) != `{"n":1}` {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
	all.Wait()
}

func TestNothingListensForOtherComputers(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", "[::]:0", ":0", "192.168.1.2:0", "example.com:0", "3001", ""} {
		if l, err := Listen(address); err == nil {
			_ = l.Close()
			t.Errorf("%q is listened on", address)
		}
	}
}
