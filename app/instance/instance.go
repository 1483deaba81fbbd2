// Package instance lets another start of the program use the window that is open: it raises
// that window and gives it a nostr: link to open, has it read from its store, which only
// one program can have open for writing, or has it carry out a whole command.
//
//	if found, err := instance.Hand(ctx, data, link); found {
//		return err // the first shows itself, or does not answer
//	}
//	if found, result, err := instance.CallTool(ctx, data, call); found {
//		return result, err
//	}
//	if found, code, err := instance.Carry(ctx, data, command, streams); found {
//		return code, err
//	}
//
// The first waits at a local socket, on Windows at a named pipe, which only its user can
// reach. It may make one only while it has the lock of its store, since it replaces what a
// crash left there. Another
// start sends one line, and input if its command asks for some. What a link says is not
// trusted more than one on a web page; what commands may do, the window decides.
package instance

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// ErrNoAnswer is returned if another window is there and does not react.
var ErrNoAnswer = errors.New("a Bowerbird is open and does not answer")

const (
	raise  = "raise"
	raised = "raised\n"
	call   = "call"
	// longestLine holds the longest arguments of a tool, escaped, and what is around them.
	longestLine = 5 << 20
	// longestResult is more than any tool returns.
	longestResult = 64 << 20
)

// answerWait is how long the first may take: much longer than any window is busy.
const answerWait = 10 * time.Second

// closingWait is how long a window that closes waits for the reads of others: most take
// milliseconds.
const closingWait = time.Second

// Show raises the window, which opens link unless it is nil. It returns once the window has
// reacted.
type Show = func(link *nostr.Code)

// Read calls a tool that only reads, and returns its result as JSON: whole, or as a model
// reads it in at most limit bytes if limit is not 0.
type Read = func(ctx context.Context, tool string, arguments json.RawMessage, limit int) (json.RawMessage, error)

// Window is what the window does for other starts. What is nil it does not do.
type Window struct {
	Show Show
	Read Read
	Run  Run
}

// Wait serves other starts of the program with the same data folder, each on a goroutine of
// its own. The caller has the lock of the store, and calls stop before it gives it back:
// stop begins nothing new, ends what still reads and runs after closingWait, and returns
// when all of it has ended.
func Wait(data string, window Window) (stop func(), err error) {
	listener, err := listen(data)
	if err != nil {
		return nil, err
	}
	w := &waiter{window: window}
	ctx, cancel := context.WithCancel(context.Background())
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
			go w.answer(ctx, c)
		}
	}()
	return func() {
		_ = listener.Close() // which also removes a socket
		defer time.AfterFunc(closingWait, cancel).Stop()
		w.end()
		cancel()
	}, nil
}

// waiter is the window's end of the socket.
type waiter struct {
	window Window

	mu    sync.Mutex
	ended bool
	reads sync.WaitGroup
}

// begin reports whether the store may still be read. If so, the caller ends with reads.Done.
func (w *waiter) begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.ended {
		w.reads.Add(1)
	}
	return !w.ended
}

// end waits for what reads, and lets nothing else begin.
func (w *waiter) end() {
	w.mu.Lock()
	w.ended = true
	w.mu.Unlock()
	w.reads.Wait()
}

// answer serves one start. What it cannot read it ends without a word.
func (w *waiter) answer(ctx context.Context, c net.Conn) {
	defer func() { _ = c.Close() }()
	if c.SetDeadline(time.Now().Add(answerWait)) != nil {
		return
	}
	// What it sends later are lines of input, each a message of its own.
	from := bufio.NewReader(io.LimitReader(c, longestLine))
	line, err := from.ReadString('\n')
	if err != nil {
		return
	}
	// If the other start has gone, the window is raised all the same.
	switch first, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); first {
	case raise:
		if w.raise(rest) {
			_, _ = io.WriteString(c, raised)
		}
	case call:
		if w.begin() {
			defer w.reads.Done()
			_ = json.NewEncoder(c).Encode(w.call(ctx, []byte(rest)))
		}
	case run:
		if w.begin() {
			defer w.reads.Done()
			w.runs(ctx, c, from, rest)
		}
	}
}

// raise reports whether the window was raised: not for what is no link.
func (w *waiter) raise(text string) bool {
	if text == "" {
		w.window.Show(nil)
		return true
	}
	code, err := nostr.ParseLink(text)
	if err == nil {
		w.window.Show(&code)
	}
	return err == nil
}

// ToolCall is a call of a tool that only reads. With a Limit, the result is what a model
// reads of it in so many bytes; without, all of it.
type ToolCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Limit     int             `json:"limit,omitempty"`
}

// toolResult is what the window returns of a call: one of its fields.
type toolResult struct {
	Result json.RawMessage      `json:"result,omitempty"`
	Wrong  *tools.ArgumentError `json:"wrong,omitempty"` // the arguments are
	Error  string               `json:"error,omitempty"`
}

func (w *waiter) call(ctx context.Context, raw []byte) toolResult {
	var c ToolCall
	if err := json.Unmarshal(raw, &c); err != nil {
		return toolResult{Error: "this call cannot be read; is another version of the program open?"}
	}
	result, err := w.window.Read(ctx, c.Name, c.Arguments, c.Limit)
	if wrong, ok := errors.AsType[*tools.ArgumentError](err); ok {
		return toolResult{Wrong: wrong}
	}
	if err != nil {
		return toolResult{Error: err.Error()}
	}
	return toolResult{Result: result}
}

// CallTool has the window of a data folder call a tool and returns the result as JSON. found
// is false if there is no window; err is then nil. Wrong arguments are a
// *[tools.ArgumentError].
func CallTool(ctx context.Context, data string, c ToolCall) (found bool, result json.RawMessage, err error) {
	line, err := json.Marshal(c)
	if err != nil {
		return true, nil, err
	}
	found, answer, err := ask(ctx, data, call+" "+string(line), longestResult)
	if !found || err != nil {
		return found, nil, err
	}
	var r toolResult
	switch err := json.Unmarshal([]byte(answer), &r); {
	case err != nil:
		return true, nil, ErrNoAnswer
	case r.Wrong != nil:
		return true, nil, r.Wrong
	case r.Error != "":
		return true, nil, errors.New(r.Error)
	}
	return true, r.Result, nil
}

// Hand raises the window of a data folder, which opens link unless it is "". found is false
// if there is no window; err is then nil.
func Hand(ctx context.Context, data, link string) (found bool, err error) {
	found, answer, err := ask(ctx, data, strings.TrimSpace(raise+" "+link), len(raised))
	if found && err == nil && answer != raised {
		err = ErrNoAnswer
	}
	return found, err
}

// ask sends a line to the window of a data folder and returns the one it answers, of at most
// longest bytes. found is false if there is no window.
func ask(ctx context.Context, data, line string, longest int) (found bool, answer string, err error) {
	c, err := dial(ctx, data)
	if err != nil {
		return false, "", nil
	}
	defer func() { _ = c.Close() }()
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	if err := c.SetDeadline(time.Now().Add(answerWait)); err != nil {
		return true, "", err
	}
	if _, err = io.WriteString(c, line+"\n"); err == nil {
		answer, err = bufio.NewReader(io.LimitReader(c, int64(longest))).ReadString('\n')
	}
	if err != nil {
		return true, "", ErrNoAnswer
	}
	return true, answer, nil
}

// Waits reports whether a data folder has a window.
func Waits(ctx context.Context, data string) bool {
	c, err := dial(ctx, data)
	if err != nil {
		return false
	}
	_ = c.Close()
	return true
}
