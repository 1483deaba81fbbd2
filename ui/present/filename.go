package present

// DottedTimes writes the times of a title that is to name a file, such as 0:00, with a
// dot: a colon stands in no name on every system, and without it 0:00 would be 000.
func DottedTimes(title string) string {
	name := []byte(title)
	for i := 1; i+1 < len(name); i++ {
		if name[i] == ':' && isDigit(name[i-1]) && isDigit(name[i+1]) {
			name[i] = '.'
		}
	}
	return string(name)
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
