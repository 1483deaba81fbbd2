package feed

import (
	"testing"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
)

func TestTheLinesOfAThreadJoinEachReplyToWhatItAnswers(t *testing.T) {
	th := present.Thread{Ancestors: []present.Note{{ID: nostr.ID{1}}, {ID: nostr.ID{2}, Missing: true}}, Focus: present.Note{ID: nostr.ID{3}}, More: true}
	for i, depth := range []int{0, 1, 2, 2, 1, 2, 3, 0, 0, 1} {
		th.Replies = append(th.Replies, present.Branch{Note: present.Note{ID: nostr.ID{byte(10 + i)}, Missing: i == 4}, Depth: depth})
	}
	ids, byID := threadRows(th, nil)
	if first, second, focus := byID[ids[0]], byID[ids[1]], byID[ids[2]]; first.above || !first.open || !second.above || !second.open || !focus.above || focus.open {
		t.Errorf("the lines above: %v, %v, %v", first.branch, second.branch, focus.branch)
	}
	for i, id := range ids[3:13] {
		r := byID[id]
		if len(r.on) != r.depth {
			t.Fatalf("reply %d at depth %d has lines of %d depths", i, r.depth, len(r.on))
		}
		for depth := range r.depth + 1 {
			goesOn := false
			for _, below := range ids[3+i+1 : 13] {
				d := byID[below].depth
				if d <= depth {
					break
				}
				goesOn = goesOn || d == depth+1
			}
			if got := append(r.on, r.open)[depth]; got != goesOn {
				t.Errorf("reply %d at depth %d: the line at depth %d goes on: %v", i, r.depth, depth, got)
			}
		}
	}
}

func TestAThreadKeepsItsMeasure(t *testing.T) {
	a := openApp(t)
	st := setStage(t, a, theme.Options{}, mainPart)
	th := NewThread(st.env, longest(t, a))
	st.show(th)
	st.until("the thread is shown", func() bool { return th.loaded })
	st.window.Resize(mainPart.AddWidthHeight(500, 0))
	st.settle()
	for _, id := range th.rows.IDs() {
		in, ok := th.rows.Row(id).(*inset)
		if !ok {
			continue
		}
		left, right := in.content.Position().X-in.left, in.content.Position().X+in.content.Size().Width
		if right-left != threadWidth || left+right != in.Size().Width {
			t.Errorf("a row is from %v to %v of %v", left, right, in.Size().Width)
		}
	}
}
