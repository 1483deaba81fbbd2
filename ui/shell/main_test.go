package shell

import (
	"os"
	"testing"

	"bowerbird/ui/screen/screentest"
)

func TestMain(m *testing.M) { os.Exit(screentest.Main(m)) }
