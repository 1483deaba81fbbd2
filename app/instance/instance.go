// Package instance lets a second start of the window hand over to the first: it raises that
// window, and gives it a nostr: link to open.
//
//	if found, err := instance.Hand(ctx, data, link); found {
//		return err // the first shows itself, or does not answer
//	}
//
// The first waits at a local socket, which only its user can reach. It may make one only
// while it has the lock of its store, since it replaces what a crash left there. A second
// start sends one line; what it says is not trusted more than a link on a web page.
package instance

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bowerbird/ndb/nostr"
)

// ErrNoAnswer is returned if another window is there and does not react.
var ErrNoAnswer = errors.New("a Bowerbird is open and does not answer")

const (
	raise  = "raise"
	raised = "raised\n"
	// longestLine holds the longest link and what is before it.
	longestLine = 6_000
	// longestPath is what the address of a local socket may have on all systems.
	longestPath = 100
)

// answerWait is how long the first may take: much longer than any window is busy.
const answerWait = 10 * time.Second

// address returns where the window of a data folder waits: in that folder, or if its path
// is too long for a socket, in a folder of the user's own among the system's for such things.
func address(data string) (string, error) {
	data, err := filepath.Abs(data)
	if err != nil {
		return "", err
	}
	if path := filepath.Join(data, "window.socket"); len(path) <= longestPath {
		return path, nil
	}
	base := os.Getenv("XDG_RUNTIME_DIR")
	if base == "" {
		base = os.TempDir()
	}
	dir := filepath.Join(base, fmt.Sprintf("bowerbird-%x", sha256.Sum256([]byte(data)))[:26])
	return filepath.Join(dir, "window"), own(dir)
}

// own makes a folder that nobody else can enter. It fails if somebody else made it.
func own(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a folder", dir)
	}
	if err != nil {
		return err
	}
	return os.Chmod(dir, 0o700) // which only its owner may
}

// Wait calls show, each time on another goroutine, when the window of a data folder is
// started again; link is the one to open, nil for none. show returns once the window has
// reacted. The caller has the lock of the store, and calls stop before it gives it back.
func Wait(data string, show func(link *nostr.Code)) (stop func(), err error) {
	path, err := address(data)
	if err != nil {
		return nil, err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	go func() {
		for {
			c, err := listener.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil { // too many open files
				time.Sleep(time.Second)
				continue
			}
			go answer(c, show)
		}
	}()
	return func() { _ = listener.Close() }, nil // which removes the socket
}

// answer serves one start. What it cannot read it ends without a word.
func answer(c net.Conn, show func(*nostr.Code)) {
	defer func() { _ = c.Close() }()
	if c.SetDeadline(time.Now().Add(answerWait)) != nil {
		return
	}
	line, err := bufio.NewReader(io.LimitReader(c, longestLine)).ReadString('\n')
	if err != nil {
		return
	}
	first, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
	if first != raise {
		return
	}
	var link *nostr.Code
	if text != "" {
		code, err := nostr.ParseLink(text)
		if err != nil {
			return
		}
		link = &code
	}
	show(link)
	_, _ = io.WriteString(c, raised) // if the start has gone, the window is raised all the same
}

// Hand raises the window of a data folder, which opens link unless it is "". found is false
// if there is no window; err is then nil.
func Hand(ctx context.Context, data, link string) (found bool, err error) {
	path, err := address(data)
	if err != nil {
		return false, nil // then nobody could wait there either
	}
	c, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if err != nil {
		return false, nil // nobody has made one, or a crash left it
	}
	defer func() { _ = c.Close() }()
	if err := c.SetDeadline(time.Now().Add(answerWait)); err != nil {
		return true, err
	}
	said := ""
	if _, err = io.WriteString(c, strings.TrimSpace(raise+" "+link)+"\n"); err == nil {
		said, err = bufio.NewReader(io.LimitReader(c, int64(len(raised)))).ReadString('\n')
	}
	if err != nil || said != raised {
		return true, ErrNoAnswer
	}
	return true, nil
}
