package pictures

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/netsafe"
)

func TestEachKindIsShown(t *testing.T) {
	s := serve(t, map[string][]byte{
		"/png": pngOf(t, photo(40, 20)), "/jpeg": jpegOf(t, photo(40, 20)), "/gif": gifOf(t, photo(40, 20)),
		"/lossless": lossless(t), "/lossy": lossy(t),
	})
	l := local("")
	for path, want := range map[string]image.Point{
		"/png": {40, 20}, "/jpeg": {40, 20}, "/gif": {40, 20}, "/lossless": {1, 1}, "/lossy": {1, 1},
	} {
		img, err := l.Load(t.Context(), s.URL+path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if got := img.Bounds().Size(); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

func TestALargePictureIsMadeSmallAndKeepsItsColours(t *testing.T) {
	for _, size := range []image.Point{{3000, 1500}, {1025, 10}, {10, 2048}, {1999, 1999}, {1024, 1024}, {4097, 1}} {
		out := small(photo(size.X, size.Y), upright)
		got := out.Rect.Size()
		if max(got.X, got.Y) > maxShown || min(got.X, got.Y) < 1 {
			t.Errorf("%v became %v", size, got)
		}
		if max(size.X, size.Y) >= maxShown && max(got.X, got.Y) < maxShown/2 {
			t.Errorf("%v became %v: too small", size, got)
		}
		if size.X < 100 {
			continue
		}
		if l, r := out.RGBAAt(got.X/8, got.Y/2), out.RGBAAt(got.X*7/8, got.Y/2); l.R < 0xc8 || l.B > 0x28 || r.B < 0xc8 || r.R > 0x28 || l.A != 0xff {
			t.Errorf("%v: left %v, right %v", size, l, r)
		}
	}
}

func TestACameraHeldOnItsSideIsTurned(t *testing.T) {
	// One tag, Orientation, in the order of bytes of each maker.
	little := "Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00"
	big := "Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00"
	for _, exif := range []string{little, big} {
		data := jpegOf(t, photo(40, 20))
		segment := append([]byte{0xff, 0xe1, 0, byte(len(exif) + 2)}, exif...)
		data = append(data[:2:2], append(segment, data[2:]...)...)
		img, err := local("").decode(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		if img.Rect.Dx() != 20 || img.Rect.Dy() != 40 {
			t.Fatalf("%v, want 20 by 40", img.Rect)
		}
		if top, low := img.RGBAAt(10, 4), img.RGBAAt(10, 36); top.R < 0xa0 || low.B < 0xa0 {
			t.Errorf("above %v, below %v: what was left is now above", top, low)
		}
	}
}

func TestEachTurnPutsTheFirstPixelWhereItBelongs(t *testing.T) {
	want := map[orientation]image.Point{1: {0, 0}, 2: {2, 0}, 3: {2, 1}, 4: {0, 1}, 5: {0, 0}, 6: {1, 0}, 7: {1, 2}, 8: {0, 2}}
	for turn, at := range want {
		src := image.NewRGBA(image.Rect(0, 0, 3, 2))
		src.Pix[0], src.Pix[3] = 0xff, 0xff
		if got := upend(src, turn).RGBAAt(at.X, at.Y); got.R != 0xff {
			t.Errorf("orientation %d: the first pixel is not at %v", turn, at)
		}
	}
}

func TestOnlyHTTPSOnPublicAddressesIsFetched(t *testing.T) {
	s := serve(t, nil)
	l := New(Options{Web: netsafe.New(netsafe.Policy{})})
	for _, address := range []string{
		s.URL + "/a.png", strings.Replace(s.URL, "http:", "https:", 1) + "/a.png", "https://localhost/a.png", "https://10.0.0.1/a.png",
		"https://user:word@example.com/a.png", "file:///etc/passwd", "data:image/png;base64,AAAA", "ftp://example.com/a.png",
		"//example.com/a.png", "a.png", "", "https://", "https://" + strings.Repeat("a", 5000) + ".example/",
	} {
		if _, err := l.Load(t.Context(), address); troubleOf(err) != BadAddress {
			t.Errorf("%.60s: error %v, want %q", address, err, BadAddress)
		}
	}
	if n := s.asked.Load(); n != 0 {
		t.Errorf("%d requests", n)
	}
}

func TestWhatIsGoneIsSaid(t *testing.T) {
	s := serve(t, nil)
	if _, err := local("").Load(t.Context(), s.URL+"/gone.png"); troubleOf(err) != NotFound {
		t.Errorf("error %v", err)
	}
	s.Close()
	if _, err := local("").Load(t.Context(), s.URL+"/gone.png"); troubleOf(err) != NoAnswer {
		t.Errorf("error %v", err)
	}
}

func TestWhoeverAsksForTheSamePictureSharesOneRequest(t *testing.T) {
	release := make(chan struct{})
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		<-release
		_, _ = w.Write(pngOf(t, photo(4, 4)))
	}))
	defer s.Close()
	l := local("")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := l.Load(t.Context(), s.URL+"/a.png"); err != nil {
				t.Error(err)
			}
		})
	}
	testkit.Eventually(t, "all wait for it", func() bool { return waiting(l, s.URL+"/a.png") == 8 })
	close(release)
	all.Wait()
	if asked != 1 {
		t.Errorf("%d requests", asked)
	}
	if _, err := l.Load(t.Context(), s.URL+"/a.png"); err != nil || asked != 1 {
		t.Errorf("%v, %d requests: not kept in memory", err, asked)
	}
}

// waiting returns how many wait for a picture.
func waiting(l *Loader, address string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if j := l.jobs[address]; j != nil {
		return j.waiting
	}
	return 0
}

func TestARequestEndsWhenNobodyWaitsForItAnyMore(t *testing.T) {
	ended := make(chan struct{})
	asked := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
		close(ended)
	}))
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	if _, err := local("").Load(ctx, s.URL+"/a.png"); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	testkit.Receive(t, "the end of the request", ended)
}

func TestSmallPicturesAreKeptOnTheDiskAndClearedFromIt(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, map[string][]byte{"/a.png": pngOf(t, photo(2000, 1000))})
	if _, err := local(dir).Load(t.Context(), s.URL+"/a.png"); err != nil {
		t.Fatal(err)
	}
	l := local(dir) // the next start
	img, err := l.Load(t.Context(), s.URL+"/a.png")
	if err != nil {
		t.Fatal(err)
	}
	if got := img.Bounds().Size(); got != image.Pt(1024, 512) {
		t.Errorf("%v", got)
	}
	if n := s.asked.Load(); n != 1 {
		t.Errorf("%d requests", n)
	}
	if l.Size() == 0 {
		t.Error("nothing on the disk")
	}
	if err := l.Clear(); err != nil || l.Size() != 0 {
		t.Errorf("%v, %d bytes left", err, l.Size())
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 0 {
		t.Errorf("left: %v, %v", entries, err)
	}
	if _, err := l.Load(t.Context(), s.URL+"/a.png"); err != nil || s.asked.Load() != 2 {
		t.Errorf("%v, %d requests: not forgotten", err, s.asked.Load())
	}
}

func TestWhatACrashLeftHalfWrittenIsCountedTrimmedAndCleared(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, map[string][]byte{"/a.png": pngOf(t, photo(200, 100))})
	l := local(dir)
	leave := func(name string, size int64) {
		t.Helper()
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(f.Truncate(size), f.Close()); err != nil { // sparse: it takes no room
			t.Fatal(err)
		}
	}
	names := func() (names []string) {
		t.Helper()
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	leave(".new-123", 200<<20)
	leave("letter.txt", 10)
	if got := l.Size(); got != 200<<20 {
		t.Errorf("%d bytes are counted", got)
	}
	if _, err := l.Load(t.Context(), s.URL+"/a.png"); err != nil {
		t.Fatal(err)
	}
	if got := names(); len(got) != 2 || slices.Contains(got, ".new-123") {
		t.Errorf("after writing another picture there are %v", got)
	}
	leave(".new-456", 10)
	if err := l.Clear(); err != nil {
		t.Fatal(err)
	}
	if got := names(); !slices.Equal(got, []string{"letter.txt"}) {
		t.Errorf("after clearing there are %v", got)
	}
}

func TestOnceClosedNothingIsWrittenIntoAFolderThatIsRemoved(t *testing.T) {
	bodies := map[string][]byte{}
	for i := range 40 {
		bodies[fmt.Sprintf("/%d.png", i)] = pngOf(t, photo(900, 600))
	}
	web := serve(t, bodies)
	dir := filepath.Join(t.TempDir(), "pictures")
	l := local(dir)
	var loading sync.WaitGroup
	for path := range bodies {
		loading.Go(func() { _, _ = l.Load(t.Context(), web.URL+path) })
	}
	testkit.Eventually(t, "the first one is kept, and others are on their way", func() bool { return l.Size() > 0 })
	l.Close()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	loading.Wait()
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is there again: %v", err)
	}
	if _, err := l.Load(t.Context(), web.URL+"/other.png"); !errors.Is(err, ErrClosed) {
		t.Errorf("a picture after the end: %v", err)
	}
	l.Close()
}

func TestClosingWaitsForAllThatIsOnItsWay(t *testing.T) {
	const many = 30
	asked := make(chan struct{}, many)
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	defer web.Close()
	l := local(t.TempDir())
	var loading sync.WaitGroup
	for i := range many {
		loading.Go(func() { _, _ = l.Load(t.Context(), fmt.Sprintf("%s/%d.png", web.URL, i)) })
	}
	testkit.Receive(t, "the first question", asked)
	l.mu.Lock()
	jobs := slices.Collect(maps.Values(l.jobs))
	l.mu.Unlock()
	l.Close()
	for _, j := range jobs {
		select {
		case <-j.done:
		default:
			t.Error("a picture is still on its way")
		}
	}
	loading.Wait()
}

func TestClosingDoesNotWaitForAServerThatNeverAnswers(t *testing.T) {
	asked := make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
	}))
	defer web.Close()
	l := local(t.TempDir())
	failed := make(chan error, 1)
	go func() {
		_, err := l.Load(t.Context(), web.URL)
		failed <- err
	}()
	testkit.Receive(t, "the question", asked)
	l.Close()
	if err := testkit.Receive(t, "the end of the loading", failed); err == nil {
		t.Error("a picture that never came was loaded")
	}
}

func TestAFileOnTheDiskThatIsNoPictureIsFetchedAnew(t *testing.T) {
	s := serve(t, map[string][]byte{"/a.png": pngOf(t, photo(4, 4))})
	l := local(t.TempDir())
	if err := os.WriteFile(l.disk.file(s.URL+"/a.png"), []byte("<svg/>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Load(t.Context(), s.URL+"/a.png"); err != nil {
		t.Error(err)
	}
}

func TestMemoryKeepsTheLastUsedWithinItsBytes(t *testing.T) {
	m := newMemory(3 * 400)
	pic := image.NewRGBA(image.Rect(0, 0, 10, 10)) // 400 bytes
	for _, name := range []string{"a", "b", "c"} {
		m.put(name, pic)
	}
	m.get("a")
	m.put("d", pic)
	m.put("d", pic)
	for name, want := range map[string]bool{"a": true, "b": false, "c": true, "d": true} {
		if got := m.get(name) != nil; got != want {
			t.Errorf("%s kept: %v", name, got)
		}
	}
	if m.held != 3*400 {
		t.Errorf("%d bytes held", m.held)
	}
}
