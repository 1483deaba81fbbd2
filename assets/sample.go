package assets

import "embed"

// Sample holds the hand-written texts of the sample, under "sample", and the pictures drawn
// for it: README.md there says how they are written; app/sample makes signed events of them.
//
//go:embed sample/*.txt sample/pictures/*.svg
var Sample embed.FS
