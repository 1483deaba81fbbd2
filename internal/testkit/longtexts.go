package testkit

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// LongText is a text that is made to keep a window busy.
type LongText struct {
	Name string
	// Make returns the nth such text: no word of it is in another, so that nothing
	// that was measured for one helps with the next.
	Make func(n int) string
}

const (
	latin  = "abcdefghijklmnopqrstuvwxyz"
	arabic = "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"
)

// LongTexts are plain texts of some 100 kB, or of 10,000 lines.
func LongTexts() []LongText {
	const size = 100_000
	return []LongText{
		{"one word of 100 kB", func(n int) string { return letters(n, latin, size) }},
		{"one word of 100 kB in both cases", func(n int) string { return letters(n, latin+strings.ToUpper(latin)+"0123456789-", size) }},
		{"one Chinese line of 99 kB", func(n int) string {
			return letters(n, "安装软件我们今天在这里看见很多新的朋友和消息", size/3)
		}},
		{"one Arabic word of 100 kB", func(n int) string { return letters(n, arabic, size/2) }},
		{"an Arabic paragraph of 100 kB", func(n int) string { return words(n, arabic, size/2) }},
		{"an English paragraph of 100 kB", func(n int) string { return words(n, latin, size) }},
		{"emoji of 100 kB", func(n int) string { return letters(n, "😀👍🎉🚀🌍🔥", size/4) }},
		{"letters with marks", func(n int) string {
			return strings.ReplaceAll(letters(n, latin, size/7), "e", "e\u0301\u0302\u0303") + strings.Repeat("o\u0301\u0302\u0303", size/14)
		}},
		{"10,000 lines", func(n int) string { return numbered(n, "", "\n") }},
	}
}

// LongMarkdown are those that are long once they are read as Markdown.
func LongMarkdown() []LongText {
	return []LongText{
		{"10,000 hard breaks", func(n int) string { return numbered(n, "", "\\\n") }},
		{"10,000 paragraphs", func(n int) string { return numbered(n, "", "\n\n") }},
		{"10,000 items", func(n int) string { return numbered(n, "- ", "\n") }},
		{"10,000 numbered items", func(n int) string { return numbered(n, "1. ", "\n") }},
		{"10,000 lines of code", func(n int) string { return "```\n" + numbered(n, "", "\n") + "```" }},
		{"a line of code of 100 kB", func(n int) string { return "```\n" + letters(n, latin, 100_000) + "\n```" }},
		{"10,000 rows", func(n int) string { return "|a|b|\n|-|-|\n" + numbered(n, "|of|", "|\n") }},
		{"10,000 bold words", func(n int) string { return numbered(n, "**a** ", " ") }},
		{"a quote of 10,000 lines", func(n int) string { return numbered(n, "> ", "\n") }},
	}
}

// letters are size characters of an alphabet, without a space.
func letters(n int, alphabet string, size int) string {
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	all := []rune(alphabet)
	var b strings.Builder
	for range size {
		b.WriteRune(all[rng.IntN(len(all))])
	}
	return b.String()
}

// words are size characters of an alphabet, with spaces between.
func words(n int, alphabet string, size int) string {
	rng := rand.New(rand.NewPCG(uint64(n), 2))
	all := []rune(alphabet)
	var b strings.Builder
	for left := size; left > 0; {
		length := 1 + rng.IntN(10)
		for range length {
			b.WriteRune(all[rng.IntN(len(all))])
		}
		b.WriteByte(' ')
		left -= length + 1
	}
	return b.String()
}

// numbered are 10,000 lines with numbers that no other text has.
func numbered(n int, before, after string) string {
	var b strings.Builder
	for i := range 10_000 {
		b.WriteString(before + "line " + strconv.Itoa(n*10_000+i) + after)
	}
	return b.String()
}
