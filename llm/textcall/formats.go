package textcall

import (
	"slices"
	"strings"
)

// Format is one way in which models write calls. To add one, add a file with its reader, a
// line in [Formats], and its fixtures.
type Format struct {
	Name    string
	Openers []string // the texts that a call may begin with
	Write   *Writer  // nil if this format is only read

	// read reads what follows the opener. It returns false if that is not in this format;
	// what it has read is then text.
	read func(s *Scanner, opener string) ([]Call, bool)
	// emits means that read may emit events itself instead of returning calls.
	emits bool
}

// Formats returns all formats. If several share an opener, the first one that reads a call
// wins.
func Formats() []Format {
	return slices.Concat([]Format{
		hermes(), qwenCoder(), glm(),
		mistral(), pythonic(), pythonicTags(), llama(), pureJSON(), jsonTags(), deepseek(),
	}, invokes(), []Format{functionary(), harmony(), kimi(), qwenAgent(), commandR()}, tagged())
}

// node is a node in the trie of all openers, so that one pass looks for all of them.
type node struct {
	bytes string  // the bytes that may come next,
	next  []*node // and the node of each
	text  string  // the opener that ends here; "" if none does
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

// match finds the longest opener that comes next, and the formats that have it. It waits
// for more of the answer only while what has arrived is the beginning of an opener.
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
