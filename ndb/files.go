package ndb

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/table"
	"golang.org/x/sync/errgroup"
)

// IsStore reports whether anything was ever stored in a folder.
func IsStore(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, badger.ManifestFilename))
	return err == nil
}

// dropSpareFiles removes files that Badger recreates and whose contents are never needed:
// the value log, for which no value of ours is long enough, its discard statistics, and
// the keys of encrypted tables, of which there are none. Damage to them does not matter.
// Empty logs that a kill left while they were being made or deleted are removed too:
// Badger would trip over them and refuse to open.
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

// verifyTables reads every table of a store that is not open yet and verifies its
// checksums. Badger would do so when it opens them, but it skips a table whose index is
// damaged, crashes at a damaged block, and keeps everything it read mapped: the size of
// the store, in memory. Here the tables are read one after another into the same memory,
// which takes three fifths of the CPU time of mapping each. The error is ErrDamaged and
// names the damaged tables.
func verifyTables(opt badger.Options) error {
	tables, err := tablesOf(opt)
	if err != nil {
		return err
	}
	ids := make(chan uint64, len(tables))
	for id := range tables {
		ids <- id
	}
	close(ids)
	var group errgroup.Group
	var mu sync.Mutex
	var bad []string
	for range min(runtime.GOMAXPROCS(0), len(tables)) {
		group.Go(func() error {
			var data []byte
			for id := range ids {
				var err error
				if data, err = readInto(data, table.NewFilename(id, opt.Dir)); err == nil {
					err = verifyTable(data, id, tables[id].Compression)
				}
				if err != nil && !ofTheSystem(err) {
					mu.Lock()
					bad = append(bad, table.IDToFilename(id)+" "+whatIsWrong(err))
					mu.Unlock()
				} else if err != nil {
					return notReadable(err)
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil || len(bad) == 0 {
		return err
	}
	slices.Sort(bad)
	const named = 5
	if more := len(bad) - named; more > 0 {
		bad = append(bad[:named], fmt.Sprintf("and %d more files", more))
	}
	return fmt.Errorf("%w: %s", ErrDamaged, strings.Join(bad, ", "))
}

// Why a table cannot be read, besides what the system reports.
var errEmpty = errors.New("empty table")

// whatIsWrong describes a fault of a table; Badger's own words are for its developers.
func whatIsWrong(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "is missing"
	case errors.Is(err, errEmpty):
		return "is empty"
	case errors.Is(err, syscall.EIO):
		return "cannot be read from the disk"
	}
	return "is spoiled"
}

// tablesOf lists the tables that belong to a store; other files may be leftovers of a
// crash, which Badger removes.
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

// readInto reads a file, into the same memory if it is large enough.
func readInto(data []byte, path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return data, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return data, err
	}
	data = slices.Grow(data[:0], int(info.Size()))[:info.Size()]
	_, err = io.ReadFull(file, data)
	return data, err
}

func verifyTable(data []byte, id uint64, compression options.CompressionType) (err error) {
	if len(data) == 0 {
		return errEmpty
	}
	defer func() {
		if r := recover(); r != nil { // Badger reads damaged data without much care
			err = fmt.Errorf("reading it panicked: %.200v", r)
		}
	}()
	t, err := table.OpenInMemoryTable(data, id, &table.Options{Compression: compression, BlockSize: blockSize})
	if err != nil {
		return err
	}
	return t.VerifyChecksum()
}
