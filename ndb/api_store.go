package ndb

// SKELETON: signatures only, for parallel work; each is replaced by its real file.

import (
	"context"
	"errors"
	"io"
	"iter"
	"log/slog"
	"time"
)

// Errors a caller can act on.
var (
	ErrNotFound = errors.New("not found")
	ErrClosed   = errors.New("store is closed")
	ErrNoSpace  = errors.New("too little free space on the disk")
	ErrReadOnly = errors.New("store cannot be written")
	ErrDamaged  = errors.New("store is damaged")
)

// InUseError: another process has the store open.
type InUseError struct {
	Dir string
	PID int // 0 when unknown
}

func (e *InUseError) Error() string { return "" }

// NewerError: the store was written by a newer version of the program.
type NewerError struct {
	Dir         string
	Have, Known int // schema versions
}

func (e *NewerError) Error() string { return "" }

// Options configure a Store. The zero value is ready to use.
type Options struct {
	Now      func() time.Time // default time.Now
	Logger   *slog.Logger     // default: discard
	ReadOnly bool
	Own      []PubKey // whose kinds 0, 3, 10000, 10002 keep their last 20 versions
}

// Store is an open note database. Its methods may be called from any goroutine.
type Store struct{}

// Open opens or makes the store in dir. Errors: *InUseError, *NewerError,
// ErrNoSpace, ErrReadOnly, ErrDamaged (all by errors.Is or errors.As).
func Open(dir string, opt Options) (*Store, error) { return nil, errSkeleton }

// Close waits for running reads and writes and closes the store.
func (s *Store) Close() error { return nil }

// Outcome is what became of an event that was put.
type Outcome uint8

// The outcomes; every event has exactly one.
const (
	Stored Outcome = iota
	Duplicate
	Replaced  // an equal or newer version is there
	Deleted   // its author asked for its deletion before
	Expired   // NIP-40
	Ephemeral // kinds 20000 to 29999 are never kept
	Invalid
)

// Result is the outcome for one event.
type Result struct {
	Outcome Outcome
	Hidden  bool          // stored, but dated more than 15 minutes ahead: shown when its time comes
	Err     *InvalidError // for Invalid
}

// Batch is what one Put writes.
type Batch struct {
	Events   []*Event   // parsed, not verified: Put verifies
	Relay    string     // normalised relay url, recorded as seen-on; "" for none
	Coverage []Coverage // written in the transaction of the last event, never before
}

// Put verifies and stores events. Duplicates cost no signature check. It blocks
// while the writer is busy, returns when all of the batch is on disk, and gives
// one Result an event in their order.
func (s *Store) Put(ctx context.Context, b Batch) ([]Result, error) { return nil, errSkeleton }

// ImportReport is what an import did. Read is the sum of Stored, Duplicate,
// Replaced, Deleted, Expired, Ephemeral and of all of Invalid.
type ImportReport struct {
	Read      int            `json:"read"`
	Stored    int            `json:"stored"`
	Duplicate int            `json:"duplicate"`
	Replaced  int            `json:"replaced"`
	Deleted   int            `json:"deleted"`
	Expired   int            `json:"expired"`
	Ephemeral int            `json:"ephemeral"`
	Invalid   map[Reason]int `json:"invalid"`
	Hidden    int            `json:"hidden"`
	Seconds   float64        `json:"seconds"`
}

// BadLine is a line that an import left out.
type BadLine struct {
	Line int // from 1
	Err  *InvalidError
}

// ImportOptions configure Import.
type ImportOptions struct {
	Progress func(ImportReport) // called now and then, never concurrently
	Bad      func(BadLine)      // called for each line left out, never concurrently
}

// Import stores the events of a JSON Lines stream, verifying on all cores.
// Empty lines are not counted. A broken or overlong line is counted and the rest
// goes in; the error is that of the reader, of ctx or of the disk.
func (s *Store) Import(ctx context.Context, r io.Reader, opt ImportOptions) (ImportReport, error) {
	return ImportReport{}, errSkeleton
}

// QueryOptions refine a query.
type QueryOptions struct {
	Match  func(*Event) bool // a further test; a filter's limit counts only what passes
	Hidden bool              // also what is dated more than 15 minutes ahead
	After  *Cursor           // start behind this place
}

// Cursor is a place in the order of answers: newest first, equal times by lowest id.
type Cursor struct {
	CreatedAt int64
	ID        ID
}

// Query yields the events that match any of the filters, each once, newest first
// (equal times: lowest id first, as NIP-01 has it). Limits count per filter.
// An error ends the sequence. With no filter nothing is yielded.
func (s *Store) Query(ctx context.Context, opt QueryOptions, filters ...Filter) iter.Seq2[*Event, error] {
	return func(func(*Event, error) bool) {}
}

// Count returns how many events Query would yield.
func (s *Store) Count(ctx context.Context, opt QueryOptions, filters ...Filter) (int, error) {
	return 0, errSkeleton
}

// Event returns the event of an id, or ErrNotFound.
func (s *Store) Event(ctx context.Context, id ID) (*Event, error) { return nil, errSkeleton }

// EventByPrefix returns the one event whose id starts with the hex prefix (8 to
// 64 digits); ErrNotFound when there is none, an error when there are several.
func (s *Store) EventByPrefix(ctx context.Context, prefix string) (*Event, error) {
	return nil, errSkeleton
}

// Latest returns the winning version of a replaceable (d is "") or addressable
// event, or ErrNotFound. It costs O(1).
func (s *Store) Latest(ctx context.Context, kind uint16, author PubKey, d string) (*Event, error) {
	return nil, errSkeleton
}

// Versions returns the kept versions of an own list, newest first (see Options.Own).
func (s *Store) Versions(ctx context.Context, kind uint16, author PubKey) ([]*Event, error) {
	return nil, errSkeleton
}

// Counters are what others did with a note.
type Counters struct {
	Replies, Reactions, Reposts, Quotes int // each person and target once for reactions and reposts
	ZapSats                             int64
}

// Counters returns the counters of a note; zero for an unknown one.
func (s *Store) Counters(ctx context.Context, id ID) (Counters, error) {
	return Counters{}, errSkeleton
}

// SeenOn returns the relays that sent an event.
func (s *Store) SeenOn(ctx context.Context, id ID) ([]string, error) { return nil, errSkeleton }

// TermFrequency returns how many stored notes hold the term (a Token's Term), and
// how many notes the text index holds: how usual the term is.
func (s *Store) TermFrequency(ctx context.Context, term string) (notes, of int, err error) {
	return 0, 0, errSkeleton
}

// Profile returns what is stored of a person; with no kind 0 stored, a Profile
// with the key alone.
func (s *Store) Profile(ctx context.Context, pk PubKey) (Profile, error) {
	return Profile{}, errSkeleton
}

// SearchProfiles finds people by any word of name, display_name or nip05, by
// prefix, at most limit, those for whom first reports true before others.
func (s *Store) SearchProfiles(ctx context.Context, query string, limit int, first func(PubKey) bool) ([]Profile, error) {
	return nil, errSkeleton
}

// Contacts returns the keys in a person's newest contact list (kind 3), each
// once, in its order; ErrNotFound when no list is stored.
func (s *Store) Contacts(ctx context.Context, pk PubKey) ([]PubKey, error) { return nil, errSkeleton }

// Subscription delivers events as they are stored.
type Subscription struct {
	C <-chan *Event // closed when the subscription ends
}

// Subscribe delivers what is stored from now on and matches a filter, each event
// after it is on disk. The queue holds buffer events; a full one blocks the
// writer, so nothing is dropped: read it, or cancel ctx.
func (s *Store) Subscribe(ctx context.Context, buffer int, filters ...Filter) *Subscription {
	return nil
}

// Purpose is what a coverage row is about.
type Purpose uint8

// The purposes.
const (
	PurposeFeed    Purpose = iota + 1 // the kinds of a person's feed
	PurposeProfile                    // kinds 0, 3, 10002 and other lists
	PurposeInbox                      // what mentions a person
)

// Proof is how an interval was shown to be complete.
type Proof uint8

// The proofs.
const (
	ProofEmpty  Proof = iota + 1 // the relay answered with an empty page at the bottom
	ProofFinish                  // the relay said so (NIP-67)
	ProofLive                    // an open subscription covered it
)

// Interval is a span of event time, both ends included, that one relay confirmed.
type Interval struct {
	From, To   int64 // unix seconds
	VerifiedAt int64 // when it was confirmed
	Proof      Proof
}

// Coverage is one row of the ledger: a relay gave all that it has of an author
// in an interval.
type Coverage struct {
	Author   PubKey
	Relay    string // normalised url
	Purpose  Purpose
	Interval Interval
}

// Coverage returns the rows of an author and purpose, by relay, adjacent and
// overlapping intervals merged (the merged row keeps the oldest VerifiedAt).
func (s *Store) Coverage(ctx context.Context, author PubKey, p Purpose) ([]Coverage, error) {
	return nil, errSkeleton
}

// Bucket holds small things of the app by key: chats, state, drafts.
type Bucket struct{}

// Bucket returns the bucket of a name ([a-z0-9-]+, at most 32 bytes).
func (s *Store) Bucket(name string) *Bucket { return nil }

// Get returns a value, or ErrNotFound.
func (b *Bucket) Get(ctx context.Context, key string) ([]byte, error) { return nil, errSkeleton }

// Put writes values together: all of them or none. A nil value deletes its key.
// A value is at most 512 KiB.
func (b *Bucket) Put(ctx context.Context, values map[string][]byte) error { return errSkeleton }

// All yields keys that start with prefix, with their values, in order.
func (b *Bucket) All(ctx context.Context, prefix string) iter.Seq2[string, []byte] {
	return func(func(string, []byte) bool) {}
}

// Stats are sizes and counts of a store.
type Stats struct {
	Events    int            `json:"events"`
	Authors   int            `json:"authors"`
	Kinds     map[uint16]int `json:"kinds"`
	Oldest    int64          `json:"oldest"`
	Newest    int64          `json:"newest"`
	Hidden    int            `json:"hidden"`
	DiskBytes int64          `json:"disk_bytes"`
	Schema    int            `json:"schema"`
	Verifier  string         `json:"verifier"` // which secp256k1 is linked
}

// Stats counts.
func (s *Store) Stats(ctx context.Context) (Stats, error) { return Stats{}, errSkeleton }

// CheckReport is what Check found.
type CheckReport struct {
	Events   int      `json:"events"`
	Bad      []string `json:"bad"` // at most 100: what is wrong, with which key or id
	BadCount int      `json:"bad_count"`
}

// Check reads everything: each note's id is hashed and its signature verified
// again, and each index row must have its note and each note its rows.
func (s *Store) Check(ctx context.Context, progress func(done, of int)) (CheckReport, error) {
	return CheckReport{}, errSkeleton
}

// FreeSpace returns the bytes that the disk of dir has left for this user.
func FreeSpace(dir string) (int64, error) { return 0, errSkeleton }
