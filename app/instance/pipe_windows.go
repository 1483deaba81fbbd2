package instance

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"
)

// address returns the name of the pipe of a data folder. Windows keeps pipes apart from
// files, so that a folder on a network drive has one too, and a crash leaves none.
func address(data string) (string, error) {
	data, err := filepath.Abs(data)
	if err != nil {
		return "", err
	}
	name := sha256.Sum256([]byte(strings.ToLower(data))) // the same folder
	return fmt.Sprintf(`\\.\pipe\bowerbird-%x`, name[:16]), nil
}

// bufferSize is that of a pipe in each direction, in bytes.
const bufferSize = 64 << 10

// user returns the identifier of whoever runs this program.
func user() (*windows.SID, error) {
	u, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, err
	}
	return u.User.Sid, nil
}

// listen makes the pipe of a data folder, for its user alone.
func listen(data string) (net.Listener, error) {
	path, err := address(data)
	if err != nil {
		return nil, err
	}
	me, err := user()
	if err != nil {
		return nil, err
	}
	return winio.ListenPipe(path, &winio.PipeConfig{
		SecurityDescriptor: fmt.Sprintf("O:%[1]sD:P(A;;GA;;;%[1]s)", me),
		InputBufferSize:    bufferSize, OutputBufferSize: bufferSize,
	})
}

// dial connects to the window of a data folder. It fails if nobody has made a pipe for it,
// or another user has, who can only have guessed its name.
func dial(ctx context.Context, data string) (net.Conn, error) {
	path, err := address(data)
	if err != nil {
		return nil, err
	}
	c, err := winio.DialPipeContext(ctx, path)
	if err != nil {
		return nil, err
	}
	if err := mine(c); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// mine returns an error if a pipe is another user's.
func mine(c net.Conn) error {
	pipe, ok := c.(interface{ Fd() uintptr })
	if !ok {
		return errors.New("this pipe has no owner")
	}
	about, err := windows.GetSecurityInfo(windows.Handle(pipe.Fd()), windows.SE_KERNEL_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return err
	}
	owner, _, err := about.Owner()
	if err != nil {
		return err
	}
	me, err := user()
	if err == nil && !owner.Equals(me) {
		err = fmt.Errorf("this pipe belongs to %s", owner)
	}
	return err
}
