package main

import "golang.org/x/sys/windows"

// showBox shows a text where there may be neither a window nor a terminal.
func showBox(text string) {
	if words, err := windows.UTF16PtrFromString(text); err == nil {
		title, _ := windows.UTF16PtrFromString("Bowerbird")
		_, _ = windows.MessageBox(0, words, title, windows.MB_OK|windows.MB_ICONERROR)
	}
}
