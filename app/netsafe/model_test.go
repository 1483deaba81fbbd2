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
	client, err := ForModel(s.URL + "/v1")
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
		if _, err := ForModel(base); !errors.Is(err, Refused) {
			t.Errorf("%q: %v, want it refused", base, err)
		}
	}
	public := startNameServer(t, netip.MustParseAddr("1.1.1.1"), netip.MustParseAddr("1.1.1.1"))
	client, err := forModel("http://models.example/v1", Policy{Resolver: public.resolver})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Get("http://models.example/v1"); !errors.Is(Classify("get", "", err), Refused) {
		t.Errorf("plain http to a public address: %v, want it refused", err)
	}
}
