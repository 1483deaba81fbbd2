package app

import (
	"testing"
	"time"

	"bowerbird/app/config"
)

func TestStorageSaysWhatIsKeptWhere(t *testing.T) {
	now := time.Date(2026, 5, 4, 20, 0, 0, 0, time.UTC)
	places := config.Locate(t.TempDir(), "")
	a := open(t, Options{Places: places, Sample: true, Now: func() time.Time { return now }})
	s, err := a.Storage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if s.Places != places.ForSample() || s.Notes.Events < 1500 || s.Notes.DiskBytes == 0 || s.Own == 0 || s.Sample < s.Notes.DiskBytes+s.Own {
		t.Errorf("%+v", s)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	mine := open(t, Options{Places: places, Now: func() time.Time { return now }})
	s, err = mine.Storage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if s.Places != places || s.Notes.Events != 0 || s.Sample == 0 {
		t.Errorf("beside the sample: %+v", s)
	}
}

func TestSuggestionsAreEmptyWhereNothingIsStored(t *testing.T) {
	a := open(t, Options{Places: config.Locate(t.TempDir(), "")})
	if got, err := a.Suggestions(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
