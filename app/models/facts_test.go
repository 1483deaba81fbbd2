package models

import (
	"testing"

	"bowerbird/app/config"
)

func TestHalfAPriceIsNone(t *testing.T) {
	of := 20.0
	if p, all := ownPrice(config.ModelOptions{PriceOut: &of}, nil); all {
		t.Errorf("what is read would cost %v", p.Input)
	}
}
