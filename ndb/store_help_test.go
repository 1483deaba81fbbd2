package ndb

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"

	"bowerbird/ndb/nostr"
)

// testNow is the clock of the tests.
const testNow = 1_750_000_000

// person is a key to sign with, made from a number.
type person struct {
	secret *btcec.PrivateKey
	key    nostr.PubKey
}

func newPerson(number int) person {
	seed := sha256.Sum256(binary.BigEndian.AppendUint64([]byte("person"), uint64(number)))
	secret, public := btcec.PrivKeyFromBytes(seed[:])
	return person{secret, nostr.PubKey(schnorr.SerializePubKey(public))}
}

// signs returns an event of the person.
func (p person) signs(t testing.TB, kind uint16, created int64, content string, tags ...nostr.Tag) *nostr.Event {
	t.Helper()
	e := &nostr.Event{PubKey: p.key, Kind: kind, CreatedAt: created, Content: content, Tags: tags}
	if e.Tags == nil {
		e.Tags = nostr.Tags{}
	}
	e.ID = e.ComputeID()
	sig, err := schnorr.Sign(p.secret, e.ID[:], schnorr.FastSign())
	if err != nil {
		t.Fatal(err)
	}
	copy(e.Sig[:], sig.Serialize())
	return e
}

// clock is a time that tests move.
type clock struct{ unix int64 }

func (c *clock) now() time.Time { return time.Unix(c.unix, 0) }

// openTest opens a new store whose clock stands at testNow.
func openTest(t testing.TB) (*Store, *clock) {
	t.Helper()
	c := &clock{testNow}
	s := openDir(t, t.TempDir(), Options{Now: c.now})
	// From here on the writer keeps count; mustBeSound compares.
	if n, _, err := s.Size(context.Background()); n != 0 || err != nil {
		t.Fatalf("a new store has %d events, %v", n, err)
	}
	return s, c
}

func openDir(t testing.TB, dir string, opt Options) *Store {
	t.Helper()
	if opt.FreeSpace == nil {
		opt.FreeSpace = func(string) (int64, error) { return 1 << 40, nil }
	}
	s, err := Open(dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// put stores events in one batch and returns what became of them.
func put(t testing.TB, s *Store, events ...*nostr.Event) []Outcome {
	t.Helper()
	results, err := s.Put(context.Background(), Batch{Events: events})
	if err != nil {
		t.Fatal(err)
	}
	outcomes := make([]Outcome, len(results))
	for i, r := range results {
		outcomes[i] = r.Outcome
	}
	return outcomes
}

// meanwhile does something again and again beside the test, until stop has returned.
func meanwhile(do func(i int)) (stop func()) {
	ended := make(chan struct{})
	var doing sync.WaitGroup
	doing.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-ended:
				return
			default:
				do(i)
			}
		}
	})
	return func() {
		close(ended)
		doing.Wait()
	}
}

// query returns the answers of a query.
func query(t testing.TB, s *Store, filters ...nostr.Filter) []*nostr.Event {
	t.Helper()
	return queryWith(t, s, QueryOptions{}, filters...)
}

func queryWith(t testing.TB, s *Store, opt QueryOptions, filters ...nostr.Filter) (events []*nostr.Event) {
	t.Helper()
	for e, err := range s.Query(context.Background(), opt, filters...) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

// contents returns the contents of events, which tests use as names.
func contents(events []*nostr.Event) []string {
	names := make([]string, len(events))
	for i, e := range events {
		names[i] = e.Content
	}
	return names
}

func ptr[T any](v T) *T { return &v }

// mustBeSound fails the test when Check finds a fault.
func mustBeSound(t testing.TB, s *Store) {
	t.Helper()
	report, err := s.Check(context.Background(), nil)
	if err != nil || report.BadCount != 0 {
		t.Errorf("check: %v, %v", report, err)
	}
	if n, bytes, err := s.Size(context.Background()); err != nil || n != report.Events || bytes <= 0 {
		t.Errorf("size says %d events in %d bytes, %v; there are %d", n, bytes, err, report.Events)
	}
}

// nextSegment has the next note begin a segment, so that few notes fill many.
func nextSegment(t testing.TB, s *Store) {
	t.Helper()
	err := s.change(context.Background(), &change{1, 100, func(t *tx) {
		t.marks.note = (segmentOf(t.marks.note) + 1) << segmentBits
		t.set(metaKey(metaSchema), []byte{schemaVersion}) // a transaction that writes nothing is not written
	}})
	if err != nil {
		t.Fatal(err)
	}
}

// copySparse copies a file without writing the zeros in it: logs are much longer
// than what is in them.
func copySparse(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	const piece = 64 << 10
	buffer, zeros := make([]byte, piece), make([]byte, piece)
	size := int64(0)
	for {
		n, err := io.ReadFull(in, buffer)
		if n > 0 && !bytes.Equal(buffer[:n], zeros[:n]) {
			if _, err := out.WriteAt(buffer[:n], size); err != nil {
				return err
			}
		}
		size += int64(n)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return out.Truncate(size)
		}
		if err != nil {
			return err
		}
	}
}
