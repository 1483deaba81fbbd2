package app

import (
	"context"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
)

// pending stands in for the user where nobody is here to be asked. A turn that comes to
// a question for an approval ends there, and waits for the user, who takes it up with
// Resume.
type pending struct{ suspend context.CancelCauseFunc }

// Approve never grants anything.
func (p *pending) Approve(ctx context.Context, _ agent.Preview) (agent.Approval, error) {
	p.suspend(chats.ErrClosing) // the turn is kept as it is now
	<-ctx.Done()
	return agent.Approval{}, context.Cause(ctx)
}

// over returns a context that ends when the turn is suspended, and what releases it.
func (p *pending) over(ctx context.Context, release func()) (context.Context, func()) {
	ctx, p.suspend = context.WithCancelCause(ctx)
	return ctx, func() {
		p.suspend(nil)
		release()
	}
}
