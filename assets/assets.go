// Package assets holds the files that are built into the program. It knows
// nothing of those who read them.
package assets

import "embed"

// Prompts are the texts that language models are given, one file each, under
// "prompts": README.md there says what each is for.
//
//go:embed prompts
var Prompts embed.FS

// Sample holds the hand-written texts of the sample, under "sample", and the pictures drawn
// for it: README.md there says how they are written; app/sample makes signed events of them.
//
//go:embed sample/*.txt sample/pictures/*.svg
var Sample embed.FS

// Icons are the window's icons, drawn for it: icons/NAME.svg, black strokes of 1.6
// in a box of 24; and the program's own, icons/bowerbird.svg and .png.
//
//go:embed icons/*.svg
var Icons embed.FS

// Icon is the program's icon as PNG, 512 pixels wide and high.
//
//go:embed icons/bowerbird.png
var Icon []byte

// Translations are the window's words: translations/PACKAGE.LANG.json, one object
// of English text to translated text each.
//
//go:embed translations
var Translations embed.FS

// Fonts are the typefaces of the window, with their licences: Inter (OFL). Other
// scripts come from the system.
//
//go:embed fonts
var Fonts embed.FS
