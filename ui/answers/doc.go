// Package answers turns what happens while a question is answered into plain values that
// the window draws and the terminal says: an Assembler takes the events of a turn, live or
// from a saved chat, and gives a Turn, which is a list of blocks (see [Block]).
//
// What a Turn says is in English and at the same time the name of its translation (see
// [Phrase]). Texts by models and strangers are cleaned and bounded in it, as in package
// present. How a block is drawn is left to ui/chat, which enters each in one place.
package answers
