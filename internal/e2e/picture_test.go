package e2e

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
)

const (
	// serveInto makes the test's own program a server of pictures; it names the file
	// that takes a line for each request.
	serveInto = "BOWERBIRD_TEST_SERVE"
	// publicAddress is one of the internet's. In a network of the test's own it leads
	// to the test.
	publicAddress = "93.184.215.14"
)

// violet is what the picture is made of, and nothing of the window's.
var violet = color.NRGBA{0x9b, 0x2f, 0xc4, 0xff}

// island runs a program in a network of its own, with nothing in it but the server:
// Bowerbird fetches pictures from public addresses alone, and it is not to know better
// here. The program, its settings and what it may do are those of every user.
const island = `#!/bin/sh
exec unshare --map-root-user --net --mount --pid --fork --kill-child sh -c '
	ip link set lo up && ip addr add ` + publicAddress + `/32 dev lo && mount --bind "$HOSTS" /etc/hosts || exit 1
	"$SERVER" -test.run "^TestServePictures$" & server=$!
	"$PROGRAM" "$@"; code=$?
	kill $server; exit $code' sh "$@" # whatever is left of it ends with it
`

// TestServePictures is no test but the server on the island.
func TestServePictures(t *testing.T) {
	file := os.Getenv(serveInto)
	if file == "" {
		t.Skip("it is run by the test of pictures")
	}
	listener, err := net.Listen("tcp", publicAddress+":443")
	if err != nil {
		t.Fatal(err)
	}
	lake := image.NewNRGBA(image.Rect(0, 0, 600, 400))
	draw.Draw(lake, lake.Bounds(), image.NewUniform(violet), image.Point{}, draw.Src)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		line, _ := json.Marshal(map[string]any{"path": r.URL.Path, "header": r.Header}) // strings all
		f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			_, _ = f.Write(append(line, '\n')) // the test misses it
			_ = f.Close()
		}
		_ = png.Encode(w, lake) // the client's matter
	}))
	server.Listener = listener
	server.StartTLS()
	time.Sleep(10 * time.Minute) // until it is ended
}

// onIsland puts an installation on the island and returns the file of the requests.
func onIsland(t *testing.T, p *program) (requests string) {
	t.Helper()
	if err := exec.Command("unshare", "--map-root-user", "--net", "--mount", "--pid", "--fork", "ip", "link", "show", "lo").Run(); err != nil {
		t.Skipf("this system makes no network of one's own (unshare, ip): %v", err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	known := httptest.NewTLSServer(nil) // it has the certificate that all of its kind have: of example.com
	known.Close()
	root := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: known.Certificate().Raw})
	requests = filepath.Join(dir, "requests")
	p.env = append(p.env, "PROGRAM="+p.bin, "SERVER="+self, serveInto+"="+requests,
		"HOSTS="+write("hosts", publicAddress+" example.com\n", 0o644), "SSL_CERT_FILE="+write("roots.pem", string(root), 0o644))
	p.bin = write("island", island, 0o700)
	return requests
}

// TestAPictureIsFetchedAfterAClickAndNotBefore shows a note with a picture in the real
// window, which fetches it when it is asked for, and from the disk the next time.
func TestAPictureIsFetchedAfterAClickAndNotBefore(t *testing.T) {
	p := installed(t)
	me, ada := testkit.NewKey("me"), testkit.NewKey("ada")
	now := time.Now().Unix()
	events := [][]byte{
		me.Event(t, 3, now-9000, "", []string{"p", ada.PubKey}),
		ada.Event(t, 0, now-9000, `{"name":"Ada"}`),
		ada.Event(t, 1, now-600, "The lake this morning https://example.com/lake.png"),
	}
	stdin := ""
	for _, e := range events {
		stdin += string(e) + "\n"
	}
	if r := p.run(t, stdin, "import", "-"); r.code != 0 {
		t.Fatal(r.err)
	}
	pk, err := nostr.ParsePubKey(me.PubKey)
	if err != nil {
		t.Fatal(err)
	}
	settings := fmt.Sprintf("[person]\nkey = %q\n[sync]\nindexers = [\"wss://127.0.0.1\"]\n", pk.Npub())
	if err := os.WriteFile(filepath.Join(p.data, "settings.toml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	requests := onIsland(t, p)
	d := newDisplay(t, "1300x900")
	for _, round := range []string{"first", "second"} {
		w := d.openWindow(p)
		w.wait("picture:*")
		w.keep("picture-1-" + round)
		if n := violets(w.shot()); n > 0 {
			t.Errorf("%s: the picture is there before it is asked for", round)
		}
		if got, _ := os.ReadFile(requests); round == "first" && len(got) > 0 {
			t.Errorf("fetched before the click: %s", got)
		}
		w.click("picture:*")
		w.until("the picture", func() bool { return violets(w.shot()) > 10_000 })
		w.keep("picture-2-" + round)
		w.quit()
	}
	got, err := os.ReadFile(requests)
	if err != nil || strings.Count(string(got), "\n") != 1 {
		t.Errorf("it was fetched once and then from the disk, but: %s %v", got, err)
	}
	asked := decode[struct {
		Path   string
		Header http.Header
	}](t, strings.SplitN(string(got), "\n", 2)[0])
	if h := asked.Header; asked.Path != "/lake.png" || h.Get("User-Agent") != "Bowerbird" || h.Get("Cookie")+h.Get("Referer") != "" {
		t.Errorf("it was asked for with %+v", asked)
	}
}

// violets counts the pixels of the picture.
func violets(img image.Image) (n int) {
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			if rgb(img, x, y) == violet {
				n++
			}
		}
	}
	return n
}
