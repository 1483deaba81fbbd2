// Package markdown draws the Markdown of models: never Fyne's own, which fetches
// images while it lays out.
package markdown

import _ "github.com/yuin/goldmark" // the parser
