package ndb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
)

// witness is a file beside the database that records how far the database had come.
// Badger takes a log or a list of tables that ends early for one that a crash cut off,
// and goes on with what comes before; nothing inside the database shows that there was
// more. The witness is written after each transaction is on disk, so it is never ahead of
// the database. It is not synced itself: after a power cut it may be behind, which does
// no harm.
//
// When a store is closed, the witness also holds the length and checksum of the list of
// tables: a closed store must be found as it was left.
type witness struct {
	schema   uint32
	clean    bool // the store was closed
	seq      uint64
	manifest fileSum // of a closed store
}

type fileSum struct {
	size int64
	crc  uint32
}

const (
	witnessName  = "witness"
	witnessMagic = "bbwitns1"
	witnessLen   = 64
)

var (
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
	errWitness = errors.New("witness is damaged")
)

func (w witness) encode() []byte {
	be := binary.BigEndian
	b := append(make([]byte, 0, witnessLen), witnessMagic...)
	b = be.AppendUint32(b, w.schema)
	clean := uint32(0)
	if w.clean {
		clean = 1
	}
	b = be.AppendUint32(b, clean)
	b = be.AppendUint64(b, w.seq)
	b = be.AppendUint64(b, uint64(w.manifest.size))
	b = be.AppendUint32(b, w.manifest.crc)
	b = append(b, make([]byte, witnessLen-4-len(b))...)
	return be.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

func decodeWitness(b []byte) (witness, error) {
	be := binary.BigEndian
	if len(b) != witnessLen || string(b[:8]) != witnessMagic || be.Uint32(b[witnessLen-4:]) != crc32.Checksum(b[:witnessLen-4], castagnoli) {
		return witness{}, errWitness
	}
	return witness{
		schema: be.Uint32(b[8:]), clean: be.Uint32(b[12:]) == 1, seq: be.Uint64(b[16:]),
		manifest: fileSum{int64(be.Uint64(b[24:])), be.Uint32(b[32:])},
	}, nil
}

// readWitness reads the witness of a folder; errWitness when it cannot be read,
// fs.ErrNotExist when there is none.
func readWitness(dir string) (witness, error) {
	file, err := os.Open(filepath.Join(dir, witnessName))
	if err != nil {
		return witness{}, err
	}
	defer file.Close()
	b, err := io.ReadAll(io.LimitReader(file, witnessLen+1))
	if err != nil {
		return witness{}, err
	}
	return decodeWitness(b)
}

// sumFile returns the length and checksum of a file.
func sumFile(path string) (fileSum, error) {
	file, err := os.Open(path)
	if err != nil {
		return fileSum{}, err
	}
	defer file.Close()
	h := crc32.New(castagnoli)
	size, err := io.Copy(h, file)
	return fileSum{size, h.Sum32()}, err
}

// witnessFile is the witness of a store that is open for writing.
type witnessFile struct {
	dir  string
	file *os.File
	now  witness
}

// openWitness records on disk that the store is now in use.
func openWitness(dir string, seq uint64) (*witnessFile, error) {
	file, err := os.OpenFile(filepath.Join(dir, witnessName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, notWritable(fmt.Errorf("open witness: %w", err))
	}
	f := &witnessFile{dir: dir, file: file, now: witness{schema: schemaVersion, seq: seq}}
	err = f.write()
	if err == nil {
		err = file.Truncate(witnessLen)
	}
	if err == nil {
		err = file.Sync() // before the list of tables changes
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("write witness: %w", err), file.Close())
	}
	return f, nil
}

func (f *witnessFile) write() error {
	_, err := f.file.WriteAt(f.now.encode(), 0)
	return err
}

// saw records that a transaction is on disk.
func (f *witnessFile) saw(seq uint64) error {
	f.now.seq = seq
	return f.write()
}

// close records that the store was closed whole, once the database is closed.
func (f *witnessFile) close(whole bool) error {
	if f == nil {
		return nil
	}
	var err error
	if whole {
		if f.now.manifest, err = sumFile(filepath.Join(f.dir, badger.ManifestFilename)); err == nil {
			f.now.clean = true
			err = errors.Join(f.write(), f.file.Sync())
		}
	}
	return errors.Join(err, f.file.Close())
}

// state is what can be known of a folder without opening the database.
type state struct {
	witness witness
	known   bool // the witness can be read
	fresh   bool // there is no database yet
	closed  bool // it was closed, and its list of tables has not changed since
	logs    bool // there are logs that a crash left behind
}

// look reads the state of a folder. An error means damage that Badger would not see, or
// would take for a reason to delete what is left.
func look(dir string) (state, error) {
	var st state
	var err error
	st.witness, err = readWitness(dir)
	st.known = err == nil
	if err != nil && !errors.Is(err, errWitness) && !errors.Is(err, fs.ErrNotExist) {
		return st, notReadable(fmt.Errorf("read witness: %w", err))
	}
	tables, logs, err := databaseFiles(dir)
	if err != nil {
		return st, notReadable(fmt.Errorf("open store: %w", err))
	}
	st.logs = len(logs) > 0
	have, err := sumFile(filepath.Join(dir, badger.ManifestFilename))
	if errors.Is(err, fs.ErrNotExist) {
		if len(tables) > 0 || len(logs) > 0 || st.witness.seq > 0 || st.witness.clean {
			return st, fmt.Errorf("%w: the list of its tables is missing in %s", ErrDamaged, dir)
		}
		st.fresh = true
		return st, nil
	}
	if err != nil {
		return st, notReadable(fmt.Errorf("read the list of tables: %w", err))
	}
	if st.witness.clean && have != st.witness.manifest {
		return st, fmt.Errorf("%w: the list of its tables in %s is not as it was left", ErrDamaged, dir)
	}
	st.closed = st.witness.clean && !st.logs
	return st, nil
}

// databaseFiles lists a folder's tables and its logs that are not empty.
func databaseFiles(dir string) (tables, logs []string, err error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, file := range files {
		switch filepath.Ext(file.Name()) {
		case ".sst":
			tables = append(tables, file.Name())
		case ".mem":
			if info, err := file.Info(); err == nil && info.Size() > 0 {
				logs = append(logs, file.Name())
			}
		}
	}
	return tables, logs, nil
}
