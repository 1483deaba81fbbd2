package builtin

import (
	"cmp"
	"slices"
)

// wanted lists the notes that people followed have answered, quoted, reposted or
// liked and that were not read, those of most people first, at most limit. One
// person alone makes a note wanted only by passing it on.
func (c *corpus) wanted(limit int) []string {
	type want struct {
		id string
		by *person
	}
	wants := map[want]bool{}
	people, passed := map[string]int{}, map[string]bool{}
	add := func(id string, p *person) {
		if id != "" && p.followed && c.notes[id] == nil && !wants[want{id, p}] {
			wants[want{id, p}] = true
			people[id]++
		}
	}
	for _, n := range c.notes {
		if n.fresh {
			add(n.root, n.author)
			if n.root != n.parent {
				add(n.parent, n.author)
			}
			for _, id := range n.quotes {
				add(id, n.author)
			}
		}
	}
	for _, a := range c.acts {
		add(a.target, a.by)
		if a.repost {
			passed[a.target] = true
		}
	}
	ids := sortedKeys(people)
	ids = slices.DeleteFunc(ids, func(id string) bool { return people[id] < 2 && !passed[id] })
	slices.SortStableFunc(ids, func(a, b string) int { return cmp.Compare(people[b], people[a]) })
	return ids[:min(len(ids), limit)]
}

func set[T comparable](words ...T) map[T]bool {
	m := make(map[T]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}
