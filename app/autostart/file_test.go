//go:build !windows

package autostart

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/adrg/xdg"
)

func TestOffLeavesTheFolderAsItWas(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	e := Entry{ID: "social.example.desktop", Name: "Example", Command: []string{"/opt/x", "--background"}}
	if err := e.Set(false); err != nil || e.On() {
		t.Fatalf("off before it was on: %v, %v", err, e.On())
	}
	if err := e.Set(true); err != nil || !e.On() {
		t.Fatalf("on: %v, %v", err, e.On())
	}
	if err := e.Set(false); err != nil || e.On() {
		t.Fatalf("off: %v, %v", err, e.On())
	}
	file, _ := e.file("linux")
	other := filepath.Join(filepath.Dir(file), "other.desktop")
	if err := os.MkdirAll(filepath.Dir(other), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, []byte("[Desktop Entry]\nName=Other\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, on := range []bool{true, true, false, false} {
		if err := e.Set(on); err != nil || e.On() != on {
			t.Errorf("%v: %v, %v", on, err, e.On())
		}
	}
	left, err := os.ReadDir(filepath.Dir(other))
	raw, readErr := os.ReadFile(other)
	if err != nil || readErr != nil || len(left) != 1 || string(raw) != "[Desktop Entry]\nName=Other\n" {
		t.Errorf("left: %v, %q, %v, %v", left, raw, err, readErr)
	}
}

// hard is a command with all that must be quoted.
var hard = []string{"/opt/Böse Vögel/bower\"bird", "--data", `/home/a$b/100 %/c\d` + "`e", "--background", "<&>"}

// TestTheCommandIsReadBackAsItWas undoes both quotings of the desktop entry specification.
func TestTheCommandIsReadBackAsItWas(t *testing.T) {
	_, content := Entry{ID: "x", Name: "X", Command: hard}.file("linux")
	_, program, _ := strings.Cut(content, "\nTryExec=")
	program, _, _ = strings.Cut(program, "\n")
	if got := strings.ReplaceAll(program, `\\`, `\`); got != hard[0] {
		t.Errorf("the program that must be there is %q, want %q", got, hard[0])
	}
	_, line, _ := strings.Cut(content, "\nExec=")
	line, _, _ = strings.Cut(line, "\n")
	line = strings.ReplaceAll(line, `\\`, `\`) // as any string of the file
	var got []string
	var word strings.Builder
	for i, in := 0, false; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"' && in:
			got, in = append(got, word.String()), false
			word.Reset()
		case c == '"':
			in = true
		case !in:
		case c == '\\', c == '%' && line[i+1] == '%':
			i++
			word.WriteByte(line[i])
		case strings.IndexByte("`$", c) >= 0:
			t.Errorf("%c is not escaped in %s", c, line)
		default:
			word.WriteByte(c)
		}
	}
	if !slices.Equal(got, hard) {
		t.Errorf("%s is read as %q", line, got)
	}
}

func TestTheAgentIsReadBackAsItWas(t *testing.T) {
	_, content := Entry{ID: "x", Name: "X", Command: hard}.file("darwin")
	var plist struct {
		Args []string `xml:"dict>array>string"`
	}
	if err := xml.Unmarshal([]byte(content), &plist); err != nil || !slices.Equal(plist.Args, hard) {
		t.Errorf("%q, %v", plist.Args, err)
	}
}
