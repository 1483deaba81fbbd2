package note

import (
	"os"
	"testing"

	"bowerbird/ui/wordstest"
)

func TestMain(m *testing.M) { os.Exit(wordstest.Main(m)) }
