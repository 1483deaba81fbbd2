package main

import (
	"strings"
	"testing"
)

func TestWithoutAContactListPeopleReadWordsMadeForPeople(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{{"coverage"}, {"query", `{"context":"home"}`}, {"tool", "count", `{"context":"home"}`}} {
		res := bowerbird(t, "", append([]string{"--data", dir}, args...)...)
		if res.code != 1 || !strings.Contains(res.err, "bowerbird sync --as you@example.com") || strings.Contains(res.err, "use context") {
			t.Errorf("%v: exit %d, %s", args, res.code, res.err)
		}
	}
}
