package chats

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// A question that is asked again, or edited, makes a branch, which is a separate chat in
// the store. To the user, all branches are one chat with versions of some of its turns: a
// Family.

// Family is a chat with all its versions.
type Family struct {
	Info             // of the version changed last
	Members []string // the ids of all versions that are not deleted
}

// Families returns the chats that are not deleted as the user counts them: each once,
// whatever its versions, the most recently changed first. skipped is as in List.
func (s *Store) Families(ctx context.Context) (list []Family, skipped []error, err error) {
	tree, skipped, err := s.tree(ctx)
	if err != nil {
		return nil, nil, err
	}
	place := map[string]int{} // by root
	for _, info := range tree.newestFirst() {
		if !info.Deleted.IsZero() {
			continue
		}
		root := tree.owner(info.ID, 0)
		i, known := place[root]
		if !known {
			i = len(list)
			place[root] = i
			list = append(list, Family{Info: info})
		}
		list[i].Members = append(list[i].Members, info.ID)
	}
	return list, skipped, nil
}

// Versions returns, by the number of a turn, the chats that hold its versions, oldest
// first, including the chat itself but not those without a word of an answer. Turns with
// only one version are left out.
func (s *Store) Versions(ctx context.Context, id string) (map[int][]string, error) {
	tree, _, err := s.tree(ctx)
	if err != nil {
		return nil, err
	}
	self, ok := tree[id]
	if !ok {
		return nil, fmt.Errorf("chat %q: %w", id, ErrNotFound)
	}
	versions := map[int][]string{}
	for turn := 1; turn <= self.Turns; turn++ {
		if list := tree.versions(self, turn); len(list) > 1 {
			versions[turn] = list
		}
	}
	return versions, nil
}

// tree holds the headers of all chats by id, including deleted ones, from which others may
// have been branched.
type tree map[string]Info

func (s *Store) tree(ctx context.Context) (tree, []error, error) {
	all, skipped, err := s.list(ctx, func(Info) bool { return true })
	if err != nil {
		return nil, nil, err
	}
	t := make(tree, len(all))
	for _, info := range all {
		t[info.ID] = info
	}
	return t, skipped, nil
}

func (t tree) newestFirst() []Info {
	list := make([]Info, 0, len(t))
	for _, info := range t {
		list = append(list, info)
	}
	slices.SortFunc(list, byChange)
	return list
}

// owner returns the chat in which a turn of a chat was asked: branches share the turns
// before their own. Turn 0 is the beginning. The owner may no longer exist.
func (t tree) owner(id string, turn int) string {
	for range t { // a damaged store may have branches in a circle
		info, there := t[id]
		if !there || info.Branch == nil || turn >= info.Branch.Turn {
			break
		}
		id = info.Branch.Chat
	}
	return id
}

// depth returns the number of branches between a chat and its root.
func (t tree) depth(id string) int {
	n := 0
	for range t {
		info, there := t[id]
		if !there || info.Branch == nil {
			break
		}
		id = info.Branch.Chat
		n++
	}
	return n
}

// versions lists the chats with the same turns before a turn as self, one for each
// different turn there: self, else the most recently changed one.
func (t tree) versions(self Info, turn int) []string {
	before := t.owner(self.ID, turn-1)
	holder := map[string]string{t.owner(self.ID, turn): self.ID}
	for _, info := range t.newestFirst() {
		owner := t.owner(info.ID, turn)
		if info.Wordless && info.Turns == turn {
			continue
		}
		if info.Deleted.IsZero() && info.Turns >= turn && t.owner(info.ID, turn-1) == before && holder[owner] == "" {
			holder[owner] = info.ID
		}
	}
	owners := make([]string, 0, len(holder))
	for owner := range holder {
		owners = append(owners, owner)
	}
	slices.SortFunc(owners, func(a, b string) int {
		return cmp.Or(t[a].Created.Compare(t[b].Created), cmp.Compare(t.depth(a), t.depth(b)), cmp.Compare(a, b))
	})
	list := make([]string, 0, len(owners))
	for _, owner := range owners {
		list = append(list, holder[owner])
	}
	return list
}
