package llm

import (
	"encoding/json"
	"strings"
	"testing"
)

// What a server's list takes in memory is bounded by what is read of it, not by what
// could stand in 16 MB.
func TestAListOfNothingIsNotReadToItsEnd(t *testing.T) {
	body := []byte(`{"data":[` + strings.Repeat("0,", maxModelList/2-20) + `0]}`)
	made := testing.AllocsPerRun(1, func() {
		if models, err := readModels(body); err != nil || len(models) > 0 {
			t.Errorf("read %d models, %v", len(models), err)
		}
	})
	if made > 10*maxModels {
		t.Errorf("%.0f pieces of memory for %d entries", made, maxModels)
	}
	for list, want := range map[string]bool{`null`: true, `[]`: true, `[1]`: true, `[1`: false, `[1,}`: false, `{}`: false, ``: false, `1`: false} {
		if _, ok := listEntries(json.RawMessage(list), maxModels); ok != want {
			t.Errorf("%q: %v, want %v", list, ok, want)
		}
	}
}

// The same of LM Studio's own list, whether it has many entries or a large one.
func TestLMStudiosListIsReadSparingly(t *testing.T) {
	read := lmStudioModels().read
	for name, body := range map[string]string{
		"entries of nothing": `{"data":[` + strings.Repeat("0,", maxFacts/2-20) + `0]}`,
		"an entry of much":   `{"data":[{` + strings.Repeat(`"a":0,`, maxFacts/6-20) + `"id":"owl","max_context_length":4096}]}`,
	} {
		made := testing.AllocsPerRun(1, func() {
			if got := read([]byte(body), "owl"); name == "an entry of much" && got.MostContext != 4096 {
				t.Errorf("%s: read %+v", name, got)
			}
		})
		if made > 10*maxModels {
			t.Errorf("%s: %.0f pieces of memory", name, made)
		}
	}
}
