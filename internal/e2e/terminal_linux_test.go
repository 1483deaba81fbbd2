package e2e

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"bowerbird/internal/testkit"
	"bowerbird/ui/present"
)

// screen runs a command in a terminal with so many columns and returns the lines on it at
// the end, and everything that was written.
func (p *program) screen(t *testing.T, columns int, args ...string) (lines []string, written string) {
	t.Helper()
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no terminals here: %v", err)
	}
	defer terminal.Close()
	fd := int(terminal.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: uint16(columns)}); err != nil {
		t.Fatal(err)
	}
	inside, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	cmd, _, _ := p.start(t.Context(), "", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inside, inside, inside
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = inside.Close()
	// The terminal ends with an error when nobody writes to it any more.
	all, _ := io.ReadAll(terminal)
	if exit := (*exec.ExitError)(nil); errors.As(cmd.Wait(), &exit) {
		t.Fatalf("%v: %v\n%s", args, exit, all)
	}
	return drawn(string(all)), string(all)
}

// drawn does what a terminal does with what these tests write: line ends, and a line that
// is begun anew and wiped.
func drawn(written string) []string {
	lines := strings.Split(strings.ReplaceAll(written, "\r\n", "\n"), "\n")
	for i, line := range lines {
		if at := strings.LastIndex(line, "\r\x1b[K"); at >= 0 {
			line = line[at+len("\r\x1b[K"):]
		}
		for _, style := range []string{"\x1b[1m", "\x1b[22m"} {
			line = strings.ReplaceAll(line, style, "")
		}
		lines[i] = line
	}
	return lines
}

// TestProgressIsOneLineThatIsWiped: at the end the terminal shows nothing but the
// result, and no line was too long for it.
func TestProgressIsOneLineThatIsWiped(t *testing.T) {
	me, ada := testkit.NewKey("me"), testkit.NewKey("ada")
	now := time.Now().Unix()
	relay := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, me.Event(t, 3, now-100, "", []string{"p", ada.PubKey}), ada.Event(t, 1, now-3600, "hello"))
	for _, columns := range []int{50, 80} {
		for name, tt := range map[string]struct {
			args     []string
			progress string
		}{
			"ask":  {[]string{"--sample", "ask", "What did I miss since yesterday?"}, "… searching the notes"},
			"sync": {[]string{"sync", "--as", me.PubKey, "--relay", relay.URL, "--once", "--allow-private"}, "fetching notes"},
		} {
			t.Run(fmt.Sprint(name, " in ", columns), func(t *testing.T) {
				lines, written := installed(t).screen(t, columns, tt.args...)
				if !strings.Contains(written, tt.progress) {
					t.Errorf("no progress is shown:\n%s", written)
				}
				for _, line := range lines {
					if strings.Contains(line, tt.progress) {
						t.Errorf("progress stays: %q", line)
					}
				}
				for _, part := range strings.Split(written, "\r\x1b[K") {
					if !strings.Contains(part, "\n") && present.Width(part) >= columns {
						t.Errorf("a line of progress is wider than the terminal: %q", part)
					}
				}
			})
		}
	}
}

// TestWhatASearchFoundFitsTheTerminal: no line is broken by the terminal.
func TestWhatASearchFoundFitsTheTerminal(t *testing.T) {
	p := installed(t)
	for _, columns := range []int{50, 80} {
		lines, _ := p.screen(t, columns, "--sample", "search", "bread")
		if len(lines) < 4 {
			t.Errorf("it found %q", lines)
		}
		for _, line := range lines {
			if present.Width(line) > columns {
				t.Errorf("wider than %d columns: %q", columns, line)
			}
		}
	}
}
