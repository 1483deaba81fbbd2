package agent

import (
	"context"
	"fmt"
	"log/slog"
)

// Handler returns h behind the redactor: messages and attributes that it gets
// hold no secret that the redactor knows.
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
		// A value writes itself in ways that cannot be foreseen: only its text
		// goes on.
		return slog.String(a.Key, h.r.Text(fmt.Sprint(a.Value.Any())))
	}
	return a
}
