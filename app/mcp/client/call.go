package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"bowerbird/ndb/clean"
	"bowerbird/tools"
)

// running is a call that the server carries out.
type running struct {
	caller tools.Caller
	late   *time.Timer // ends it
	cancel context.CancelCauseFunc
	asked  int
}

// maxAsked is how often a server may ask the user something during one call.
const maxAsked = 5

// call runs a tool on the server, if it still is what it was when the call was allowed.
func (s *server) call(ctx context.Context, name, print string, args any) (tools.Result, error) {
	s.mu.Lock()
	session, state, failure := s.session, s.state, s.failure
	same := slices.ContainsFunc(s.listed, func(t ToolStatus) bool { return t.Fingerprint == print && !t.Changed })
	s.mu.Unlock()
	if state != Ready {
		return nil, fmt.Errorf("the MCP server %q is not running: %s", s.conf.Name, firstOf(failure, "it is starting; call again"))
	}
	if !same {
		return nil, fmt.Errorf("not run: the MCP server %q has changed this tool meanwhile, or taken it back; the user has to look at it first", s.conf.Name)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	token, end := s.begin(&running{
		caller: tools.CallerOf(ctx), cancel: cancel,
		late: time.AfterFunc(callWait, func() {
			cancel(fmt.Errorf("the MCP server %q did not answer within %v", s.conf.Name, callWait))
		}),
	})
	defer end()
	params := &sdk.CallToolParams{Name: name, Arguments: args}
	params.SetProgressToken(token)
	res, err := session.CallTool(ctx, params)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return nil, errors.New(clean.Text(clean.Cut(s.withoutSecrets(err.Error()), 1000)))
	}
	return result(s.conf.Name, res)
}

// begin notes a call that runs, until end is called.
func (s *server) begin(c *running) (token string, end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counter++
	token = strconv.Itoa(s.counter)
	s.calls[token] = c
	return token, func() {
		c.late.Stop()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.calls, token)
	}
}

// progress passes on how far a call is. That of a call that is over goes nowhere.
func (s *server) progress(p *sdk.ProgressNotificationParams) {
	s.mu.Lock()
	c := s.calls[fmt.Sprint(p.ProgressToken)]
	s.mu.Unlock()
	if c != nil && c.caller.Progress != nil {
		c.caller.Progress(tools.Progress{Done: p.Progress, Total: p.Total, Words: clean.Line(p.Message, 80)})
	}
}

// tooLong fails the calls that run: one of them was answered with a message that was not
// read.
func (s *server) tooLong() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		c.cancel(fmt.Errorf("the MCP server %q answered with %w, which is not read", s.conf.Name, errTooLong))
	}
}

// asking returns a call whose user can be asked, and counts the question.
func (s *server) asking() *running {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		if c.caller.Ask != nil && c.asked < maxAsked {
			c.asked++
			return c
		}
	}
	return nil
}

// elicit passes on what the server asks the user. Without a call there is nobody to ask.
func (s *server) elicit(ctx context.Context, req *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
	declined := &sdk.ElicitResult{Action: "decline"}
	c := s.asking()
	if c == nil || req.Params.Mode == "url" {
		return declined, nil
	}
	schema, err := json.Marshal(req.Params.RequestedSchema)
	if err != nil {
		return nil, err
	}
	q, err := tools.NewQuestion(s.conf.Name, req.Params.Message, schema)
	if err != nil {
		s.note("a question was not asked: " + err.Error())
		return nil, err
	}
	c.late.Stop() // the user may think for as long as they like
	defer c.late.Reset(callWait)
	reply, err := c.caller.Ask(ctx, q)
	switch {
	case err != nil || reply.Dismissed:
		return &sdk.ElicitResult{Action: "cancel"}, nil
	case !reply.Accepted:
		return declined, nil
	}
	return &sdk.ElicitResult{Action: "accept", Content: reply.Values}, nil
}
