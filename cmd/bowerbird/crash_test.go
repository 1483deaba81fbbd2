package main

import (
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

const crashingName = "crash-for-a-test"

// What must not be printed, in whatever way the program ends. Keys of nobody.
const (
	crashNsec  = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
	crashPlain = "Zq8rT2mVx0bLk7NcWd4Hs9Ye" // of a provider whose keys look like nothing
	crashURL   = "https://ada:pass-word-word@llm.example/v1/models?key=short7#part"
	crashHex   = "3f0ac1b29d8e4c5f6a7b8190a1b2c3d4e5f60718293a4b5c6d7e8f9012345678"
)

func everySecret() string {
	return strings.Join([]string{"the key is", crashNsec, crashPlain, crashURL, "0x" + crashHex, "\x1b[31mred"}, " ")
}

// holds has a key among its arguments, as what signs has.
//
//go:noinline
func holds(key [4]uint64, then func()) {
	then()
	fmt.Fprint(log.Writer(), key[0]) // so that it lives
}

// crashAs ends this process in one of the ways in which programs crash.
func crashAs(how string) {
	if err := guard(); err != nil {
		panic(err)
	}
	key := [4]uint64{0x3f0ac1b29d8e4c5f, 0x6a7b8190a1b2c3d4, 0xe5f60718293a4b5c, 0x6d7e8f9012345678}
	switch how {
	case "not at all":
		fmt.Fprintln(os.Stderr, "our own words "+crashPlain)
		log.SetFlags(0)
		log.Println("a library's words", everySecret())
		os.Exit(0)
	case "text":
		holds(key, func() { panic(everySecret()) })
	case "lines":
		holds(key, func() { panic(everySecret() + "\n\n" + everySecret() + "\nmain.f(0x1)\n" + everySecret()) })
	case "error of a goroutine":
		go holds(key, func() { panic(fmt.Errorf("asking: %w", errors.New(everySecret()))) })
		select {}
	case "again while it panics":
		defer func() { panic("second: " + everySecret()) }()
		holds(key, func() { panic(everySecret()) })
	case "no memory there":
		holds(key, func() { fmt.Println(*(*int)(nil)) })
	case "endless":
		var deeper func(string) string
		deeper = func(s string) string { return deeper(s) + s }
		deeper(everySecret())
	case "at a key of the terminal":
		log.SetFlags(0)
		log.Println("ready")
		select {}
	case "not to be recovered":
		holds(key, func() { new(sync.Mutex).Unlock() })
	}
}

// The gate (security.md, T7): however the program crashes, in whatever goroutine, what
// it prints says what to do and where the fault is, and holds no secret, no argument and
// no more of an address than its host.
func TestWhatIsPrintedOfACrashHoldsNoSecretAndSaysWhatToDo(t *testing.T) {
	for _, tt := range []struct{ how, says string }{
		{"text", "panic: the key is [secret key removed] [removed] https://llm.example/… [removed] [31mred"},
		{"lines", "panic: the key is"},
		{"error of a goroutine", "asking: the key is"},
		{"again while it panics", "second: the key is"},
		{"no memory there", "nil pointer dereference"},
		{"endless", "stack overflow"},
		{"not to be recovered", "unlock of unlocked mutex"},
	} {
		t.Run(tt.how, func(t *testing.T) {
			said, code := crashed(t, tt.how)
			for _, secret := range []string{crashNsec[5:], crashPlain, "pass-word", "short7", "v1/models", crashHex[:16], "6d7e8f9012345678", "\x1b"} {
				if strings.Contains(strings.ToLower(said), strings.ToLower(secret)) {
					t.Errorf("%q is printed", secret)
				}
			}
			for _, want := range []string{"crashed because of a bug", "Start it again", "bowerbird check", tt.says, "crash_test.go:", ".crashAs"} {
				if !strings.Contains(said, want) {
					t.Errorf("%q is not said", want)
				}
			}
			if code != 2 || t.Failed() {
				t.Errorf("exit %d, said:\n%s", code, said)
			}
			if lines := strings.Count(said, "\n"); lines > mostCrashLines+10 {
				t.Errorf("%d lines", lines)
			}
		})
	}
}

// What libraries write passes on, without secrets; what the program says goes by.
func TestWhatLibrariesWriteIsPassedOnWithoutSecrets(t *testing.T) {
	said, code := crashed(t, "not at all")
	for _, want := range []string{"our own words " + crashPlain + "\n", "a library's words the key is [secret key removed] [removed] https://llm.example/… [removed] [31mred\n"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said", want)
		}
	}
	if code != 0 || strings.Contains(said, "bug") {
		t.Errorf("exit %d, said:\n%s", code, said)
	}
}

func TestTheStackOfWhatWaitsIsOneToo(t *testing.T) {
	for _, waits := range []string{"running", "sync.WaitGroup.Wait, locked to thread", "chan receive (nil chan), 5 minutes"} {
		said := cleanCrash([]string{
			"goroutine 12 gp=0xc000002380 m=nil [" + waits + "]:", "bowerbird/ndb.(*Store).Import(0x3f0ac1b29d8e4c5f, {0x1?})", "\t/build/bowerbird/ndb/import.go:53 +0x1d",
		})
		if want := "goroutine 12 gp=0xc000002380 m=nil [" + waits + "]:\nbowerbird/ndb.(*Store).Import(...)\n\tbowerbird/ndb/import.go:53"; said != want {
			t.Errorf("%q, want %q", said, want)
		}
	}
}

// crashed runs this program as one that crashes.
func crashed(t *testing.T, how string) (said string, code int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	cmd := exec.CommandContext(t.Context(), self, crashingName, how)
	cmd.Stderr, cmd.WaitDelay = &out, time.Minute
	cmd.Env = append(os.Environ(), "GOTRACEBACK=all")
	// It waits for the reporter too, which has the same standard error.
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), cmd.ProcessState.ExitCode()
}
