package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestARequestThatIsShownObeysNoStranger(t *testing.T) {
	const hostile = "a\u009b2Jb\u202ec\U000e0041d\u200be\u00adf"
	body, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	shown := escapeControls(string(body))
	if strings.ContainsAny(shown, "\u009b\u202e\U000e0041\u200b\u00ad") {
		t.Errorf("shown as %q", shown)
	}
	var back string
	if err := json.Unmarshal([]byte(shown), &back); err != nil || back != hostile {
		t.Errorf("read back as %q, %v", back, err)
	}
}
