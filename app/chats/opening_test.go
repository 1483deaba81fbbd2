package chats_test

import "testing"

func TestAListOfChatsHasTheFirstLineOfEachAnswer(t *testing.T) {
	k := newKit(t)
	c := k.new(t)
	k.ask(t, c, "One", text("the first"))
	k.ask(t, c, "Two", text("## **Two** people asked `why`\n\nAnd more."))
	list, _, err := k.List(t.Context())
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if got := list[0].Answer; got != "Two people asked why" {
		t.Errorf("the answer begins %q", got)
	}
}
