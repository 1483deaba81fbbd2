package textcall

import "strings"

// Format is one way in which models write calls. Formats are rows: adding one is a
// file with its reader, a line in Formats, and its fixtures.
type Format struct {
	Name    string
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

// node is a place in the tree of all openers, which are looked for at once.
type node struct {
	bytes string // what may come next, and
	next  []*node
	text  string // the opener that ends here; "" when none does
	rows  []Format
}

func newIndex(rows []Format) *node {
	root := &node{}
	for _, row := range rows {
		for _, opener := range row.Openers {
			n := root
			for i := range len(opener) {
				n = n.grow(opener[i])
			}
			n.text = opener
			n.rows = append(n.rows, row)
		}
	}
	return root
}

func (n *node) child(c byte) *node {
	if i := strings.IndexByte(n.bytes, c); i >= 0 {
		return n.next[i]
	}
	return nil
}

func (n *node) grow(c byte) *node {
	child := n.child(c)
	if child == nil {
		child = &node{}
		n.bytes += string([]byte{c})
		n.next = append(n.next, child)
	}
	return child
}

// match finds the longest opener that comes next, and the rows that know it. It
// waits only as long as what is there begins one.
func (s *Scanner) match() (string, []Format) {
	n, found := s.index, s.index
	for i := s.in.pos; len(n.next) > 0; i++ {
		c, ok := s.in.at(i)
		if !ok {
			break
		}
		if n = n.child(c); n == nil {
			break
		}
		if n.text != "" {
			found = n
		}
	}
	return found.text, found.rows
}
