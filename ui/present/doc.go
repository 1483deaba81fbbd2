// Package present turns notes and answers into plain values that the window and
// the terminal draw: cleaned, dated, shortened. It holds no widget, and what it
// returns is safe to show: no control, bidirectional or zero-width characters of
// strangers are left in it.
package present
