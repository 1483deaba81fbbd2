package ndb

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/ristretto/v2/z"
	"golang.org/x/sync/errgroup"
)

// dropSpareFiles removes what Badger makes anew and is not asked for anything that
// is in it: the value log, in which no value of ours is long enough to stand, what
// is to be discarded of it, and the keys of tables that are not encrypted. Damage
// there is of no account. The logs that a kill left without a byte, as they were
// being made or deleted, go too: Badger makes something of them and refuses to open.
func dropSpareFiles(dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, file := range files {
		spare := file.Name() == "DISCARD" || file.Name() == badger.KeyRegistryFileName || filepath.Ext(file.Name()) == ".vlog"
		if filepath.Ext(file.Name()) == ".mem" {
			info, err := file.Info()
			if err != nil {
				return err
			}
			spare = info.Size() == 0
		}
		if spare {
			if err := os.Remove(filepath.Join(dir, file.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// verifyTables reads every table of a store that is not open yet and compares its
// checksums. Badger would do it as it opens
// them, but leaves out a table whose index is damaged, crashes at a damaged block,
// and keeps mapped all that it read: the size of the store, in memory. Here a table
// is let go of as soon as it is read.
func verifyTables(opt badger.Options) error {
	tables, err := tablesOf(opt)
	if err != nil {
		return err
	}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for id, entry := range tables {
		group.Go(func() error {
			if err := verifyTable(table.NewFilename(id, opt.Dir), entry.Compression); err != nil {
				return fmt.Errorf("table %s: %w", table.IDToFilename(id), err)
			}
			return nil
		})
	}
	return group.Wait()
}

// tablesOf lists the tables that belong to a store; other files may be what a crash
// left behind, which Badger removes.
func tablesOf(opt badger.Options) (map[uint64]badger.TableManifest, error) {
	file, err := os.Open(filepath.Join(opt.Dir, badger.ManifestFilename))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // a new store
	}
	if err != nil {
		return nil, fmt.Errorf("read the list of tables: %w", err)
	}
	defer file.Close()
	manifest, _, err := badger.ReplayManifestFile(file, opt.ExternalMagicVersion, opt)
	if err != nil {
		return nil, fmt.Errorf("read the list of tables: %w", err)
	}
	return manifest.Tables, nil
}

func verifyTable(path string, compression options.CompressionType) (err error) {
	file, err := z.OpenMmapFile(path, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	// Not file.Close: that would sync each of them.
	defer func() { err = errors.Join(err, z.Munmap(file.Data), file.Fd.Close()) }()
	defer func() {
		if r := recover(); r != nil { // Badger reads what is damaged without much care
			err = fmt.Errorf("reading it panicked: %.200v", r)
		}
	}()
	t, err := table.OpenTable(file, table.Options{Compression: compression, BlockSize: blockSize})
	if err != nil {
		return err
	}
	return t.VerifyChecksum()
}
