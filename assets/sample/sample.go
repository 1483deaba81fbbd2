// Package sample holds the hand-written texts of the sample: the people and
// what they write in ten made-up days. It promises only the files, as they are;
// README.md beside it says how they are written, and app/sample reads them and
// makes signed events of them.
package sample

import (
	"embed"
	"io/fs"
)

//go:embed *.txt
var files embed.FS

// Texts returns the text files: people.txt, spam.txt, and one file a story.
func Texts() fs.FS { return files }
