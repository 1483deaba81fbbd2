package netsafe

import (
	"errors"
	"net/http"
	"net/netip"
	"strings"
	"testing"
)

func TestTheModelsKeyGoesToItsServerOnly(t *testing.T) {
	other := startSite(t, false, ok)
	s := startSite(t, false, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/redirect" {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		}
	})
	client, err := ForServer(s.URL + "/v1")
	if err != nil {
		t.Fatal(err)
	}
	call := func(url string) (int, error) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer secret")
		resp, err := client.Do(req)
		if err != nil {
			return 0, err
		}
		defer resp.Body.Close()
		return resp.StatusCode, nil
	}
	if status, err := call(s.URL + "/v1/chat"); err != nil || status != 200 {
		t.Errorf("its own server: %d, %v", status, err)
	}
	if status, err := call(s.URL + "/redirect"); err != nil || status != 307 {
		t.Errorf("a redirect: %d, %v; want it as the answer", status, err)
	}
	if _, err := call(other.URL); !errors.Is(Classify("call", "", err), Refused) {
		t.Errorf("another server: %v, want it refused", err)
	}
	if n := other.requests(); n != 0 {
		t.Errorf("%d requests reached another server", n)
	}
}

func TestAModelServerIsWhatTheUserMayType(t *testing.T) {
	for _, base := range []string{"", "ftp://x", "localhost:11434", "https://", "https://user:key@host/v1", "https://%zz"} {
		if _, err := ForServer(base); !errors.Is(err, Refused) {
			t.Errorf("%q: %v, want it refused", base, err)
		}
	}
	public := startNameServer(t, netip.MustParseAddr("1.1.1.1"), netip.MustParseAddr("1.1.1.1"))
	client, err := forServer("http://models.example/v1", Policy{Resolver: public.resolver})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Get("http://models.example/v1"); !errors.Is(Classify("get", "", err), Refused) {
		t.Errorf("plain http to a public address: %v, want it refused", err)
	}
}

func TestANameOfThisComputerLeadsToNoOther(t *testing.T) {
	for _, elsewhere := range []string{"10.0.0.1", "1.1.1.1", "169.254.169.254"} {
		names := startNameServer(t, netip.MustParseAddr(elsewhere), netip.MustParseAddr(elsewhere))
		for _, base := range []string{"http://models.localhost/v1", "https://MODELS.localhost./v1"} {
			client, err := forServer(base, Policy{Resolver: names.resolver})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := client.Get(base); !errors.Is(Classify("get", "", err), Refused) {
				t.Errorf("%s, said to be at %s: %v, want it refused", base, elsewhere, err)
			}
		}
		if names.asked.Load() == 0 {
			t.Error("nobody asked where the name leads to")
		}
	}
}

func TestThisComputerHasFewNames(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LocalHost.": true, "a.localhost": true, "127.0.0.1": true, "127.9.9.9": true, "::1": true, "::ffff:127.0.0.1": true,
		"": false, "0.0.0.0": false, "::": false, "192.168.1.9": false, "10.0.0.1": false, "fd00::2": false, "nas.local": false,
		"localhost.example": false, "notlocalhost": false, "127.0.0.1.example": false, "128.0.0.1": false,
	} {
		if got := OnThisComputer(host); got != want {
			t.Errorf("%q: %v, want %v", host, got, want)
		}
	}
}
