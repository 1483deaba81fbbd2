package config

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/adrg/xdg"
)

// FolderKind is what one of the user's folders is for.
type FolderKind string

// The folders that systems make for their users.
const (
	Downloads FolderKind = "downloads"
	Documents FolderKind = "documents"
	Images    FolderKind = "pictures"
	Desktop   FolderKind = "desktop"
	Home      FolderKind = "home"
)

// Folder is a folder that holds the user's files.
type Folder struct {
	Kind FolderKind
	Path string
}

// Folders returns those of the user's own folders that exist, the likeliest place for a
// saved file first. It reads the disk.
func Folders() []Folder {
	all := []Folder{
		{Downloads, xdg.UserDirs.Download},
		{Documents, xdg.UserDirs.Documents},
		{Images, xdg.UserDirs.Pictures},
		{Desktop, xdg.UserDirs.Desktop},
		{Home, xdg.Home},
	}
	seen := map[string]bool{} // a system without a folder for some purpose names the home folder
	return slices.DeleteFunc(all, func(f Folder) bool {
		if f.Path == xdg.Home && f.Kind != Home {
			return true
		}
		info, err := os.Stat(f.Path)
		gone := err != nil || !info.IsDir() || seen[f.Path]
		seen[f.Path] = true
		return gone
	})
}

// ShortPath formats a path for display: the user's home folder becomes ~ where the
// system's own programs write it that way.
func ShortPath(path string) string {
	home, err := os.UserHomeDir()
	if err != nil || home == "" || runtime.GOOS == "windows" {
		return path
	}
	inside, err := filepath.Rel(home, path)
	switch {
	case err != nil || inside == ".." || strings.HasPrefix(inside, "../"):
		return path
	case inside == ".":
		return "~"
	}
	return "~/" + inside
}
