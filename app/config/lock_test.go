package config

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// envChild has this test's program change a file as another Bowerbird would, in the
// place of testing.
const envChild = "BOWERBIRD_TEST_CHANGE"

// changesOfChild is how many changes each process makes.
const changesOfChild = 15

func TestMain(m *testing.M) {
	if what := os.Getenv(envChild); what != "" {
		if err := change(what, os.Args[1], os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// change is what a child does, once it was told to begin.
func change(what, dir, name string) error {
	keys := NewKeyFile(filepath.Join(dir, "keys.json"), time.Now)
	keys.cost = 1 << 4
	if what == "keys" {
		if err := keys.Unlock(password); err != nil {
			return err
		}
	}
	fmt.Println("ready")
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return err
	}
	for i := range changesOfChild {
		var err error
		switch what {
		case "keys":
			err = keys.SetModelKey(entry(name, i), NewSecret(aSecret))
		case "settings":
			_, err = Update(filepath.Join(dir, "settings.toml"), Settings{}, func(s *Settings) {
				s.Sync.Relays = append(s.Sync.Relays, "wss://"+entry(name, i))
			})
		case "hold":
			err = exclusively(filepath.Join(dir, "x"), func() error {
				fmt.Println("held")
				select {} // until it is killed
			})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func entry(name string, i int) string { return fmt.Sprintf("%s-%d.example", name, i) }

// child is another process that changes files in a folder.
type child struct {
	cmd   *exec.Cmd
	begin io.WriteCloser
	said  *bufio.Reader
}

// startChild starts one and waits until it is ready.
func startChild(t *testing.T, what, dir, name string) *child {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &child{cmd: exec.CommandContext(t.Context(), self, dir, name)}
	c.cmd.Env = append(os.Environ(), envChild+"="+what)
	c.cmd.Stderr = os.Stderr
	begin, err := c.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.begin, c.said = begin, bufio.NewReader(out)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.hears(t, "ready\n")
	return c
}

func (c *child) hears(t *testing.T, want string) {
	t.Helper()
	if got, err := c.said.ReadString('\n'); got != want {
		t.Fatalf("the child said %q, %v", got, err)
	}
}

func (c *child) release(t *testing.T) {
	t.Helper()
	if _, err := io.WriteString(c.begin, "\n"); err != nil {
		t.Fatal(err)
	}
}

func TestWhatTwoProcessesWriteAtTheSameMomentIsAllKept(t *testing.T) {
	dir := t.TempDir()
	keys := NewKeyFile(filepath.Join(dir, "keys.json"), time.Now)
	keys.cost = 1 << 4
	if err := keys.Create(password); err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"keys", "settings"} {
		t.Run(what, func(t *testing.T) {
			names := []string{"a", "b", "c"}
			var all []*child
			for _, name := range names {
				all = append(all, startChild(t, what, dir, name))
			}
			for _, c := range all {
				c.release(t)
			}
			for _, c := range all {
				if err := c.cmd.Wait(); err != nil {
					t.Fatal(err)
				}
			}
			have := map[string]bool{}
			for host := range keys.Open() {
				have[host] = what == "keys"
			}
			s, err := Load(filepath.Join(dir, "settings.toml"))
			if err != nil {
				t.Fatal(err)
			}
			for _, relay := range s.Sync.Relays {
				have[relay[len("wss://"):]] = what == "settings"
			}
			for _, name := range names {
				for i := range changesOfChild {
					if !have[entry(name, i)] {
						t.Errorf("%s was lost", entry(name, i))
					}
				}
			}
		})
	}
}

func TestALockEndsWithTheProcessThatHasIt(t *testing.T) {
	dir := t.TempDir()
	c := startChild(t, "hold", dir, "a")
	c.release(t)
	c.hears(t, "held\n")
	file, err := os.OpenFile(LockFile(filepath.Join(dir, "x")), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	if err := tryLock(file); !errors.Is(err, errHeld) {
		t.Fatalf("while another process has it: %v", err)
	}
	if err := c.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.cmd.Wait() // it was killed
	done := false
	if err := exclusively(filepath.Join(dir, "x"), func() error { done = true; return nil }); err != nil || !done {
		t.Errorf("after that: %v, done %v", err, done)
	}
}

func TestWhereNoLockCanBeMadeTheWriterSaysWhatIsWrong(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	done := false
	err := exclusively(filepath.Join(file, "settings.toml"), func() error { done = true; return errors.New("not a folder") })
	if !done || err == nil || err.Error() != "not a folder" {
		t.Errorf("done %v, %v", done, err)
	}
}
