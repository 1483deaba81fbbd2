// Package present turns notes and answers into plain values that the window and the
// terminal draw: cleaned, dated, counted, shortened. It has no widgets and does not depend
// on a window.
//
// A [Reader] reads a note with all that its card shows ([Note]), a thread ([Thread]), a
// person ([Profile]), a long text ([Article]). [Words] writes numbers and times in the
// user's language. What an answer shows is in package answers.
//
// The values are safe to show. The texts of strangers contain no control, bidirectional or
// zero-width characters, except the marks that set a direction in running text, and no
// more than eight marks on a character; every field is bounded in length. An address is
// shown with its real host. Nothing is fetched here: a picture is an address and a click.
//
// How text is drawn and wrapped, and what a click does, is left to the widgets.
package present
