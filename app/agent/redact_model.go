package agent

import (
	"context"
	"encoding/json"
	"iter"

	"bowerbird/llm"
)

// Model returns m behind the redactor: no request that passes through it holds a
// secret that the redactor knows. Every model of the app is used through it.
func (r *Redactor) Model(m llm.Model) llm.Model { return redactedModel{r, m} }

type redactedModel struct {
	r *Redactor
	m llm.Model
}

func (m redactedModel) Info() llm.Info { return m.m.Info() }

func (m redactedModel) Stream(ctx context.Context, req *llm.Request) iter.Seq2[llm.Event, error] {
	return m.m.Stream(ctx, m.r.request(req, m.m.Info().Typed))
}

// request returns a clean copy; the conversation itself is not touched.
func (r *Redactor) request(req *llm.Request, typed bool) *llm.Request {
	clean := *req
	clean.Messages = make([]llm.Message, len(req.Messages))
	for i, msg := range req.Messages {
		clean.Messages[i] = r.message(msg, typed)
	}
	clean.Tools = make([]llm.Tool, len(req.Tools))
	for i, t := range req.Tools {
		clean.Tools[i] = llm.Tool{Name: r.Text(t.Name), Description: r.Text(t.Description), Schema: r.JSON(t.Schema)}
	}
	clean.Answer = r.JSON(req.Answer)
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
