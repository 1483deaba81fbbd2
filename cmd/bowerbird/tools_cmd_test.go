package main

import (
	"strings"
	"testing"
)

// Row 003-33, and the reasons of 004-5.
func TestToolsAreShown(t *testing.T) {
	data := t.TempDir()
	for _, tt := range []struct {
		args string
		code int
		want []string
	}{
		{"tools list", exitDone, []string{"query ", "  notes  ", "coverage ", "  relays  "}},
		{"tools list notes", exitDone, []string{"get_thread"}},
		{"tools list nowhere", exitUsage, []string{`no tool or category "nowhere"; the categories are answer, notes, other, profiles, relays`}},
		{"tools schema count", exitDone, []string{`"name":"count"`, `"example":{`, `"additionalProperties":false`}},
		{"--json tools list count", exitDone, []string{`"category":"notes"`, `"effect":"none"`}},
		{"tools strategy", exitDone, []string{"auto\n"}},
		{"tools strategy sideways", exitUsage, []string{"want one of auto, direct, deferred, discovery, routed"}},
		{"tools strategy discovery", exitDone, []string{"discovery\n"}},
		{"tools why --model custom:m --base-url http://127.0.0.1:1", exitDone, []string{"strategy: discovery\n", "get_tool ", "finds and calls", "query ", "found when a question needs it"}},
		{"tools why", exitDone, []string{"strategy: direct\n", "query ", "listed in every request"}},
		{"--json tools why query", exitDone, []string{`"strategy":"direct"`, `"offered":true`}},
		{"tools strategy auto", exitDone, []string{"auto\n"}},
	} {
		r := bowerbird(t, "", append([]string{"--data", data}, strings.Fields(tt.args)...)...)
		for _, want := range tt.want {
			if r.code != tt.code || !strings.Contains(r.out+r.err, want) {
				t.Errorf("%s: exit %d, %s%s; want %q", tt.args, r.code, r.out, r.err, want)
			}
		}
	}
}
