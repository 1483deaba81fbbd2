//go:build !windows

package instance

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
)

// longestPath is what the address of a local socket may have on all systems.
const longestPath = 100

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

// listen makes the socket of a data folder.
func listen(data string) (net.Listener, error) {
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
	return listener, nil
}

// dial connects to the window of a data folder. It fails if nobody has made a socket there,
// nobody could, or a crash left it.
func dial(ctx context.Context, data string) (net.Conn, error) {
	path, err := address(data)
	if err != nil {
		return nil, err
	}
	return new(net.Dialer).DialContext(ctx, "unix", path)
}
