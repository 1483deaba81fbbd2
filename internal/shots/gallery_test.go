package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
)

func TestTheGalleryHoldsThePicturesThatAreDrawnAndNoOthers(t *testing.T) {
	var want []string
	for _, sh := range shots() {
		for _, f := range sh.frames() {
			want = append(want, f.name+"-light.png", f.name+"-dark.png")
		}
	}
	slices.Sort(want)
	if n := len(want); len(slices.Compact(slices.Clone(want))) != n {
		t.Errorf("a name is given twice: %v", want)
	}
	files, err := filepath.Glob(filepath.Join(testkit.Root(t), "docs", "screenshots", "*.png"))
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, f := range files {
		if !strings.HasSuffix(f, "-terminal.png") { // packaging/shots.sh draws those
			have = append(have, filepath.Base(f))
		}
	}
	slices.Sort(have)
	if !slices.Equal(have, want) {
		t.Errorf("there are\n%v\nand drawn are\n%v", have, want)
	}
}
