package autostart

import (
	"errors"
	"strings"
	"syscall"

	"golang.org/x/sys/windows/registry"
)

// run is the key whose values are the commands that are started.
const run = `Software\Microsoft\Windows\CurrentVersion\Run`

// On reports whether the program is started at login.
func (e Entry) On() bool {
	k, err := registry.OpenKey(registry.CURRENT_USER, run, registry.QUERY_VALUE)
	if err != nil {
		return false
	}
	defer func() { _ = k.Close() }()
	_, _, err = k.GetStringValue(e.ID)
	return err == nil
}

// Set switches that on or off.
func (e Entry) Set(on bool) error {
	k, _, err := registry.CreateKey(registry.CURRENT_USER, run, registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer func() { _ = k.Close() }()
	if !on {
		if err := k.DeleteValue(e.ID); !errors.Is(err, registry.ErrNotExist) {
			return err
		}
		return nil
	}
	var words []string
	for _, a := range e.Command {
		words = append(words, syscall.EscapeArg(a))
	}
	return k.SetStringValue(e.ID, strings.Join(words, " "))
}
