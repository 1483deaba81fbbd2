package instance

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
)

// opened waits at a data folder as a window that runs commands.
func opened(t *testing.T, run Run) (data string, stop func()) {
	t.Helper()
	data = t.TempDir()
	stop, err := Wait(data, Window{Run: run})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return data, stop
}

func TestTheWindowCarriesOutACommandWithTheStreamsOfTheOtherStart(t *testing.T) {
	big := strings.Repeat("\x00é\xff\n", 200_000)
	var got Command
	data, _ := opened(t, func(_ context.Context, c Command, s Streams) (int, bool) {
		got = c
		in := bufio.NewReader(s.In)
		for {
			line, err := in.ReadString('\n')
			_, _ = io.WriteString(s.Out, line)
			if err != nil {
				break
			}
			_, _ = io.WriteString(s.Err, "read\n")
		}
		_, _ = io.WriteString(s.Out, big)
		return 7, true
	})
	c := Command{Args: []string{"ask", "Was fehlt?\n"}, Dir: "/tmp", Settings: "/s", Out: Size{80, 24}}
	var out, errOut bytes.Buffer
	found, code, err := Carry(t.Context(), data, c, Streams{strings.NewReader("one\ntwo\nthree"), &out, &errOut})
	if !found || code != 7 || err != nil || out.String() != "one\ntwo\nthree"+big || errOut.String() != "read\nread\n" {
		t.Errorf("%v, exit %d, %v: %.80q, %q", found, code, err, out.String(), errOut.String())
	}
	if !reflect.DeepEqual(got, c) {
		t.Errorf("the window was sent %+v", got)
	}
}

func TestACommandThatNoWindowCarriesOutIsNotFound(t *testing.T) {
	refusing, _ := opened(t, func(context.Context, Command, Streams) (int, bool) { return 0, false })
	unable, _ := opened(t, nil)
	for name, data := range map[string]string{"no window": t.TempDir(), "one that refuses": refusing, "one that runs nothing": unable} {
		if found, _, err := Carry(t.Context(), data, Command{}, Streams{}); found || err != nil {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
}

func TestACommandEndsWithWhoeverStartedItAndWithTheWindow(t *testing.T) {
	running := make(chan struct{}, 1)
	patient := func(ctx context.Context, _ Command, s Streams) (int, bool) {
		running <- struct{}{}
		<-ctx.Done()
		_, _ = io.WriteString(s.Out, "stopped")
		return 130, true
	}
	t.Run("stopped", func(t *testing.T) {
		data, _ := opened(t, patient)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { <-running; cancel() }()
		var out bytes.Buffer
		if found, code, err := Carry(ctx, data, Command{}, Streams{Out: &out}); !found || code != 130 || err != nil || out.String() != "stopped" {
			t.Errorf("%v, exit %d, %v, %q", found, code, err, &out)
		}
	})
	t.Run("the window is closed", func(t *testing.T) {
		data, stop := opened(t, patient)
		go func() { <-running; stop() }()
		var out bytes.Buffer
		if found, code, err := Carry(t.Context(), data, Command{}, Streams{Out: &out}); !found || code != 130 || err != nil || out.String() != "stopped" {
			t.Errorf("%v, exit %d, %v, %q", found, code, err, &out)
		}
	})
	t.Run("its output cannot be written", func(t *testing.T) {
		ended := make(chan error, 1)
		data, _ := opened(t, func(ctx context.Context, _ Command, s Streams) (int, bool) {
			for {
				if _, err := io.WriteString(s.Out, "more"); err != nil || ctx.Err() != nil {
					ended <- ctx.Err()
					return 1, true
				}
			}
		})
		pipe, broken := io.Pipe()
		_ = pipe.Close()
		if found, _, err := Carry(t.Context(), data, Command{}, Streams{Out: broken}); !found || !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%v, %v", found, err)
		}
		<-ended // and does not run on
	})
	t.Run("nobody reads its output, and the window is closed", func(t *testing.T) {
		filling := make(chan struct{})
		data, stop := opened(t, func(ctx context.Context, _ Command, s Streams) (int, bool) {
			close(filling)
			for ctx.Err() == nil {
				_, _ = s.Out.Write(make([]byte, 1<<20))
			}
			return 0, true
		})
		stuck, unread := io.Pipe()
		carried := make(chan error, 1)
		go func() {
			_, _, err := Carry(context.WithoutCancel(t.Context()), data, Command{}, Streams{Out: unread})
			carried <- err
		}()
		<-filling
		stop() // returns
		_ = stuck.Close()
		if err := <-carried; err == nil {
			t.Error("cut off without an error")
		}
	})
}

func TestAWindowThatDiesIsReported(t *testing.T) {
	for says, want := range map[string]error{"": ErrNoAnswer, "{}\n": ErrCutOff, "{}\n{\"out\":\"b25l\"}\n": ErrCutOff, "nonsense": ErrNoAnswer} {
		data := t.TempDir()
		window, err := listen(data)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = window.Close() })
		go func() {
			if c, err := window.Accept(); err == nil {
				_, _ = bufio.NewReader(c).ReadString('\n')
				_, _ = fmt.Fprint(c, says)
				_ = c.Close()
			}
		}()
		if found, _, err := Carry(t.Context(), data, Command{}, Streams{Out: io.Discard}); !found || !errors.Is(err, want) {
			t.Errorf("%q: %v, %v", says, found, err)
		}
	}
}
