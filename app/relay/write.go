package relay

import (
	"context"
	"slices"

	"github.com/coder/websocket"
)

// outgoing is a message to be sent, and the subscription that it opens, if any.
type outgoing struct {
	data  []byte
	opens *Sub
}

// send queues a message without waiting. The queue is bounded: while the writer is stuck,
// at most Limits.Subscriptions wait to be opened, and as many to be closed. c.mu is held.
func (c *Conn) send(o outgoing) {
	c.out = append(c.out, o)
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// unsend removes a REQ that was not sent yet, and reports whether it could. c.mu is held.
func (c *Conn) unsend(s *Sub) bool {
	before := len(c.out)
	c.out = slices.DeleteFunc(c.out, func(o outgoing) bool { return o.opens == s })
	return len(c.out) < before
}

// write is the only writer. It returns why the connection is to end.
func (c *Conn) write() error {
	for {
		select {
		case <-c.wake:
		case <-c.ctx.Done():
			return nil
		}
		for {
			o, ok := c.nextOut()
			if !ok {
				break
			}
			if err := c.writeOne(o); err != nil {
				return err
			}
		}
	}
}

func (c *Conn) nextOut() (outgoing, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.out) == 0 {
		return outgoing{}, false
	}
	o := c.out[0]
	c.out[0] = outgoing{}
	c.out = c.out[1:]
	return o, true
}

func (c *Conn) writeOne(o outgoing) error {
	// Not c.ctx: an ended one would cut the socket before the closing handshake.
	ctx, cancel := context.WithTimeout(context.Background(), c.limits.Write)
	defer cancel()
	if err := c.ws.Write(ctx, websocket.MessageText, o.data); err != nil {
		return c.fail(Lost, "it accepts no more messages", err)
	}
	if o.opens != nil {
		c.mu.Lock()
		o.opens.sentBy(c.clock.Now())
		c.mu.Unlock()
	}
	return nil
}
