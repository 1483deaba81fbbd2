package relay

import (
	"reflect"
	"time"
)

// Limits bound what a relay may cost. Zero fields take the defaults.
type Limits struct {
	Dial      time.Duration // handshake, with name resolution
	Write     time.Duration // sending one message
	Ping      time.Duration // between pings
	Dead      time.Duration // without a byte, until the connection is given up
	Message   time.Duration // from a message's first byte to its last
	FirstByte time.Duration // from a REQ to the first answer
	Idle      time.Duration // between two events of a page
	Page      time.Duration // from a REQ to its EOSE
	Grace     time.Duration // from a page's EOSE until it counts as complete without a pong
	Notice    time.Duration // between a REQ and a NOTICE that counts as its refusal

	Frame         int64 // bytes of one message
	Outgoing      int   // bytes of one message of ours; from Info.MaxMessageLength
	QueueEvents   int   // events received and not yet read by us, until reading stops
	QueueBytes    int   // the same in bytes
	PageBytes     int   // bytes of the events of one Fetch
	Bad           int   // bad events that are tolerated on one connection
	Slack         int   // events that a page may have beyond the limits of its filters
	Subscriptions int   // open at one time; Subscribe waits for one to end
}

// DefaultLimits returns the limits for ordinary relays.
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

// Clock is a Conn's source of time, so that tests need not wait. Dialling and writing have
// deadlines of the network, by the system's clock.
type Clock interface {
	Now() time.Time
	// Tick returns a channel that delivers the time every d until stop is called.
	Tick(d time.Duration) (ticks <-chan time.Time, stop func())
}

// tickEvery is how often deadlines are checked, and so their precision.
const tickEvery = time.Second

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) Tick(d time.Duration) (<-chan time.Time, func()) {
	t := time.NewTicker(d)
	return t.C, t.Stop
}
