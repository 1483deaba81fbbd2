package models

import (
	"slices"
	"testing"

	"bowerbird/app/config"
	"bowerbird/llm/textcall"
)

// Row 004-11: what may be written into the settings is what can be written to a model.
func TestTheSettingsTakeTheFormatsThatCanBeWritten(t *testing.T) {
	want := []string{config.FormatNative, config.FormatNone}
	for _, f := range textcall.Formats() {
		if f.Write != nil {
			want = append(want, f.Name)
		}
	}
	got := config.Formats()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("settings take %q, and there are %q", got, want)
	}
}
