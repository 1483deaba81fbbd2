package app

import (
	"bowerbird/app/agent"
	"bowerbird/app/llm"
)

// agent returns what runs a turn with a model.
func (a *App) agent(model llm.Model, approver agent.Approver) (*agent.Agent, error) {
	texts, err := prompts()
	if err != nil {
		return nil, err
	}
	opt := agent.Options{
		Model: model, Tools: a.tools.All(), Prompts: texts, Approver: approver, Logger: a.opt.Logger,
		Redactor: a.redactor,
	}
	info := model.Info()
	if err := a.wishes(&opt, info.Provider+":"+info.Name); err != nil {
		return nil, err
	}
	return agent.New(opt)
}
