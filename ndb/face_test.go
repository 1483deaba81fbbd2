package ndb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

func TestEqualTimesComeLowestIDFirstAndTheCursorGoesOnBehindThem(t *testing.T) {
	s, _ := openTest(t)
	ada := newPerson(1)
	var events []*nostr.Event
	for i := range 30 {
		events = append(events, ada.signs(t, 1, testNow-int64(i/10), fmt.Sprint(i)))
	}
	put(t, s, events...)
	slices.SortFunc(events, nostr.Compare)
	if got := query(t, s, nostr.Filter{}); !slices.Equal(contents(got), contents(events)) {
		t.Errorf("got %v\nwant %v", contents(got), contents(events))
	}
	var paged []*nostr.Event
	var after *Cursor
	for range 30 {
		page := queryWith(t, s, QueryOptions{After: after}, nostr.Filter{Limit: ptr(4)})
		if len(page) == 0 {
			break
		}
		paged = append(paged, page...)
		last := page[len(page)-1]
		after = &Cursor{last.CreatedAt, last.ID}
	}
	if !slices.Equal(contents(paged), contents(events)) {
		t.Errorf("by pages %v\nwant %v", contents(paged), contents(events))
	}
}

func TestALimitCountsWhatPassesThePredicateAndEachFilterHasItsOwn(t *testing.T) {
	s, _ := openTest(t)
	ada := newPerson(1)
	for i := range 200 {
		put(t, s, ada.signs(t, uint16(1+i%2*29), testNow-int64(i), fmt.Sprint(i)))
	}
	even := func(e *nostr.Event) bool { return len(e.Content)%2 == 0 }
	got := queryWith(t, s, QueryOptions{Match: even}, nostr.Filter{Kinds: []uint16{1}, Limit: ptr(3)}, nostr.Filter{Kinds: []uint16{1, 30}, Limit: ptr(4)})
	if want := []string{"10", "11", "12", "13", "14"}; !slices.Equal(contents(got), want) {
		t.Errorf("got %v, want %v", contents(got), want)
	}
	if n, err := s.Count(context.Background(), QueryOptions{}, nostr.Filter{Kinds: []uint16{30}}); err != nil || n != 100 {
		t.Errorf("count %d, %v", n, err)
	}
	if got := query(t, s); len(got) != 0 {
		t.Errorf("no filter gives %d events", len(got))
	}
}

func TestALoopOverAQueryMayEndEarlyAndMayUseTheStore(t *testing.T) {
	ctx := context.Background()
	s, _ := openTest(t)
	ada := newPerson(1)
	for i := range 100 {
		put(t, s, ada.signs(t, 1, testNow-int64(i), fmt.Sprint(i)))
	}
	n := 0
	for e, err := range s.Query(ctx, QueryOptions{}, nostr.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Event(ctx, e.ID); err != nil {
			t.Error(err)
		}
		put(t, s, ada.signs(t, 1, testNow+1, fmt.Sprint("new", n)))
		if n++; n == 40 {
			break
		}
	}
	if got := query(t, s, nostr.Filter{}); len(got) != 140 {
		t.Errorf("%d events", len(got))
	}
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	for e, err := range s.Query(ctx, QueryOptions{}, nostr.Filter{}) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("with an ended context: %v, %v", e, err)
		}
	}
}

func TestAnIDIsFoundByTheBeginningOfItsHex(t *testing.T) {
	ctx := context.Background()
	s, _ := openTest(t)
	e := newPerson(1).signs(t, 1, testNow, "note")
	put(t, s, e)
	id := e.ID.String()
	for _, n := range []int{8, 9, 16, 31, 32, 33, 63, 64} {
		if got, err := s.EventByPrefix(ctx, id[:n]); err != nil || got.ID != e.ID {
			t.Errorf("%d digits: %v", n, err)
		}
	}
	other := "0"
	if id[39] == '0' {
		other = "1"
	}
	if _, err := s.EventByPrefix(ctx, id[:39]+other); !errors.Is(err, ErrNotFound) {
		t.Errorf("a wrong 40th digit: %v", err)
	}
	for _, bad := range []string{id[:7], strings.ToUpper(id), id + "0", "zzzzzzzz"} {
		if _, err := s.EventByPrefix(ctx, bad); err == nil || errors.Is(err, ErrNotFound) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestImportAccountsForEveryLine(t *testing.T) {
	ada := newPerson(1)
	line := func(i int) string { return string(ada.signs(t, 1, testNow, fmt.Sprint(i)).AppendJSON(nil)) }
	forged := strings.Replace(line(1), `"content":"1"`, `"content":"x"`, 1)
	text := "\xef\xbb\xbf" + line(1) + "\r\n\r\n  \n" + "not json\n" + line(2) + "\n" + line(1) + "\n" +
		strings.Repeat("x", 3<<20) + "\n" + forged + "\n" + "\x00\xff\x80\n" + line(3)
	for name, r := range map[string]io.Reader{
		"at once":      strings.NewReader(text),
		"byte by byte": iotest.OneByteReader(strings.NewReader(text)),
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := openTest(t)
			bad := make(map[int]nostr.Reason)
			report, err := s.Import(context.Background(), r, ImportOptions{Bad: func(b BadLine) { bad[b.Line] = b.Err.Reason }})
			if err != nil {
				t.Fatal(err)
			}
			if report.Read != 8 || report.Stored != 3 || report.Duplicate != 1 {
				t.Errorf("report %+v", report)
			}
			for n, want := range map[int]nostr.Reason{4: nostr.ReasonJSON, 7: nostr.ReasonSize, 8: nostr.ReasonID} {
				if bad[n] != want {
					t.Errorf("line %d: %q, want %q", n, bad[n], want)
				}
			}
			if len(bad) != 4 {
				t.Errorf("bad lines %v", bad)
			}
		})
	}
}

// endless is a line without an end.
type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.left)
	e.left -= n
	for i := range p[:n] {
		p[i] = 'x'
	}
	return n, nil
}

func TestALineOf100MegabytesIsSkippedInLittleMemory(t *testing.T) {
	s, _ := openTest(t)
	good := newPerson(1).signs(t, 1, testNow, "good").AppendJSON([]byte{'\n'})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	report, err := s.Import(context.Background(), io.MultiReader(&endless{100 << 20}, bytes.NewReader(good)), ImportOptions{})
	runtime.ReadMemStats(&after)
	if err != nil || report.Read != 2 || report.Stored != 1 || report.Invalid[nostr.ReasonSize] != 1 {
		t.Errorf("report %+v, %v", report, err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
		t.Errorf("%d MB were allocated", used>>20)
	}
}

func TestAnImportThatBreaksOffKeepsWhatItReported(t *testing.T) {
	s, _ := openTest(t)
	good := newPerson(1).signs(t, 1, testNow, "good").AppendJSON(nil)
	broken := errors.New("the disk was pulled out")
	report, err := s.Import(context.Background(), io.MultiReader(bytes.NewReader(append(good, '\n')), iotest.ErrReader(broken)), ImportOptions{})
	if !errors.Is(err, broken) || report.Stored != 1 {
		t.Errorf("report %+v, %v", report, err)
	}
}

func TestABucketWritesAllOrNothing(t *testing.T) {
	ctx := context.Background()
	s, _ := openTest(t)
	b, other := s.Bucket("chats"), s.Bucket("chats-old")
	want := map[string][]byte{"a/1": []byte("one"), "a/2": {}, "b/1": bytes.Repeat([]byte("x"), maxBucketValue)}
	if err := b.Put(ctx, want); err != nil {
		t.Fatal(err)
	}
	for key, value := range want {
		if got, err := b.Get(ctx, key); err != nil || !bytes.Equal(got, value) {
			t.Errorf("%s: %d bytes, %v", key, len(got), err)
		}
	}
	var keys []string
	for row, err := range b.All(ctx, "a/") {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, row.Key)
	}
	if !slices.Equal(keys, []string{"a/1", "a/2"}) {
		t.Errorf("keys %v", keys)
	}
	if err := b.Put(ctx, map[string][]byte{"a/1": nil, "c": bytes.Repeat([]byte("x"), maxBucketValue+1)}); err == nil {
		t.Error("a value that is too long was taken")
	}
	if _, err := b.Get(ctx, "a/1"); err != nil {
		t.Error("half of a refused write was done:", err)
	}
	if err := b.Put(ctx, map[string][]byte{"a/1": nil}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Get(ctx, "a/1"); !errors.Is(err, ErrNotFound) {
		t.Errorf("deleted: %v", err)
	}
	for row, err := range other.All(ctx, "") {
		t.Errorf("another bucket holds %q, %v", row.Key, err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	for row, err := range b.All(ended, "") {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("after the end of ctx came %q, %v", row.Key, err)
		}
	}
	if err := s.Bucket("Bad Name").Put(ctx, want); err == nil {
		t.Error("a bad name was taken")
	}
}

func TestCoverageJoinsAndRenewsIntervals(t *testing.T) {
	at := func(from, to, when int64) coverage.Interval {
		return coverage.Interval{From: from, To: to, VerifiedAt: when, Proof: coverage.ProofEmpty}
	}
	for name, tt := range map[string]struct {
		add, want []coverage.Interval
	}{
		"neighbours become one":          {[]coverage.Interval{at(10, 19, 100), at(20, 29, 110)}, []coverage.Interval{at(10, 29, 100)}},
		"a gap stays":                    {[]coverage.Interval{at(10, 19, 100), at(21, 29, 110)}, []coverage.Interval{at(10, 19, 100), at(21, 29, 110)}},
		"a later look renews its part":   {[]coverage.Interval{at(10, 99, 100), at(40, 49, 9_000)}, []coverage.Interval{at(10, 39, 100), at(40, 49, 9_000), at(50, 99, 100)}},
		"one over all replaces all":      {[]coverage.Interval{at(10, 19, 100), at(30, 39, 200), at(0, 99, 9_000)}, []coverage.Interval{at(0, 99, 9_000)}},
		"one between two joins the lot":  {[]coverage.Interval{at(10, 19, 100), at(30, 39, 200), at(20, 29, 150)}, []coverage.Interval{at(10, 39, 100)}},
		"the same again keeps its proof": {[]coverage.Interval{at(10, 19, 100), at(10, 19, 100)}, []coverage.Interval{at(10, 19, 100)}},
	} {
		var list []coverage.Interval
		for _, i := range tt.add {
			list = coverage.Add(list, i)
		}
		if !slices.Equal(list, tt.want) {
			t.Errorf("%s: %v, want %v", name, list, tt.want)
		}
		if back, err := decodeIntervals(encodeIntervals(list)); err != nil || !slices.Equal(back, list) {
			t.Errorf("%s: read back %v, %v", name, back, err)
		}
	}
}

func TestCoverageIsWrittenWithItsBatch(t *testing.T) {
	ctx := context.Background()
	s, _ := openTest(t)
	ada := newPerson(1)
	row := coverage.Row{Author: ada.key, Relay: "wss://relay.example", Purpose: coverage.Feed, Interval: coverage.Interval{From: testNow - 100, To: testNow, VerifiedAt: testNow, Proof: coverage.ProofFinish}}
	bad := row
	bad.Interval.From = testNow + 1
	if _, err := s.Put(ctx, Batch{Coverage: []coverage.Row{bad}}); err == nil {
		t.Error("an interval that ends before it begins was taken")
	}
	if _, err := s.Put(ctx, Batch{Events: []*nostr.Event{ada.signs(t, 1, testNow, "note")}, Coverage: []coverage.Row{row}}); err != nil {
		t.Fatal(err)
	}
	got, err := s.Coverage(ctx, ada.key, coverage.Feed)
	if err != nil || !slices.Equal(got, []coverage.Row{row}) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := s.Coverage(ctx, ada.key, coverage.Inbox); err != nil || len(got) != 0 {
		t.Errorf("another purpose: %v, %v", got, err)
	}
}

func TestWhatARelayConfirmedIsTakenBack(t *testing.T) {
	ctx := context.Background()
	s, _ := openTest(t)
	var rows, left []coverage.Row
	for i := range 60 {
		for _, p := range []coverage.Purpose{coverage.Feed, coverage.Inbox} {
			for _, relay := range []string{"wss://relay.example", "wss://relay.example/other"} {
				row := coverage.Row{Author: newPerson(i + 1).key, Relay: relay, Purpose: p, Interval: coverage.Interval{From: testNow - 100, To: testNow, VerifiedAt: testNow, Proof: coverage.ProofEmpty}}
				if rows = append(rows, row); relay != "wss://relay.example" {
					left = append(left, row)
				}
			}
		}
	}
	if _, err := s.Put(ctx, Batch{Coverage: rows}); err != nil {
		t.Fatal(err)
	}
	if err := s.Uncover(ctx, "wss://relay.example"); err != nil {
		t.Fatal(err)
	}
	var got []coverage.Row
	for i := range 60 {
		for _, p := range []coverage.Purpose{coverage.Feed, coverage.Inbox} {
			rows, err := s.Coverage(ctx, newPerson(i+1).key, p)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, rows...)
		}
	}
	if !slices.Equal(got, left) {
		t.Errorf("%d rows are left, want the other relay's %d", len(got), len(left))
	}
}
