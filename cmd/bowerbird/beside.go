package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"

	"bowerbird/app"
	"bowerbird/app/agent"
	"bowerbird/app/instance"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// inWindow names the commands that the window carries out for another start while it has the
// notes open: those that read, and ask. The others need the stores for themselves, or are
// about files.
var inWindow = map[string]bool{
	"ask": true, "search": true, "query": true, "tool": true, "tools list": true, "tools schema": true, "tools why": true, "coverage": true,
	"req": true, "export": true, "stats": true, "chats": true, "chats export": true,
}

// doneThere is the error of a command that the window carried out: its exit code, which may
// be exitDone. Nothing else is left to do for it.
type doneThere int

func (doneThere) Error() string { return "carried out by the window" }

// besideWindow has the window carry out this command, as it was typed. inUse is returned if
// there is no window, or the command cannot be carried out there.
func (p *program) besideWindow(ctx context.Context, inUse error) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	c := instance.Command{Args: p.args, Dir: dir, Settings: absolute(p.places().Settings), Out: sizeOf(p.out), Err: sizeOf(p.err)}
	found, code, err := instance.Carry(ctx, p.windowFolder(), c, instance.Streams{In: p.in, Out: p.out, Err: p.err})
	switch {
	case !found:
		return inUse
	case err != nil:
		return err
	}
	return errors.Join(doneThere(code), errSaid)
}

// absolute returns a path that means the same in another process.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// sizeOf returns the size of the terminal that w writes to.
func sizeOf(w io.Writer) instance.Size {
	to, ok := terminalOf(w)
	if !ok {
		return instance.Size{}
	}
	width, height := to.size()
	return instance.Size{Width: cmp.Or(width, defaultWidth), Height: height}
}

// farDisplay is the terminal of another start.
type farDisplay struct {
	io.Writer
	at instance.Size
}

func (f farDisplay) size() (width, height int) { return f.at.Width, f.at.Height }

func asDisplay(w io.Writer, at instance.Size) io.Writer {
	if at == (instance.Size{}) {
		return w
	}
	return farDisplay{w, at}
}

// waitForStarts is the Wait of the window's options.
func waitForStarts(a *app.App, show func(*nostr.Code)) (stop func(), err error) {
	return instance.Wait(a.Places().Data, instance.Window{
		Show: show,
		Read: func(ctx context.Context, name string, args json.RawMessage, limit int) (result json.RawMessage, err error) {
			defer broken(name, func(why error) { err = why })
			return a.ToolJSON(ctx, name, args, limit)
		},
		Run: func(ctx context.Context, c instance.Command, s instance.Streams) (code int, ok bool) {
			cmd, _, err := newRoot(&program{}).Find(c.Args)
			if err != nil || !inWindow[withoutRoot(cmd)] || c.Settings != absolute(a.Places().Settings) {
				return 0, false
			}
			p := &program{
				streams: streams{in: s.In, out: asDisplay(s.Out, c.Out), err: asDisplay(s.Err, c.Err)},
				args:    c.Args, open: a, dir: c.Dir,
			}
			defer broken(cmd.Name(), func(why error) {
				say(s.Err, "bowerbird: %v", why)
				code, ok = exitFailed, true
			})
			return p.run(ctx), true
		},
	})
}

// broken is deferred directly. It reports a panic of what the window does for another start,
// and keeps it from ending the window.
func broken(what string, report func(error)) {
	if v := recover(); v != nil {
		_, _ = fmt.Fprint(os.Stderr, agent.NewRedactor().Text(fmt.Sprintf("bowerbird: %s broke inside: %v\n%s", what, v, debug.Stack())))
		report(fmt.Errorf("%s broke inside; the window, which did it, goes on", what))
	}
}

// withOpen is withApp for a command that the window carries out.
func (p *program) withOpen(ctx context.Context, as string, do func(*app.App) error) error {
	if as != "" {
		switch key, err := p.open.Resolve(ctx, as); {
		case err != nil:
			return err
		case key.PubKey != p.open.Me(): // the window reads as one person
			return &ndb.InUseError{PID: os.Getpid()}
		}
	}
	return withHint(do(p.open))
}
