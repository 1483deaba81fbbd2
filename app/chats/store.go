// Package chats saves chats: what was asked, what was answered and shown, and what the
// model needs to continue.
//
// A chat is one header and one record a turn, in a bucket of the user's own store
// (ndb.Store.Bucket("chats")). A turn is written when it begins, at most once a second while
// it streams, before an approval is waited for, before and after a call that does more than
// read, and when it ends. A turn that was interrupted by a crash or the end of the program
// is kept and marked, and can be taken up again ([Chat.Reopen]). A record that is damaged, or
// was written by a newer version, is left alone and reported by an error that names it; the
// others are not affected.
//
// Chats hold no secrets: every record passes the agent's Redactor. A chat that holds text by
// others stays tainted when it is loaded or branched.
//
// If the user wants chats forgotten ([Options.Forget]), they are kept in memory above the
// bucket, and end with the program.
//
// Keys: "c/ID" is a header; "t/ID/000001/000" is the first part of turn 1. A value has at
// most 512 KiB, so that a long turn is split.
//
//	c, err := store.New(session)
//	for e := range c.Record(ctx, turn, model, agent.Run(ctx, c.Conversation(), turn)) {
//		show(e)
//	}
package chats

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"bowerbird/app/agent"
	"bowerbird/ndb"
	"bowerbird/ndb/clean"
)

// Bucket stores chats; an *ndb.Bucket is one.
type Bucket interface {
	Get(ctx context.Context, key string) ([]byte, error)
	Put(ctx context.Context, values map[string][]byte) error
	All(ctx context.Context, prefix string) iter.Seq2[ndb.BucketRow, error]
}

// ErrNotFound is the error of a chat that does not exist.
var ErrNotFound = errors.New("chat not found")

// DamagedError is the error of a record that cannot be read.
type DamagedError struct {
	Key string
	Err error
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("the chat record %s is damaged: %v", e.Key, e.Err)
}

// Unwrap returns the cause.
func (e *DamagedError) Unwrap() error { return e.Err }

// NewerError is the error of a record that a newer version of the program wrote.
type NewerError struct {
	Key         string
	Have, Known int
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("the chat record %s has version %d, and this program knows up to %d", e.Key, e.Have, e.Known)
}

// Options configure a [Store].
type Options struct {
	Now func() time.Time // required
	// NewID returns a new id for a chat: 1 to 64 of [a-z0-9-]; required.
	NewID    func() string
	Redactor *agent.Redactor // nil: one that knows the shapes of secrets, but no API keys
	// Forget is called before each save; while it is true, what is saved is kept in memory
	// only, to the end of the program. nil: never. What is in the bucket stays.
	Forget func() bool
}

// Store saves chats. Its methods may be called from any goroutine, even while a turn of the
// same chat is recorded. A bucket has one Store.
type Store struct {
	bucket Bucket
	opt    Options
	packer packer

	headers sync.Mutex // held from reading a header until it is written
}

// NewStore returns the store over a bucket.
func NewStore(b Bucket, opt Options) (*Store, error) {
	if b == nil || opt.Now == nil || opt.NewID == nil {
		return nil, errors.New("chats: a bucket, a clock and a source of names are needed")
	}
	if opt.Redactor == nil {
		opt.Redactor = agent.NewRedactor()
	}
	if opt.Forget != nil {
		b = &layers{disk: b, memory: &memory{}, forget: opt.Forget}
	}
	return &Store{bucket: b, opt: opt}, nil
}

// Info is a chat as lists show it.
type Info struct {
	ID      string
	Title   string // the first question, until it is renamed
	Created time.Time
	Updated time.Time
	Turns   int
	Tainted bool      // holds text by others
	Deleted time.Time // zero while it is not deleted
	Branch  *Origin   // what it was branched from; nil for none
	// State is that of the last turn: Running even if the program ended during it.
	State State
	// Wordless is true if its last turn failed or was stopped before anything was said,
	// shown or done; see [Store.Instead].
	Wordless bool
	// Answer is the first line of the last turn's answer, without marks; "" for a chat that
	// was saved before this was kept.
	Answer string
	Left   bool // see Leave
	// Reader is the user's key as hex when it began; "" if unknown.
	Reader string
	// Usage sums up its turns, including those that a branch has in common with its origin.
	Usage Usage
}

// Origin is the turn in whose place a branch asks another question.
type Origin struct {
	Chat string `json:"chat"`
	Turn int    `json:"turn"`
}

// New returns an empty chat. It is saved with its first turn. session is the frozen part of
// its prompt.
func (s *Store) New(session string) (*Chat, error) {
	id := s.opt.NewID()
	if !validID(id) {
		return nil, fmt.Errorf("new chat: %q is no name for one", id)
	}
	now := s.opt.Now()
	c := &Chat{store: s, head: header{Version: version, ID: id, Created: now, Updated: now, Session: session}}
	c.conversation.Session = session
	return c, nil
}

func validID(id string) bool {
	return id != "" && len(id) <= 64 && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// List returns the chats that are not deleted, the most recently changed first. skipped
// holds an error (*DamagedError, *NewerError) for each that cannot be read.
func (s *Store) List(ctx context.Context) (list []Info, skipped []error, err error) {
	return s.list(ctx, func(i Info) bool { return i.Deleted.IsZero() })
}

// Deleted returns the chats that can still be brought back, likewise.
func (s *Store) Deleted(ctx context.Context) (list []Info, skipped []error, err error) {
	return s.list(ctx, func(i Info) bool { return !i.Deleted.IsZero() })
}

func (s *Store) list(ctx context.Context, want func(Info) bool) (list []Info, skipped []error, err error) {
	for row, err := range s.bucket.All(ctx, "c/") {
		if err != nil {
			return nil, nil, fmt.Errorf("list chats: %w", err)
		}
		h, err := decodeHeader(row.Key, row.Value)
		if err != nil {
			skipped = append(skipped, err)
		} else if info := h.info(); want(info) {
			list = append(list, info)
		}
	}
	slices.SortFunc(list, byChange)
	return list, skipped, nil
}

// byChange puts the chat changed last first.
func byChange(a, b Info) int {
	return cmp.Or(b.Updated.Compare(a.Updated), strings.Compare(a.ID, b.ID))
}

// Load returns a chat with its turns, ready to continue.
func (s *Store) Load(ctx context.Context, id string) (*Chat, error) {
	h, err := s.header(ctx, id)
	if err != nil {
		return nil, err
	}
	c := &Chat{store: s, head: h, title: h.Title}
	if c.Turns, c.Damaged, err = s.turns(ctx, id); err != nil {
		return nil, err
	}
	c.leaveBehind()
	for _, t := range c.Turns {
		c.conversation.Messages = append(c.conversation.Messages, t.messages...)
	}
	c.conversation.Session = h.Session
	// Without the unreadable turns the indexes are wrong, and Run computes its own.
	c.conversation.LeftOut, c.conversation.Bare = h.LeftOut, h.Bare
	if len(c.Damaged) > 0 {
		c.conversation.LeftOut, c.conversation.Bare = 0, 0
	}
	if h.Tainted {
		c.conversation.Taint()
	}
	return c, nil
}

func (s *Store) header(ctx context.Context, id string) (header, error) {
	return headerIn(ctx, s.bucket, id)
}

func headerIn(ctx context.Context, b Bucket, id string) (header, error) {
	key := headerKey(id)
	raw, err := b.Get(ctx, key)
	if errors.Is(err, ndb.ErrNotFound) || !validID(id) {
		return header{}, fmt.Errorf("chat %q: %w", id, ErrNotFound)
	}
	if err != nil {
		return header{}, fmt.Errorf("read chat %q: %w", id, err)
	}
	return decodeHeader(key, raw)
}

// change rewrites a chat's header.
func (s *Store) change(ctx context.Context, id string, f func(*header)) error {
	s.headers.Lock()
	defer s.headers.Unlock()
	return s.changeEach(ctx, id, f)
}

func (s *Store) changeIn(ctx context.Context, b Bucket, id string, f func(*header)) error {
	h, err := headerIn(ctx, b, id)
	if err != nil {
		return err
	}
	f(&h)
	raw, err := s.encodeHeader(h)
	if err != nil {
		return err
	}
	if err := b.Put(ctx, map[string][]byte{headerKey(id): raw}); err != nil {
		return fmt.Errorf("save chat %q: %w", id, err)
	}
	return nil
}

// opening returns the first line of an answer as a list of chats shows it: without the
// marks of a heading, of bold words and of code.
func opening(answer string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(answer), "\n")
	return clean.Line(strings.NewReplacer("**", "", "`", "").Replace(strings.TrimLeft(line, "# ")), maxTitle)
}

// maxTitle is how many characters a title may have.
const maxTitle = 200

// Rename gives a chat a title of one line and at most 200 characters.
func (s *Store) Rename(ctx context.Context, id, title string) error {
	title = clean.Line(title, maxTitle)
	if title == "" {
		return fmt.Errorf("rename chat %q: the title is empty", id)
	}
	return s.change(ctx, id, func(h *header) { h.Title = title })
}

// Delete hides a chat. Undelete restores it, until Purge removes it.
func (s *Store) Delete(ctx context.Context, id string) error {
	now := s.opt.Now()
	return s.change(ctx, id, func(h *header) { h.Deleted = &now })
}

// Leave records that the user has seen how the chat ended and went on to something else. It
// is reset by the next turn.
func (s *Store) Leave(ctx context.Context, id string) error {
	return s.change(ctx, id, func(h *header) { h.Left = true })
}

// Undelete restores a chat that was deleted.
func (s *Store) Undelete(ctx context.Context, id string) error {
	return s.change(ctx, id, func(h *header) { h.Deleted = nil })
}

// purgeStep is how many keys are deleted at a time.
const purgeStep = 256

// Purge permanently removes the chats deleted before a time, and returns how many.
func (s *Store) Purge(ctx context.Context, before time.Time) (int, error) {
	gone, _, err := s.Deleted(ctx)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, info := range gone {
		if !info.Deleted.Before(before) {
			continue
		}
		if err := s.purge(ctx, info.ID); err != nil {
			return n, fmt.Errorf("remove chat %q: %w", info.ID, err)
		}
		n++
	}
	return n, nil
}

// purge removes the turns first: if it is interrupted, the chat is still a deleted one, and
// the next Purge continues.
func (s *Store) purge(ctx context.Context, id string) error {
	var keys []string
	for row, err := range s.bucket.All(ctx, turnsPrefix(id)) {
		if err != nil {
			return err
		}
		keys = append(keys, row.Key)
	}
	for some := range slices.Chunk(append(keys, headerKey(id)), purgeStep) {
		values := make(map[string][]byte, len(some))
		for _, key := range some {
			values[key] = nil
		}
		if err := s.bucket.Put(ctx, values); err != nil {
			return err
		}
	}
	return nil
}
