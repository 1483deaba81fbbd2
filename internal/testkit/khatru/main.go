// Khatru is a real relay for the tests: fiatjaf's khatru over eventstore's Badger
// in memory, on a loopback port, with the limits and refusals that its flags name.
// It prints its port. Then it takes events from stdin, one as JSON a line,
// past the limits on publishing, answers each with a line, "ok" or why not, and
// ends with its stdin. It is a module of its own: nothing of it is linked into
// the program.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	badgerdb "github.com/dgraph-io/badger/v4"
	"github.com/fiatjaf/eventstore/badger"
	"github.com/fiatjaf/khatru"
	"github.com/fiatjaf/khatru/policies"
	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip11"
)

var (
	port       = flag.Int("port", 0, "port on loopback; 0 is one of the system's choice")
	dir        = flag.String("dir", "", "folder of the events; none keeps them in memory")
	limit      = flag.Int("limit", 0, "most events of a page; above it, or without a limit, a question gets a quarter (0: the store's own 1,000)")
	tell       = flag.Bool("tell", false, "tell -limit in the NIP-11 document")
	sane       = flag.Bool("sane", false, "khatru's sane defaults: 100 filters, then 20 a minute")
	perMinute  = flag.Int("per-minute", 0, "filters a minute and IP address, with as many at once; more are CLOSED as rate-limited")
	maxAuthors = flag.Int("max-authors", 0, "filters with more authors are refused")
	refuse     = flag.String("refuse", "", "filters with one of these authors (hex, with commas) are refused")
	withhold   = flag.String("withhold", "", "these authors (hex, with commas) are left out of every answer in silence")
	kinds      = flag.String("kinds", "", "every other kind (numbers, with commas) is left out of every question in silence")
	auth       = flag.Bool("auth", false, "who is not authenticated (NIP-42) is refused")
	maxMessage = flag.Int64("max-message", 0, "bytes of a message; a longer one ends the connection (0: khatru's own 512,000)")
	negentropy = flag.Bool("negentropy", false, "speak NIP-77; with -limit over that many events and no more, as the store does")
	count      = flag.Bool("count", false, "answer COUNT (NIP-45)")
	delay      = flag.Duration("delay", 0, "time that passes before each answer")
)

func main() {
	flag.Parse()
	log.SetFlags(0)
	db := &badger.BadgerBackend{
		Path:     *dir,
		MaxLimit: *limit,
		BadgerOptionsModifier: func(o badgerdb.Options) badgerdb.Options {
			return o.WithInMemory(*dir == "").WithLogger(nil).WithMemTableSize(16 << 20).WithBlockCacheSize(16 << 20)
		},
	}
	if err := db.Init(); err != nil {
		log.Fatal(err)
	}
	relay := newRelay(db)
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(*port)))
	if err != nil {
		log.Fatal(err)
	}
	go func() { log.Fatal(http.Serve(listener, relay)) }()
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	publish(relay)
	db.Close()
}

func newRelay(db *badger.BadgerBackend) *khatru.Relay {
	relay := khatru.NewRelay()
	relay.StoreEvent = append(relay.StoreEvent, db.SaveEvent)
	relay.ReplaceEvent = append(relay.ReplaceEvent, db.ReplaceEvent)
	relay.DeleteEvent = append(relay.DeleteEvent, db.DeleteEvent)
	relay.QueryEvents = append(relay.QueryEvents, func(ctx context.Context, f nostr.Filter) (chan *nostr.Event, error) {
		if khatru.GetConnection(ctx) != nil { // not the relay's own
			time.Sleep(*delay)
		}
		return db.QueryEvents(ctx, f)
	})
	if *count {
		relay.CountEvents = append(relay.CountEvents, db.CountEvents)
	}
	relay.Negentropy = *negentropy
	told := &nip11.RelayLimitationDocument{AuthRequired: *auth}
	if *tell {
		told.MaxLimit = *limit
	}
	if *maxMessage > 0 {
		relay.MaxMessageSize, told.MaxMessageLength = *maxMessage, int(*maxMessage)
	}
	if *told != (nip11.RelayLimitationDocument{}) {
		relay.Info.Limitation = told
	}
	limitFilters(relay)
	return relay
}

// limitFilters puts the flags' rules before every question.
func limitFilters(relay *khatru.Relay) {
	if *kinds != "" {
		var left []uint16
		for k := range strings.SplitSeq(*kinds, ",") {
			n, err := strconv.ParseUint(k, 10, 16)
			if err != nil {
				log.Fatal(err)
			}
			left = append(left, uint16(n))
		}
		relay.OverwriteFilter = append(relay.OverwriteFilter, policies.RemoveAllButKinds(left...))
	}
	if *withhold != "" {
		withheld := strings.Split(*withhold, ",")
		relay.OverwriteFilter = append(relay.OverwriteFilter, func(_ context.Context, f *nostr.Filter) {
			if len(f.Authors) > 0 {
				f.Authors = slices.DeleteFunc(slices.Clone(f.Authors), func(a string) bool { return slices.Contains(withheld, a) })
				f.LimitZero = f.LimitZero || len(f.Authors) == 0
			}
		})
	}
	if *sane {
		policies.ApplySaneDefaults(relay)
	}
	if *perMinute > 0 {
		relay.RejectFilter = append(relay.RejectFilter, policies.FilterIPRateLimiter(*perMinute, time.Minute, *perMinute))
	}
	if *auth {
		relay.RejectFilter = append(relay.RejectFilter, policies.MustAuth)
	}
	if *maxAuthors > 0 {
		relay.RejectFilter = append(relay.RejectFilter, func(_ context.Context, f nostr.Filter) (bool, string) {
			return len(f.Authors) > *maxAuthors, "too many authors"
		})
	}
	if *refuse != "" {
		refused := strings.Split(*refuse, ",")
		relay.RejectFilter = append(relay.RejectFilter, func(_ context.Context, f nostr.Filter) (bool, string) {
			return slices.ContainsFunc(f.Authors, func(a string) bool { return slices.Contains(refused, a) }), "an author is not served here"
		})
	}
}

// publish takes events from stdin until it ends: each is stored, then sent to
// those who listen. A kind 5 removes nothing here: what is deleted is not sent,
// or comes by websocket.
func publish(relay *khatru.Relay) {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 4<<20)
	for in.Scan() {
		var e nostr.Event
		err := json.Unmarshal(in.Bytes(), &e)
		if ok, signed := e.CheckSignature(); err == nil && (!ok || !e.CheckID()) {
			err = fmt.Errorf("not signed: %w", signed)
		}
		known := false
		if err == nil {
			known, err = relay.AddEvent(context.Background(), &e)
		}
		if err != nil {
			fmt.Println(err)
			continue
		}
		if !known {
			relay.BroadcastEvent(&e)
		}
		fmt.Println("ok")
	}
	if err := in.Err(); err != nil {
		log.Fatal(err)
	}
}
