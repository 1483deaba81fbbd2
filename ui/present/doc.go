// Package present turns notes and answers into plain values that the window and
// the terminal draw: cleaned, dated, counted, shortened. It holds no widget and
// knows no window.
//
// A Reader reads a note with all that its card shows (Note), a conversation
// (Thread), a person (Profile), a long text (Article). Words says numbers and times in
// the user's language. What an answer shows is package answers'.
//
// What it returns is safe to show: no control, bidirectional or zero-width
// characters of strangers are left in it but the marks that set a direction in
// running text, no more than eight marks on a character, and every field is
// bounded in length. An address is shown with its real host. Nothing is fetched
// here; a picture is an address and a click.
//
// Where text is drawn, how it breaks into lines, and what a click does is left to
// the widgets.
package present
