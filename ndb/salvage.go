package ndb

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/dgraph-io/badger/v4/table"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/rawread"
)

// No key of a store is longer than the keys that are read from damaged files.
const _ = uint(rawread.MaxKey - (1 + 33 + maxBucketKey + maxRelayURL))

// SalvageReport is what was recovered from a damaged store.
type SalvageReport struct {
	Aside    string `json:"aside"`     // where the damaged store is now
	Events   int    `json:"events"`    // in the new one
	Lost     int    `json:"lost"`      // events that were stored and cannot be read
	LostFrom int64  `json:"lost_from"` // unix seconds; the oldest of those whose time is known
	LostTo   int64  `json:"lost_to"`   // and the newest; 0 when none is known
	Values   int    `json:"values"`    // of the app, in buckets
	// LostValues counts the values that were stored and cannot be read, by bucket.
	LostValues map[string]int `json:"lost_values,omitempty"`
	// Incomplete means that more is missing, or may be, than Lost and LostValues count:
	// the newest writes, together with what counts them; deletions, so that something
	// deleted may come back; older versions of own lists.
	Incomplete bool `json:"incomplete,omitempty"`
	// Covered means that the coverage was kept. Otherwise everything is fetched again.
	Covered bool `json:"covered"`
}

// Whole reports whether nothing was lost.
func (r SalvageReport) Whole() bool {
	return r.Lost == 0 && len(r.LostValues) == 0 && !r.Incomplete
}

// String formats the report in one line.
func (r SalvageReport) String() string {
	text := fmt.Sprintf("%d events and %d values are there", r.Events, r.Values)
	if r.Whole() {
		return text + ", nothing was lost"
	}
	if r.Lost > 0 {
		text += fmt.Sprintf(", %d events are lost", r.Lost)
		if r.LostTo > 0 {
			text += fmt.Sprintf(" (of %s to %s)", day(r.LostFrom), day(r.LostTo))
		}
	}
	for bucket, n := range r.LostValues {
		text += fmt.Sprintf(", %d values of %s are lost", n, bucket)
	}
	if r.Incomplete {
		text += ", and more may be missing: what was written last, deletions, or older versions of own lists"
	}
	return text
}

func day(at int64) string { return time.Unix(at, 0).UTC().Format(time.DateOnly) }

// Salvage makes a new store of whatever can be read of a damaged one, which must not be
// open. Each event is verified again. The damaged store is renamed, never changed or
// deleted; the new one takes its place once it is whole, so that a kill leaves one or the
// other. Coverage is kept only if nothing was lost; otherwise everything is fetched
// again. progress may be nil.
func Salvage(ctx context.Context, dir string, opt Options, progress func(done, of int)) (report SalvageReport, err error) {
	if _, err := os.Stat(dir); err != nil {
		return report, fmt.Errorf("repair store: %w", err)
	}
	if err := refuseNewer(dir); err != nil {
		return report, err
	}
	lock, err := acquireLock(dir, false)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, lock.release()) }()
	build := dir + repairedSuffix
	if err := os.RemoveAll(build); err != nil {
		return report, fmt.Errorf("repair store: %w", err)
	}
	if err := roomToRepair(dir, opt); err != nil {
		return report, err
	}
	r := &salvage{dir: dir, opt: withDefaults(opt), progress: progress, found: make(map[string]*sum)}
	report, err = r.run(ctx, build)
	if err == nil {
		err = markWhole(build)
	}
	if err != nil {
		return report, errors.Join(fmt.Errorf("repair store %s: %w", dir, err), os.RemoveAll(build))
	}
	if lock, err = lock.untilMoved(); err != nil {
		return report, err
	}
	report.Aside, err = swap(dir, build, asideName(dir, asideDamaged, r.opt.Now()))
	return report, err
}

func roomToRepair(dir string, opt Options) error {
	need, err := DiskBytes(dir)
	if err != nil {
		return fmt.Errorf("repair store: %w", err)
	}
	free, err := withDefaults(opt).FreeSpace(dir)
	if err != nil {
		return err
	}
	if free < need+spaceToStore {
		return fmt.Errorf("%w: a repaired store needs %d MB in %s, %d MB are left", ErrNoSpace, (need+spaceToStore)>>20, filepath.Dir(dir), free>>20)
	}
	return nil
}

// salvage is one repair.
type salvage struct {
	dir       string
	opt       Options
	progress  func(done, of int)
	witness   witness
	witnessed bool     // the witness is readable
	files     []string // to be read

	spoiled    int  // bytes in which no row could be read
	incomplete bool // a file could not be read at all

	newest  map[string]version      // of the wanted rows
	authors map[uint32]nostr.PubKey // by their numbers in the old store
	relays  map[uint32]string
	seenOn  map[uint32][]uint32
	placed  map[uint32]int64 // the time of each note in the index
	counted map[string]sum   // the old ledger
	seq     uint64

	tombs, versions, coverage []rawread.Row
	report                    SalvageReport
	found                     map[string]*sum // what was read, by the key of its ledger
}

type version struct {
	number  uint64
	deleted bool
}

// wanted reports whether a row belongs to a family that cannot be rebuilt, or to i or k,
// which list what there was.
func wanted(key []byte) bool {
	if len(key) == 0 {
		return false
	}
	switch key[0] {
	case famNote, famID, famAuthor, famKind, famVersion, famDeleted, famBucket:
		return true
	case famMeta:
		return len(key) > 1 && (key[1] == metaRelay || key[1] == metaCoverage || key[1] == metaLedger)
	}
	return false
}

func (r *salvage) run(ctx context.Context, build string) (SalvageReport, error) {
	if err := r.chooseFiles(ctx); err != nil {
		return r.report, err
	}
	if err := r.readSmall(ctx); err != nil {
		return r.report, err
	}
	opt := r.opt
	opt.ReadOnly, opt.Own = false, r.owners()
	s, err := Open(build, opt)
	if err != nil {
		return r.report, err
	}
	err = r.fill(ctx, s)
	if err == nil {
		err = r.takeCoverage(ctx, s)
	}
	if err == nil {
		r.report.Events, err = s.Count(ctx, QueryOptions{Hidden: true}, nostr.Filter{})
	}
	return r.report, errors.Join(err, s.Close())
}

// chooseFiles surveys the tables that are listed as the store's, and all tables if the
// list cannot be read or yields less than was written: an unlisted table may be a
// leftover that still holds what has since been deleted.
func (r *salvage) chooseFiles(ctx context.Context) error {
	all, logs, err := databaseFiles(r.dir)
	if err != nil {
		return err
	}
	w, err := readWitness(r.dir)
	r.witness, r.witnessed = w, err == nil
	listed, err := tablesOf(newStore(r.dir, r.opt).badgerOptions())
	if err == nil && len(listed) > 0 {
		r.files = logs
		for id := range listed {
			r.files = append(r.files, table.IDToFilename(id))
		}
		if err := r.survey(ctx); err != nil {
			return err
		}
		if !r.incomplete && r.seq >= r.witness.seq && !r.misses() {
			return nil
		}
	}
	r.files = append(all, logs...)
	return r.survey(ctx)
}

// survey finds the newest version of each wanted row.
func (r *salvage) survey(ctx context.Context) error {
	r.newest, r.counted = make(map[string]version), make(map[string]sum)
	r.seq, r.spoiled, r.incomplete = 0, 0, false
	for _, name := range r.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		spoiled, err := rawread.File(filepath.Join(r.dir, name), func(row rawread.Row) {
			if v, ok := r.newest[string(row.Key)]; wanted(row.Key) && (!ok || v.number < row.Version) {
				r.newest[string(row.Key)] = version{row.Version, row.Deleted}
				r.readLedger(row)
			}
		})
		if err != nil && ofTheSystem(err) { // the file may be sound
			return notReadable(err)
		}
		if err != nil { // an unreadable file counts as lost
			r.opt.Logger.Warn("repair: a file cannot be read", "file", name, "err", err)
			r.incomplete = true
		}
		r.spoiled += spoiled
	}
	return nil
}

// readLedger adds a row of the old ledger.
func (r *salvage) readLedger(row rawread.Row) {
	if len(row.Key) < 3 || row.Key[0] != famMeta || row.Key[1] != metaLedger {
		return
	}
	if row.Key[2] == ledgerSeq {
		if len(row.Value) == 8 {
			r.seq = binary.BigEndian.Uint64(row.Value)
		}
		return
	}
	s, err := decodeSum(row.Value)
	if err != nil || row.Deleted {
		delete(r.counted, string(row.Key))
		return
	}
	r.counted[string(row.Key)] = s
}

// misses reports whether there are fewer rows than the ledger counts.
func (r *salvage) misses() bool {
	have := make(map[string]uint64)
	for key, v := range r.newest {
		switch {
		case v.deleted:
		case key[0] == famNote && len(key) == 5:
			have[ledgerOfNote(binary.BigEndian.Uint32([]byte(key[1:])))]++
		case key[0] != famMeta:
			have[ledgerOfRow([]byte(key))]++
		}
	}
	for key, want := range r.counted {
		if have[key] < want.count {
			return true
		}
	}
	return false
}

// each yields the current rows of the families for which of is true, each once.
func (r *salvage) each(ctx context.Context, of func(key []byte) bool, yield func(rawread.Row) error) error {
	taken := make(map[string]bool)
	for i, name := range r.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if r.progress != nil {
			r.progress(i, len(r.files))
		}
		var failed error
		_, err := rawread.File(filepath.Join(r.dir, name), func(row rawread.Row) {
			if failed != nil || row.Deleted || !wanted(row.Key) || !of(row.Key) || taken[string(row.Key)] {
				return
			}
			if v := r.newest[string(row.Key)]; v.number == row.Version && !v.deleted {
				taken[string(row.Key)] = true
				failed = yield(row)
			}
		})
		if failed != nil {
			return failed
		}
		if err != nil {
			continue // reported by survey
		}
	}
	return nil
}

// readSmall reads everything but the notes and the values of buckets.
func (r *salvage) readSmall(ctx context.Context) error {
	r.authors, r.relays = make(map[uint32]nostr.PubKey), make(map[uint32]string)
	r.seenOn, r.placed = make(map[uint32][]uint32), make(map[uint32]int64)
	be := binary.BigEndian
	small := func(key []byte) bool { return key[0] != famNote && key[0] != famBucket }
	return r.each(ctx, small, func(row rawread.Row) error {
		key, value := row.Key, row.Value
		switch {
		case key[0] == famAuthor && len(key) == 33 && len(value) == 4:
			r.authors[be.Uint32(value)] = nostr.PubKey(key[1:])
		case key[0] == famID && len(value) > 4:
			r.seenOn[be.Uint32(value)] = seenOn(value)
		case key[0] == famKind && len(key) == 11:
			r.placed[be.Uint32(key[7:])] = int64(^be.Uint32(key[3:]))
		case key[0] == famDeleted:
			r.tombs = append(r.tombs, row.Clone())
		case key[0] == famVersion:
			r.versions = append(r.versions, row.Clone())
		case key[0] == famMeta && key[1] == metaRelay && len(value) == 4:
			r.relays[be.Uint32(value)] = string(key[2:])
		case key[0] == famMeta && key[1] == metaCoverage:
			r.coverage = append(r.coverage, row.Clone())
		}
		return nil
	})
}

// owners returns the people whose older versions are kept.
func (r *salvage) owners() []nostr.PubKey {
	owners := append([]nostr.PubKey{}, r.opt.Own...)
	for _, row := range r.versions {
		if e, err := unpack(row.Value); err == nil {
			owners = append(owners, e.PubKey)
		}
	}
	return owners
}
