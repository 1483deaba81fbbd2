// Package autostart has the program started when its user logs in, the way each system does
// that: by a file in the XDG autostart folder, an agent of launchd on macOS, an entry in the
// registry on Windows. The system's entry is the only record of it; removing it touches
// nothing else.
package autostart

// Entry is the program as the system starts it.
type Entry struct {
	ID      string   // names the entry; a reversed domain
	Name    string   // for lists of what is started
	Command []string // with an absolute path first
}
