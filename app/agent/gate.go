package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"bowerbird/tools"
)

// Approver asks the user whether a call may be made.
type Approver interface {
	// Approve shows p in full and waits for the answer. It must return soon after ctx ends.
	// An error counts as a refusal.
	Approve(ctx context.Context, p Preview) (Approval, error)
}

// Asker is an [Approver] that also passes on what MCP servers ask the user in the middle of a
// call. Where the Approver is none, such questions are declined.
type Asker interface {
	// Ask shows q with its server and waits for the answer. It must return soon after ctx
	// ends. An error counts as no answer.
	Ask(ctx context.Context, q tools.Question) (tools.Reply, error)
}

// Preview is what an approval is requested for, as an immutable value: the dialog is drawn
// from it, and what it holds is what runs.
type Preview struct {
	Turn, Call string // which call of which turn
	Tool       string
	Source     string // the tool's, as in its [tools.Spec]
	Effect     tools.Effect
	Arguments  string // the very bytes that the tool is given
	Tainted    bool   // the chat holds text by others, who may have caused the call
}

// Hash identifies the preview: a tool, its effect, its arguments and the call. An approval
// is valid for one hash, once.
func (p Preview) Hash() [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%q %q %q %d %q", p.Turn, p.Call, p.Tool, p.Effect, p.Arguments))
}

// String describes what would happen, with hidden and direction-changing characters made
// visible.
func (p Preview) String() string {
	return fmt.Sprintf("%s (%s): %s", p.Tool, knownEffect(p.Effect), Visible(p.Arguments))
}

func (p Preview) frozen() *Frozen {
	hash := p.Hash()
	return &Frozen{Arguments: p.Arguments, Tainted: p.Tainted, Hash: hex.EncodeToString(hash[:])}
}

// Approval is the user's answer.
type Approval struct {
	Granted bool
	// Hash is that of the Preview that the user saw. With any other one the approval is
	// void.
	Hash   [sha256.Size]byte
	Reason string // why not, for the model; may be empty
}

// knownEffect treats an effect that is not in the table of package tools as the worst one.
// Models, notes and servers have no influence on that table.
func knownEffect(e tools.Effect) tools.Effect {
	return min(e, tools.Deletes)
}

// Permission is what the user allowed a tool by hand, outside any chat.
type Permission uint8

// The permissions.
const (
	AskEach   Permission = iota
	FreeClean            // no approval while the chat holds only the user's own words: others could have caused the call
	Free                 // no approval, whatever the chat holds; only for tools that read
)

// free reports whether the user's permission covers a call now.
func (r *run) free(spec tools.Spec) bool {
	if r.opt.Permission == nil {
		return false
	}
	return r.opt.Permission(spec) >= FreeClean && !r.chat.Tainted() || r.freeToRead(spec)
}

// freeToRead reports whether a tool may run whatever the chat holds. The permission cannot
// be given to a tool that writes, publishes, spends or deletes.
func (r *run) freeToRead(spec tools.Spec) bool {
	return spec.Effect == tools.Network && r.opt.Permission != nil && r.opt.Permission(spec) == Free
}

// gate decides whether a call may run. It returns the arguments to run it with, or why it
// may not run. Reading our notes never needs an approval. Everything else does, each time,
// unless a [Permission] covers it.
func (r *run) gate(ctx context.Context, c *call) (args json.RawMessage, refusal string) {
	effect := knownEffect(c.tool.spec.Effect)
	if effect == tools.None {
		return c.Arguments, ""
	}
	if r.free(c.tool.spec) {
		return c.Arguments, ""
	}
	p := Preview{
		Turn: r.id, Call: c.ID, Tool: c.tool.spec.Name, Source: c.tool.spec.Source, Effect: effect,
		Arguments: string(c.Arguments), Tainted: r.chat.Tainted(),
	}
	if was := r.before[c.ID].asked; was != nil {
		if !was.asksFor(p) {
			return nil, approvalAltered
		}
		p.Tainted = p.Tainted || was.Frozen.Tainted
	}
	r.emit(Event{Type: EventApproval, ID: c.ID, Name: p.Tool, Effect: effect, Preview: p.String(), Frozen: p.frozen()})
	if r.opt.Approver == nil {
		return nil, "not run: it needs the user's approval, and nobody is here to give it"
	}
	answer, err := r.approval(ctx, p)
	switch {
	case ctx.Err() != nil:
		return nil, cancelledCall
	case err != nil:
		return nil, "not run: asking for approval failed: " + err.Error()
	case !answer.Granted && answer.Reason != "":
		return nil, "not run: the user refused: " + answer.Reason
	case !answer.Granted:
		return nil, "not run: the user refused"
	case answer.Hash != p.Hash():
		return nil, "not run: what was approved is not what would run"
	}
	return json.RawMessage(p.Arguments), ""
}

// approval waits for the user or for ctx, whichever comes first: an approver cannot delay a
// stop.
func (r *run) approval(ctx context.Context, p Preview) (Approval, error) {
	return waitFor(ctx, func() (Approval, error) { return r.opt.Approver.Approve(ctx, p) })
}

// askUser passes on the question of a server. What the user writes goes to that server, so that
// it may hold no secret.
func (r *run) askUser(ctx context.Context, q tools.Question) (tools.Reply, error) {
	asker, ok := r.opt.Approver.(Asker)
	if !ok {
		return tools.Reply{}, nil
	}
	r.asking.Lock() // of calls side by side, one asks at a time
	defer r.asking.Unlock()
	reply, err := waitFor(ctx, func() (tools.Reply, error) { return asker.Ask(ctx, q) })
	for name, value := range reply.Values {
		if text, ok := value.(string); ok {
			reply.Values[name] = r.opt.Redactor.Text(text)
		}
	}
	return reply, err
}

// waitFor returns what somebody answers, or the cause of ctx's end.
func waitFor[T any](ctx context.Context, answer func() (T, error)) (T, error) {
	type reply struct {
		answer T
		err    error
	}
	done := make(chan reply, 1)
	go func() {
		defer func() {
			if v := recover(); v != nil {
				done <- reply{err: fmt.Errorf("the approver panicked: %v", v)}
			}
		}()
		given, err := answer()
		done <- reply{given, err}
	}()
	select {
	case re := <-done:
		return re.answer, re.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// Visible writes characters that cannot be seen, or that change the direction of text, as
// code points: ⟦U+202E⟧. Line breaks and tabs stay.
func Visible(s string) string {
	var b strings.Builder
	for _, c := range s {
		if c != '\n' && c != '\t' && hidden(c) {
			fmt.Fprintf(&b, "⟦U+%04X⟧", c)
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

func hidden(c rune) bool {
	switch {
	case ' ' <= c && c <= '~':
		return false
	case unicode.In(c, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp, unicode.Variation_Selector):
		return true
	case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, c): // joiners, the Hangul fillers and the like
		return true
	}
	return c == unicode.ReplacementChar || c == '\u2800' // Braille without a dot
}

// ShortHash returns the first eight hex digits of a preview's hash, to be compared by eye.
func ShortHash(p Preview) string {
	h := p.Hash()
	return hex.EncodeToString(h[:4])
}
