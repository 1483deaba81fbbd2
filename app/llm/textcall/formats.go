package textcall

// Format is one way in which models write calls. Formats are rows: adding one is a
// file with its reader, a line in Formats, and its fixtures.
type Format struct {
	Name    string
	Models  string   // who writes it
	Openers []string // what it begins with
	// Write tells a model about tools in this format; nil where we only read it.
	Write *Writer

	// read reads on behind the opener. It returns false where what follows is not
	// of this format; the bytes that were read by then are text.
	read func(s *Scanner, opener string) ([]Call, bool)
	// tells says that read tells some of what it read by itself.
	tells bool
}

// Formats returns all formats. Of those that share an opener the first that
// recognises a call has it.
func Formats() []Format {
	rows := []Format{
		hermes(), qwenCoder(), glm(),
		mistral(), pythonic(), pythonicTags(), llama(), pureJSON(), jsonTags(),
		deepseek(), dsml("dsml", "｜DSML｜"), dsml("dsml-ascii", "|DSML|"), minimax(), claude(),
		functionary(), harmony(), kimi(), qwenAgent(), commandR(),
	}
	return append(rows, tagged()...)
}
