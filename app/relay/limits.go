package relay

import (
	"reflect"
	"time"
)

// Limits bound what a relay may cost us. Fields left 0 take the defaults.
type Limits struct {
	Dial      time.Duration // handshake, name resolution included
	Write     time.Duration // one message on its way out
	Ping      time.Duration // between pings
	Dead      time.Duration // without a byte: the connection is given up
	Message   time.Duration // from a message's first byte to its last
	FirstByte time.Duration // from a REQ to anything of an answer
	Idle      time.Duration // between two events of a page
	Page      time.Duration // from a REQ to its EOSE
	Grace     time.Duration // from a page's EOSE to the proof that nothing follows it
	Notice    time.Duration // how near a REQ a NOTICE must be to count as its refusal

	Frame         int64 // bytes of one message
	Outgoing      int   // bytes of one message of ours; set it from Info.MaxMessageLength
	QueueEvents   int   // events received and not yet read by us: then reading stops
	QueueBytes    int   // the same in bytes
	PageBytes     int   // bytes of events that Fetch holds
	Bad           int   // bad events that are put up with on one connection
	Slack         int   // events over its limits that a page may have
	Subscriptions int   // open at one time: Subscribe waits for a place
}

// DefaultLimits returns the limits that the design gives.
func DefaultLimits() Limits {
	return Limits{
		Dial:      10 * time.Second,
		Write:     10 * time.Second,
		Ping:      30 * time.Second,
		Dead:      60 * time.Second,
		Message:   30 * time.Second,
		FirstByte: 10 * time.Second,
		Idle:      15 * time.Second,
		Page:      60 * time.Second,
		Grace:     2 * time.Second,
		Notice:    3 * time.Second,

		Frame:         1<<20 + 64<<10,
		Outgoing:      64 << 10,
		QueueEvents:   1024,
		QueueBytes:    4 << 20,
		PageBytes:     16 << 20,
		Bad:           20,
		Slack:         10,
		Subscriptions: 8,
	}
}

func (l Limits) withDefaults() Limits {
	own, standard := reflect.ValueOf(&l).Elem(), reflect.ValueOf(DefaultLimits())
	for i := range own.NumField() {
		if own.Field(i).IsZero() {
			own.Field(i).Set(standard.Field(i))
		}
	}
	return l
}

// Clock is where a Conn gets its time from, so that tests need not wait. Dial
// and write deadlines are kept by the network itself and run by real time.
type Clock interface {
	Now() time.Time
	// Tick returns a channel that delivers the time every d until stop is called.
	Tick(d time.Duration) (ticks <-chan time.Time, stop func())
}

// tickEvery is how often deadlines are looked at, and so how exact they are.
const tickEvery = time.Second

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) Tick(d time.Duration) (<-chan time.Time, func()) {
	t := time.NewTicker(d)
	return t.C, t.Stop
}
