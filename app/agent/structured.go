package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"bowerbird/llm"
	"bowerbird/tools"
)

// maxStructured is how many bytes of a structured answer are read.
const maxStructured = 256 << 10

// Structured asks the agent's model for one JSON object in the shape of A, a struct with
// the tags of tools.New, without tools, steps or a conversation. The provider gets the
// schema if it supports one, and the model reads it in any case; an answer that does not
// fit is returned to it once, with the reason. If the second one does not fit either, the
// error is an [*AnswerError]; a failure of the model is an [*llm.Error]. usage is the sum
// of both calls.
func Structured[A any](ctx context.Context, a *Agent, system, question string) (answer A, usage llm.Usage, err error) {
	shape, err := tools.ShapeOf[A]()
	if err != nil {
		return answer, usage, err
	}
	form := "Answer with one JSON object that fits this JSON Schema, and with nothing else:\n" + string(shape.Schema())
	req := &llm.Request{
		Messages: []llm.Message{
			{Role: llm.System, Text: strings.TrimSpace(system + "\n\n" + form)},
			{Role: llm.User, Text: question},
		},
		Answer: shape.Schema(),
	}
	var wrong error
	for range 2 {
		text, used, err := a.write(ctx, req)
		usage = sum(usage, used)
		if err != nil {
			return answer, usage, err
		}
		var object json.RawMessage
		if object, wrong = llm.ReadObject(text); wrong == nil {
			answer, wrong = shape.Read(object)
		}
		if wrong == nil {
			return answer, usage, nil
		}
		req.Messages = append(req.Messages[:2:2],
			llm.Message{Role: llm.Assistant, Text: cut(text, mostResult)},
			llm.Message{Role: llm.User, Text: "That does not fit: " + wrong.Error() + "\nWrite the whole object again, corrected."})
	}
	var none A
	return none, usage, &AnswerError{wrong}
}

// AnswerError is the error of a model that twice did not answer in the required form.
type AnswerError struct{ Err error }

func (e *AnswerError) Error() string {
	return fmt.Sprintf("the model did not answer in the form that was asked for: %v", e.Err)
}

// Unwrap returns what was wrong with the last answer.
func (e *AnswerError) Unwrap() error { return e.Err }

// write makes one model call and returns the text of its answer.
func (a *Agent) write(ctx context.Context, req *llm.Request) (text string, usage llm.Usage, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var said, refused strings.Builder
	finish := ""
	for e, err := range a.model.Stream(ctx, req) {
		if err != nil {
			return "", usage, err
		}
		switch e.Type {
		case llm.EventText:
			said.WriteString(e.Delta)
		case llm.EventRefusal:
			refused.WriteString(e.Delta)
		case llm.EventRetrying:
			said.Reset()
			refused.Reset()
		case llm.EventUsage:
			usage = *e.Usage
		case llm.EventFinish:
			finish = e.Finish
		}
		if said.Len()+refused.Len() > maxStructured {
			return "", usage, &AnswerError{fmt.Errorf("it is longer than %d bytes", maxStructured)}
		}
	}
	switch {
	case refused.Len() > 0:
		return "", usage, &AnswerError{errors.New("the model refused: " + cut(refused.String(), 300))}
	case llm.Filtered(finish):
		return "", usage, &AnswerError{errors.New("the model's server held it back by its rules of content")}
	case llm.CutShort(finish):
		return "", usage, &AnswerError{errors.New("it ran out of tokens")}
	}
	return said.String(), usage, nil
}
