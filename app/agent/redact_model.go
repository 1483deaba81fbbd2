package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"

	"bowerbird/llm"
)

// Model returns m behind the redactor: no request that passes through it holds a secret
// that the redactor knows. Every model of the app is used through it.
func (r *Redactor) Model(m llm.Model) llm.Model { return redactedModel{r, m} }

type redactedModel struct {
	r *Redactor
	m llm.Model
}

func (m redactedModel) Info() llm.Info { return m.m.Info() }

func (m redactedModel) Stream(ctx context.Context, req *llm.Request) iter.Seq2[llm.Event, error] {
	return m.m.Stream(ctx, m.r.request(req, m.m.Info().Typed))
}

// request returns a redacted copy; the conversation itself is not changed.
func (r *Redactor) request(req *llm.Request, typed bool) *llm.Request {
	clean := *req
	clean.Messages = make([]llm.Message, len(req.Messages))
	for i, msg := range req.Messages {
		clean.Messages[i] = r.message(msg, typed)
	}
	clean.Tools = make([]llm.Tool, len(req.Tools))
	for i, t := range req.Tools {
		t.Name, t.Description, t.Schema = r.Text(t.Name), r.Text(t.Description), r.JSON(t.Schema)
		clean.Tools[i] = t
	}
	return &clean
}

func (r *Redactor) message(m llm.Message, typed bool) llm.Message {
	m.Text = r.Text(m.Text)
	m.Reasoning = r.Text(m.Reasoning)
	m.Refusal = r.Text(m.Refusal)
	m.CallID = r.Text(m.CallID)
	m.CallName = r.Text(m.CallName)
	if !typed {
		m.Value = nil
	}
	calls := m.Calls
	m.Calls = nil
	for _, c := range calls {
		c.ID, c.Name, c.Invalid = r.Text(c.ID), r.Text(c.Name), r.Text(c.Invalid)
		c.Arguments, c.Extra = r.JSON(c.Arguments), r.JSON(c.Extra)
		m.Calls = append(m.Calls, c)
	}
	if m.Echo != nil {
		echo := make(map[string]json.RawMessage, len(m.Echo))
		for k, v := range m.Echo {
			echo[r.Text(k)] = r.JSON(v)
		}
		m.Echo = echo
	}
	return m
}

// Handler returns h behind the redactor: messages and attributes that it receives hold no
// secret that the redactor knows.
func (r *Redactor) Handler(h slog.Handler) slog.Handler { return redactedHandler{r, h} }

type redactedHandler struct {
	r *Redactor
	h slog.Handler
}

func (h redactedHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.h.Enabled(ctx, level)
}

func (h redactedHandler) Handle(ctx context.Context, rec slog.Record) error {
	clean := slog.NewRecord(rec.Time, rec.Level, h.r.Text(rec.Message), rec.PC)
	rec.Attrs(func(a slog.Attr) bool {
		clean.AddAttrs(h.attr(a))
		return true
	})
	return h.h.Handle(ctx, clean)
}

func (h redactedHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	clean := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		clean[i] = h.attr(a)
	}
	return redactedHandler{h.r, h.h.WithAttrs(clean)}
}

func (h redactedHandler) WithGroup(name string) slog.Handler {
	return redactedHandler{h.r, h.h.WithGroup(name)}
}

func (h redactedHandler) attr(a slog.Attr) slog.Attr {
	a.Value = a.Value.Resolve()
	switch a.Value.Kind() {
	case slog.KindString:
		return slog.String(a.Key, h.r.Text(a.Value.String()))
	case slog.KindGroup:
		group := a.Value.Group()
		clean := make([]slog.Attr, len(group))
		for i, g := range group {
			clean[i] = h.attr(g)
		}
		return slog.Attr{Key: a.Key, Value: slog.GroupValue(clean...)}
	case slog.KindAny:
		// How a value formats itself is unknown: only its text is passed on.
		return slog.String(a.Key, h.r.Text(fmt.Sprint(a.Value.Any())))
	}
	return a
}
