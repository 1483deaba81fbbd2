package chats

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// A question that is asked anew, or edited, makes a branch (see Branch), which is a
// chat of its own in the store. For a person all branches are one chat that has
// versions of some of its turns: a Family.

// Family is a chat with all its versions.
type Family struct {
	Info             // of the version changed last
	Members []string // the ids of all versions that are not deleted
}

// Families returns the chats that are not deleted as a person counts them: each once,
// whatever its versions, the one changed last first. Skipped is as in List.
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

// Versions returns, by the number of a turn, the chats that hold the versions of that
// turn of a chat, the oldest first, the chat itself among them; without those that hold
// no word of an answer. Turns of one version are left out.
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

// tree holds the heads of all chats by their ids, those deleted as well: others may
// have been branched from them.
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

// owner returns in which chat a turn of a chat was asked: branches share the turns
// before their own. Turn 0 stands for the beginning. The owner may be gone.
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

// depth returns how many branches lie between a chat and its root.
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

// versions lists the chats that have the same turns before a turn as a chat, one for
// each different turn there: the chat itself, else the one changed last.
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
