package main

import (
	"testing"
	"time"

	"bowerbird/app"
	"bowerbird/app/agent/agenttest"
	"bowerbird/app/config"
)

func TestAChatIsListedOnceWhateverItsVersions(t *testing.T) {
	data := t.TempDir()
	a, err := app.Open(t.Context(), app.Options{Places: config.Locate(data, ""), Sample: true, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	var q app.Question
	for _, q.Text = range []string{"Top hashtags this week", "Who posted most this week?"} {
		answer, err := a.Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		agenttest.Collect(answer.Events)
		q.Chat, q.Instead = answer.Chat.Info().ID, 1
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	r := bowerbird(t, "", "--data", data, "--sample", "--json", "chats")
	list := decode[struct{ Chats []chatRow }](t, r.out).Chats
	if len(list) != 1 || list[0].Title != "Who posted most this week?" {
		t.Errorf("listed are %+v", list)
	}
}
