// Package assets holds the files that are built into the program. It knows
// nothing of those who read them.
package assets

import "embed"

// Prompts are the texts that language models are given, one file each, under
// "prompts": README.md there says what each is for.
//
//go:embed prompts
var Prompts embed.FS
