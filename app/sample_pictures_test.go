package app

import (
	"errors"
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/pictures"
)

func TestTheSampleShowsItsOwnPicturesAndFetchesNone(t *testing.T) {
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Sample: true, Now: time.Now})
	me, err := a.Notes().Profile(t.Context(), a.Me())
	if err != nil {
		t.Fatal(err)
	}
	if img, err := a.Pictures().Load(t.Context(), me.Picture); err != nil || img.Bounds().Empty() {
		t.Errorf("the picture of the sample's reader at %q: %v", me.Picture, err)
	}
	var why *pictures.Error
	if _, err := a.Pictures().Load(t.Context(), "https://pictures.bower.example/nobody.png"); !errors.As(err, &why) || why.Trouble != pictures.NotFound {
		t.Errorf("a picture that the sample does not have: %v", err)
	}
}
