// Command shots draws the window's screens into pictures, light and dark, with
// Fyne's software renderer: no display is needed, and the pictures are the same on
// every machine that has the same fonts.
//
// The window is the real one, with the clock stopped. It shows the sample, or the
// sample's people as somebody reads them who fetches their notes from relays: those
// stand in this process, under names that lead nowhere else.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"fyne.io/fyne/v2/lang"
	"github.com/adrg/xdg"

	"bowerbird/assets"
	"bowerbird/ui/theme"
)

func main() {
	out := flag.String("out", "docs/screenshots", "folder for the pictures")
	only := flag.String("only", "", "draw only the screens of these names, with commas between them")
	flag.Parse()
	if err := run(context.Background(), *out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "shots:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out, only string) (err error) {
	if err := lang.AddTranslationsFS(assets.Translations, "translations"); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	home, err := settle()
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	wanted := strings.Split(only, ",")
	for _, sh := range shots() {
		if only != "" && !slices.ContainsFunc(sh.frames(), func(f frame) bool { return slices.Contains(wanted, f.name) }) {
			continue
		}
		for _, mode := range []theme.Mode{theme.Light, theme.Dark} {
			if err := take(ctx, sh, mode, out); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle makes a home folder of a user who has none of this machine's, so that
// nothing of it is in a picture. Fonts are found where they were.
func settle() (home string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	if home, err = os.MkdirTemp("", "bowerbird-shots-"); err != nil {
		return "", err
	}
	for name, value := range map[string]string{
		"HOME": home, "XDG_CACHE_HOME": cache, "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": "", "XDG_DOWNLOAD_DIR": "",
	} {
		if err := os.Setenv(name, value); err != nil {
			return "", err
		}
	}
	xdg.Reload()
	return home, os.MkdirAll(xdg.UserDirs.Download, 0o755)
}
