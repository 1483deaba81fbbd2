package app

import "bowerbird/app/config"

// Folder is a folder in which the user keeps files.
type Folder = config.Folder

// FolderKind says what a folder of the user's is for.
type FolderKind = config.FolderKind

// The folders that systems make for their users.
const (
	Downloads = config.Downloads
	Documents = config.Documents
	Images    = config.Images
	Desktop   = config.Desktop
	Home      = config.Home
)

// Folders returns those of the user's own folders that exist, the likeliest for a
// saved file first. It reads the disk.
func Folders() []Folder { return config.Folders() }

// ShortPath writes a path for people: ~ stands for the home folder.
func ShortPath(path string) string { return config.ShortPath(path) }
