//go:build !windows

package autostart

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/adrg/xdg"
)

// On reports whether the program is started at login.
func (e Entry) On() bool {
	file, _ := e.file(runtime.GOOS)
	_, err := os.Stat(file)
	return err == nil
}

// Set switches that on or off.
func (e Entry) Set(on bool) error {
	file, content := e.file(runtime.GOOS)
	if !on {
		if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(content), 0o644)
}

// file returns the entry's file on a system.
func (e Entry) file(goos string) (path, content string) {
	if goos == "darwin" {
		var args strings.Builder
		for _, a := range e.Command {
			args.WriteString("\t\t<string>" + inXML.Replace(a) + "</string>\n")
		}
		return filepath.Join(xdg.Home, "Library", "LaunchAgents", e.ID+".plist"), `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>` + inXML.Replace(e.ID) + `</string>
	<key>ProgramArguments</key>
	<array>
` + args.String() + `	</array>
	<key>RunAtLoad</key>
	<true/>
</dict>
</plist>
`
	}
	var words []string
	for _, a := range e.Command {
		words = append(words, `"`+inExec.Replace(a)+`"`)
	}
	return filepath.Join(xdg.ConfigHome, "autostart", e.ID+".desktop"),
		"[Desktop Entry]\nType=Application\nName=" + e.Name + "\nExec=" + strings.Join(words, " ") +
			"\nTryExec=" + strings.ReplaceAll(e.Command[0], `\`, `\\`) + // without the program, the entry does nothing
			"\nTerminal=false\n"
}

var (
	inXML = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	// inExec quotes within double quotes, and then what that is written in, a string of a
	// desktop entry.
	inExec = strings.NewReplacer(`\`, `\\\\`, `"`, `\\"`, "`", "\\\\`", "$", `\\$`, "%", "%%")
)
