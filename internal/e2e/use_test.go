package e2e

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bowerbird/ui/shell"
)

const (
	// useFor says how long the window is used: BOWERBIRD_USE=60m.
	useFor = "BOWERBIRD_USE"
	// useData names the data folder that is used; docs/performance.md says how the
	// one of the figures is made. Chats are written into it.
	useData = "BOWERBIRD_USE_DATA"
	// useTable names the file that takes every sample, as CSV.
	useTable = "BOWERBIRD_USE_CSV"

	sampleEvery   = 10 * time.Second
	mostMegabytes = 350
)

// TestMemoryStaysFlatWhileTheWindowIsUsed uses the real window as its user would, for
// as long as asked, and fails if it uses more memory than permitted or more
// and more of it. It is run by hand.
func TestMemoryStaysFlatWhileTheWindowIsUsed(t *testing.T) {
	long, err := time.ParseDuration(cmp.Or(os.Getenv(useFor), "0s"))
	if err != nil {
		t.Fatalf("%s: %v", useFor, err)
	}
	if long <= 0 || runtime.GOOS != "linux" {
		t.Skipf("%s says for how long, as in %s=60m", useFor, useFor)
	}
	p := installed(t)
	p.data = cmp.Or(os.Getenv(useData), p.data)
	w := newDisplay(t, "1300x900").openWindow(p)
	w.painted()
	w.wait("note:*")
	u := &user{window: w, begun: time.Now()}
	stop, stopped := make(chan struct{}), make(chan []memory, 1)
	go func() { stopped <- watch(w.cmd.Process.Pid, u.begun, stop) }()
	for round := 0; time.Since(u.begun) < long; round++ {
		u.round(round)
	}
	close(stop)
	samples := <-stopped
	w.quit()
	report(t, samples)
	t.Logf("%d actions, %d of them found nothing to act on", u.done, u.missed)
	if u.missed*10 > u.done {
		t.Errorf("%d of %d actions found nothing to act on", u.missed, u.done)
	}
}

// user does what people do with the window.
type user struct {
	*window
	begun        time.Time
	done, missed int
}

// seen waits for a widget for a moment. Not every note has a thread, nor every word
// a hit: what is not there is counted and passed over.
func (u *user) seen(name string) (shell.Rect, bool) {
	for range 30 {
		if r, ok := u.find(name); ok {
			return r, true
		}
		time.Sleep(200 * time.Millisecond)
	}
	return shell.Rect{}, false
}

func (u *user) press(name string) bool {
	u.done++
	r, ok := u.seen(name)
	if !ok {
		u.missed++
		u.t.Logf("%s: no %s", time.Since(u.begun).Round(time.Second), name)
		return false
	}
	u.clickAt(r)
	time.Sleep(500 * time.Millisecond)
	return true
}

func (u *user) keys(keys ...string) {
	u.done++
	u.key(keys...)
	time.Sleep(500 * time.Millisecond)
}

// scroll turns the wheel over a list, down and some of it up again.
func (u *user) scroll(list string, notches int) {
	u.done++
	r, ok := u.seen(list)
	if !ok {
		u.missed++
		return
	}
	u.xdotool("search", "--name", "^Bowerbird$", "mousemove", "--window", "%1", strconv.Itoa(r.X+r.Width/2), strconv.Itoa(r.Y+r.Height/2))
	u.xdotool("click", "--repeat", strconv.Itoa(notches), "--delay", "30", "5")
	u.xdotool("click", "--repeat", strconv.Itoa(notches/4), "--delay", "30", "4")
}

var (
	questions = []string{
		"What did I miss since yesterday?", "Top hashtags this week", "Search lighthouse",
		"Who posted most last week?", "What did I miss in the last three days?",
	}
	searches = []string{"relay", "coffee", "light", "#nostr", "release", "garden"}
)

// round is a minute or so of use.
func (u *user) round(n int) {
	u.keys("ctrl+1")
	if n%4 == 3 {
		u.keys("ctrl+n")
	}
	if u.press("chat.entry") {
		u.typeText(questions[n%len(questions)])
		u.keys("Return")
		time.Sleep(5 * time.Second)
		u.press("cite:*")
	}
	u.keys("ctrl+2")
	u.scroll("home.list", 120)
	if u.press("note:*") {
		u.scroll("thread.list", 20)
		u.keys("alt+Left")
	}
	if u.press("avatar:*") {
		u.scroll("profile.*", 20)
		u.keys("alt+Left")
	}
	u.keys("ctrl+3")
	if u.press("search.entry") {
		u.key("ctrl+a")
		u.typeText(searches[n%len(searches)])
		time.Sleep(2 * time.Second)
		u.scroll("search.list", 30)
	}
	u.keys("ctrl+4")
	u.keys("ctrl+comma")
	for _, page := range []string{"settings.appearance", "settings.storage", "settings.account"} {
		u.press(page)
	}
	u.keys("ctrl+k")
	u.keys("Escape")
	if n%5 == 4 {
		u.keys("ctrl+shift+d") // light or dark
		u.keys("ctrl+equal")   // larger text
		u.keys("ctrl+0")
	}
}

// memory is what a process holds, in megabytes.
type memory struct {
	at                          time.Duration
	resident, anonymous, mapped float64
}

// watch samples until stop is closed.
func watch(pid int, begun time.Time, stop <-chan struct{}) (samples []memory) {
	ticks := time.NewTicker(sampleEvery)
	defer ticks.Stop()
	for {
		if m, ok := memoryOf(pid); ok {
			m.at = time.Since(begun)
			samples = append(samples, m)
			keepSample(m)
		}
		select {
		case <-ticks.C:
		case <-stop:
			return samples
		}
	}
}

func memoryOf(pid int) (m memory, ok bool) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil {
		return m, false
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		var kilobytes float64
		if _, err := fmt.Sscan(value, &kilobytes); err != nil {
			continue
		}
		switch name {
		case "VmRSS":
			m.resident = kilobytes / 1024
		case "RssAnon":
			m.anonymous = kilobytes / 1024
		case "RssFile", "RssShmem":
			m.mapped += kilobytes / 1024
		}
	}
	return m, m.resident > 0
}

// keepSample adds a line to the table at once, so that the results of a long run that is
// interrupted are kept.
func keepSample(m memory) {
	path := os.Getenv(useTable)
	if path == "" {
		return
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	out := csv.NewWriter(f)
	_ = out.Write([]string{
		fmt.Sprintf("%.0f", m.at.Seconds()), fmt.Sprintf("%.1f", m.resident),
		fmt.Sprintf("%.1f", m.anonymous), fmt.Sprintf("%.1f", m.mapped),
	})
	out.Flush()
}

// report prints the samples in twelve parts, and fails if the last quarter holds
// more than the one before, or more than a window may.
func report(t *testing.T, samples []memory) {
	t.Helper()
	const parts = 12
	if len(samples) < parts {
		t.Fatalf("only %d samples", len(samples))
	}
	resident := func(m memory) float64 { return m.resident }
	t.Log("minute  resident  most  anonymous  mapped (MB)")
	for i := range parts {
		part := samples[i*len(samples)/parts : (i+1)*len(samples)/parts]
		t.Logf("%6.1f  %8.1f  %4.0f  %9.1f  %6.1f", part[0].at.Minutes(), mean(part, resident), most(part),
			mean(part, func(m memory) float64 { return m.anonymous }), mean(part, func(m memory) float64 { return m.mapped }))
	}
	third, last := samples[len(samples)/2:len(samples)*3/4], samples[len(samples)*3/4:]
	if before, after := mean(third, resident), mean(last, resident); after > before*1.05 {
		t.Errorf("it still grows: %.0f MB in the third quarter, %.0f MB in the last", before, after)
	}
	if m := most(samples); m > mostMegabytes {
		t.Errorf("%.0f MB resident at most, more than %d", m, mostMegabytes)
	}
}

func mean(samples []memory, of func(memory) float64) float64 {
	sum := 0.0
	for _, m := range samples {
		sum += of(m)
	}
	return sum / float64(len(samples))
}

func most(samples []memory) float64 {
	return slices.MaxFunc(samples, func(a, b memory) int { return cmp.Compare(a.resident, b.resident) }).resident
}
