package answers

import (
	"testing"
	"time"
)

func TestWhatWasReadOfBeforeStandsForNoAnswer(t *testing.T) {
	now := time.Date(2026, 11, 21, 21, 0, 0, 0, time.UTC)
	since := now.Add(-4 * time.Hour)
	count := &lookup{row: rowOfTool("count"), since: since, until: now}
	before := &lookup{row: rowOfTool("query"), since: since.AddDate(0, 0, -60), until: since.Add(-time.Second), notes: 479}
	within := &lookup{row: rowOfTool("query"), since: since, until: now, notes: 3}
	if got := headline([]*lookup{count, before}); got != 0 {
		t.Error("what was read of before stands above an answer that nothing was written")
	}
	if got := headline([]*lookup{count, before, within}); got != 2 {
		t.Errorf("look-up %d stands above the answer, want what was read", got)
	}
	if got := headline([]*lookup{before}); got != 0 {
		t.Error("a question about the past has no head")
	}
}
