package feed

import (
	"errors"
	"slices"
	"time"

	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/app/live"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/present"
)

// follow reads the thread again when events of it arrive in the store.
func (t *Thread) follow() {
	changed := make(chan struct{}, 1)
	sub := t.env.App.Notes().Subscribe(t.ctx,
		nostr.Filter{Kinds: append(timelineKinds(true), 0, kindDeletion)})
	go func() {
		defer close(changed)
		for e, err := range sub {
			if p := t.known.Load(); err == nil && p != nil && p.touches(e) {
				if e.Kind == 0 {
					t.reader.Forget()
				}
				select {
				case changed <- struct{}{}:
				default:
				}
			}
		}
	}()
	go func() {
		for range changed {
			select {
			case <-time.After(gatherPause):
				t.env.Do.Do(t.load)
			case <-t.ctx.Done():
				return
			}
		}
	}()
}

// fetches reports whether relays are asked at all.
func fetches(a *app.App) bool {
	switch a.Live().Status().Stage {
	case live.StageSample, live.StageStopped, live.StageNobody:
		return false
	}
	return true
}

// ask asks relays once, when the thread is opened, for what is missing of it.
func (t *Thread) ask() {
	if !fetches(t.env.App) {
		return
	}
	t.checked = t.env.App.Live().Status().LastSync
	t.looking[t.id] = true // shown if the note itself is missing
	t.work(func() func() {
		root := t.root()
		_, err := t.env.App.Live().FetchThread(t.ctx, root, t.hints(root))
		if begins := t.root(); err == nil && begins != root { // the note arrived and names the root
			_, err = t.env.App.Live().FetchThread(t.ctx, begins, t.hints(begins))
		}
		return func() {
			delete(t.looking, t.id)
			t.refreshMissing(t.id)
			if err != nil {
				return // the status line reports problems of the network
			}
			t.checked = t.env.App.Now()
			t.load()
		}
	})
}

// root returns the first note of the thread. It reads the store.
func (t *Thread) root() nostr.ID {
	e, err := t.env.App.Notes().Event(t.ctx, t.id)
	if err != nil {
		return t.id
	}
	if r, ok := nostr.ReplyTo(e); ok && r.Root != (nostr.ID{}) {
		return r.Root
	}
	return t.id
}

// maxHints limits how many relays that strangers name are asked for a note.
const maxHints = 4

// hints returns the relays that the thread's note names for another note. It reads the
// store.
func (t *Thread) hints(wanted nostr.ID) []string {
	var urls []string
	if e, err := t.env.App.Notes().Event(t.ctx, t.id); err == nil {
		for _, tag := range e.Tags {
			if len(tag) > 2 && tag[0] == "e" && tag[1] == wanted.String() && tag[2] != "" && !slices.Contains(urls, tag[2]) {
				urls = append(urls, tag[2])
			}
		}
	}
	return urls[:min(len(urls), maxHints)]
}

// lookFurther asks more relays for a missing note.
func (t *Thread) lookFurther(id nostr.ID) {
	if t.looking[id] {
		return
	}
	t.looking[id] = true
	t.refreshMissing(id)
	t.work(func() func() {
		found, err := t.env.App.Live().FetchNotes(t.ctx, []nostr.ID{id}, t.hints(id))
		return func() {
			delete(t.looking, id)
			t.refreshMissing(id)
			switch {
			case errors.Is(err, live.ErrSample):
				t.env.Go.Toast(lang.L("This is all of the sample."), "", nil)
			case err != nil && live.Unreachable(err):
				t.env.Go.Toast(lang.L("No relay could be reached."), "", nil)
			case err != nil:
				t.env.Go.Toast(err.Error(), "", nil)
			case found == 0:
				t.env.Go.Toast(lang.L("No relay that was asked has this note."), "", nil)
			default:
				t.load()
			}
		}
	})
}

func (t *Thread) refreshMissing(id nostr.ID) { t.rows.RefreshRow(rowID(rowMissing, id)) }

// missingWords words what a row without a note is.
func missingWords(r threadRow) string {
	switch {
	case r.place == rowFocus:
		return lang.L("This note is on none of your relays.")
	case r.place == rowReply:
		return lang.L("A reply that is on none of your relays.")
	case r.note.Author != "":
		return lang.L("In reply to a note by {{.Name}} that is on none of your relays.", map[string]any{"Name": present.Isolate(r.note.Author)})
	}
	return lang.L("In reply to a note that is on none of your relays.")
}
