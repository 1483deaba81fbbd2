package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/app/models"
)

// CanResume reports whether the last turn of a saved chat was cut off by the end of the
// program, waiting for an approval or not, so that Resume can continue it.
func (a *App) CanResume(chat chats.Info) bool {
	return chat.CutOff() && chat.Deleted.IsZero() && !a.Answering(chat.ID)
}

// Before returns the events from before the turn was cut off that still count; none for a
// new question.
func (a *Answer) Before() []agent.Event { return a.before }

// Resume continues the last turn of a chat where it was cut off, with the model that it
// was asked with unless another one is chosen. The answer's Events are those that are
// new; Before are the earlier ones. An approval that nobody gave is asked for again, for
// exactly the same call; see agent.Agent.Resume.
func (a *App) Resume(ctx context.Context, chatID string, model models.Choice, approver agent.Approver) (*Answer, error) {
	if _, err := a.Visit(ctx); err != nil {
		return nil, err
	}
	// Two callers that continue the same turn would each do what is left of it.
	if !a.turns.takeUp(chatID) {
		return nil, fmt.Errorf("chat %s: its last answer is already being continued", chatID)
	}
	answer, err := a.resume(ctx, chatID, model, approver)
	if err != nil {
		a.turns.letGo(chatID)
	}
	return answer, err
}

// resume is Resume for a turn that nobody else continues.
func (a *App) resume(ctx context.Context, chatID string, model models.Choice, approver agent.Approver) (*Answer, error) {
	chat, err := a.chat(ctx, chatID, 0)
	if err != nil {
		return nil, err
	}
	if !a.CanResume(chat.Info()) {
		return nil, fmt.Errorf("chat %s: its last answer was not cut off, or is being written", chatID)
	}
	last, cut, err := chat.Reopen()
	if err != nil {
		return nil, err
	}
	scope := SavedScope(last.Scope)
	model.ID = cmp.Or(strings.TrimSpace(model.ID), last.Model)
	a.Models().FindOut(ctx, model)
	chosen, err := a.model(ctx, model, scope)
	if err != nil {
		return nil, err
	}
	runner, err := a.agent(chosen, a.Models().Facts(model), approver)
	if err != nil {
		return nil, err
	}
	env, err := a.Env(ctx)
	if err != nil {
		return nil, err
	}
	scope.env(env)
	turn := agent.Turn{ID: last.ID, Question: last.Question, Env: env, Looking: scope.looking("")}
	info := chosen.Info()
	run, release := a.turns.begin(models.InTurn(ctx, chatID, turn.ID), false)
	events := chat.RecordRest(run, info.Provider+":"+info.Name, cut, runner.Resume(run, chat.Conversation(), turn, cut))
	answer := a.answer(chat, last.Question, info, func() { release(); a.turns.letGo(chatID) }, events)
	answer.before = cut.Events
	if info.Typed { // it starts the turn over
		answer.before = slices.DeleteFunc(slices.Clone(cut.Events), func(e agent.Event) bool { return e.Type != agent.EventUsage })
	}
	return answer, nil
}
