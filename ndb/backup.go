package ndb

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/dgraph-io/badger/v4"
)

// A backup is a gzip stream (RFC 1952) of: the line "bowerbird backup 1", the schema
// version of the rows as a uvarint, the rows in key order, each as uvarint length and
// bytes of the key (never empty) and of the value; a zero; the number of rows as a
// uvarint; and the SHA-256 of all bytes before it. Nothing follows. It holds every row of
// a store (see keys.go), so a restored store is the same row by row: notes, older
// versions, deletions, buckets and what is counted.
const (
	backupMagic    = "bowerbird backup 1\n"
	maxBackupKey   = 1 << 16
	maxBackupValue = 4 << 20
)

// ErrBadBackup is returned for a backup that cannot be restored: it is damaged, cut off,
// or no backup at all.
var ErrBadBackup = errors.New("backup is damaged or incomplete")

// BackupReport is what a backup holds.
type BackupReport struct {
	Rows   int    `json:"rows"`
	Bytes  int64  `json:"bytes"` // before compression
	SHA256 string `json:"sha256"`
}

// Backup writes the store as it is at this moment. Writes go on meanwhile, and what they
// replace stays on disk until it is done. The caller makes sure that what w received is
// on disk. [Restore] reads it.
func (s *Store) Backup(ctx context.Context, w io.Writer) (BackupReport, error) {
	z := gzip.NewWriter(w)
	out := &summedWriter{w: bufio.NewWriterSize(z, 64<<10), hash: sha256.New()}
	out.write([]byte(backupMagic))
	out.number(schemaVersion)
	rows := 0
	err := s.view(ctx, func(txn *badger.Txn) error {
		return eachRow(ctx, txn, nil, func(key, value []byte) error {
			rows++
			out.field(key)
			out.field(value)
			return out.err
		})
	})
	out.number(0)
	out.number(uint64(rows))
	sum := out.hash.Sum(nil)
	out.write(sum)
	if err = errors.Join(err, out.err); err == nil {
		err = errors.Join(out.w.Flush(), z.Close())
	}
	if err != nil {
		return BackupReport{}, fmt.Errorf("back up store %s: %w", s.dir, err)
	}
	return BackupReport{rows, out.size, fmt.Sprintf("%x", sum)}, nil
}

// summedWriter writes and hashes what it has written.
type summedWriter struct {
	w    *bufio.Writer
	hash hash.Hash
	size int64
	err  error // the first
}

func (s *summedWriter) write(b []byte) {
	if s.err == nil {
		_, s.err = s.w.Write(b)
		s.hash.Write(b)
		s.size += int64(len(b))
	}
}

func (s *summedWriter) number(v uint64) {
	var buf [binary.MaxVarintLen64]byte
	s.write(buf[:binary.PutUvarint(buf[:], v)])
}

func (s *summedWriter) field(b []byte) {
	s.number(uint64(len(b)))
	s.write(b)
}

// Restore makes a store out of a backup in dir, which must not exist yet or be empty. The
// rows are written beside it, the checksum compared, and the store opened once; only then
// does it get its name. After an error dir is as it was. Errors: ErrBadBackup,
// *NewerError, and those of Open.
func Restore(ctx context.Context, dir string, r io.Reader) (BackupReport, error) {
	report, err := restore(ctx, dir, r)
	if err != nil {
		return BackupReport{}, fmt.Errorf("restore a backup into %s: %w", dir, err)
	}
	return report, nil
}

func restore(ctx context.Context, dir string, r io.Reader) (report BackupReport, err error) {
	if err := mustBeEmpty(dir); err != nil {
		return report, err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return report, notWritable(err)
	}
	temp, err := os.MkdirTemp(filepath.Dir(dir), filepath.Base(dir)+".restoring-")
	if err != nil {
		return report, notWritable(err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(temp))
		}
	}()
	if report, err = restoreNew(ctx, dir, temp, r); err != nil {
		return report, err
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, os.ErrNotExist) {
		return report, err
	}
	return report, os.Rename(temp, dir)
}

// restoreNew makes the store for dir in another folder, and tries it.
func restoreNew(ctx context.Context, dir, temp string, r io.Reader) (report BackupReport, err error) {
	s, err := Open(temp, Options{})
	if err != nil {
		return report, err
	}
	report, err = s.fillFrom(ctx, dir, r)
	if err = errors.Join(err, s.Close()); err != nil {
		return report, err
	}
	return report, tryRestored(dir, temp)
}

// RestoreOver puts a backup in place of the store in dir, which must not be open, and
// returns where the old store is now; "" if there was none. A damaged old store need not
// be readable. It is locked until the two are exchanged; the new one is made beside it
// and read through. A kill leaves one or the other, if need be moved into place by the
// next Open; after an error the old store is in place or set aside. Errors: those of
// Restore, *InUseError.
func RestoreOver(ctx context.Context, dir string, r io.Reader, now time.Time) (aside string, err error) {
	if err := finishSwap(dir); err != nil { // so that a finished repair is not lost
		return "", err
	}
	_, err = os.Stat(dir)
	fresh := errors.Is(err, os.ErrNotExist)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", notWritable(err)
	}
	lock, err := acquireLock(dir, false)
	if err != nil {
		return "", err
	}
	defer func() {
		err = errors.Join(err, lock.release())
		if err != nil && fresh {
			_ = removeLocked(dir) // there is nothing to set aside
		}
	}()
	build := dir + repairedSuffix
	if err := os.RemoveAll(build); err != nil {
		return "", err
	}
	_, err = restoreNew(ctx, dir, build, r)
	if err == nil {
		err = checkRestored(ctx, build)
	}
	if err == nil {
		err = markWhole(build)
	}
	if err != nil {
		return "", errors.Join(fmt.Errorf("restore a backup over %s: %w", dir, err), os.RemoveAll(build))
	}
	if lock, err = lock.untilMoved(); err != nil {
		return "", err
	}
	aside, err = swap(dir, build, asideName(dir, asideBefore, now))
	if err == nil && fresh && removeLocked(aside) == nil {
		return "", nil
	}
	return aside, err
}

func checkRestored(ctx context.Context, dir string) error {
	s, err := Open(dir, Options{})
	if err != nil {
		return err
	}
	found, err := s.Check(ctx, nil)
	if err == nil && found.BadCount > 0 {
		err = fmt.Errorf("%w: %s", ErrBadBackup, found)
	}
	return errors.Join(err, s.Close())
}

// tryRestored opens what was restored for dir without what Open does besides: an older
// schema stays as it is, and what has come due since is left. It opens for writing, since
// on Windows Badger cannot open for reading only.
func tryRestored(dir, temp string) (err error) {
	s := newStore(temp, withDefaults(Options{}))
	opt := s.badgerOptions()
	if err := verifyTables(opt); err != nil {
		return openError(temp, err)
	}
	if s.witness, err = openWitness(temp, 0); err != nil {
		return err
	}
	if s.db, err = openBadger(opt); err != nil {
		return errors.Join(err, s.witness.close(false))
	}
	have, err := s.schemaRow()
	switch {
	case err != nil:
	case have > schemaVersion:
		err = &NewerError{Dir: dir, Have: have, Known: schemaVersion}
	default:
		_, err = s.load()
	}
	closed := s.db.Close()
	return errors.Join(err, closed, s.witness.close(closed == nil))
}

func mustBeEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(entries) > 0:
		return errors.New("it is not empty")
	}
	return nil
}

// fillFrom writes the rows of a backup into a store that has just been made, and must be
// closed afterwards: its memory holds none of them.
func (s *Store) fillFrom(ctx context.Context, dir string, r io.Reader) (report BackupReport, err error) {
	z, err := gzip.NewReader(bufio.NewReaderSize(r, 64<<10))
	if err != nil {
		return report, badBackup(err)
	}
	in := &summedReader{r: bufio.NewReaderSize(z, 64<<10), hash: sha256.New()}
	if head := in.bytes(uint64(len(backupMagic))); string(head) != backupMagic {
		return report, badBackup(errors.Join(errors.New("it does not begin like one"), in.err))
	}
	if schema := in.number(); in.err == nil && schema > schemaVersion {
		return report, &NewerError{Dir: dir, Have: int(min(schema, 1<<30)), Known: schemaVersion}
	}
	batch := s.db.NewWriteBatch()
	defer batch.Cancel()
	var last []byte
	for {
		key := in.field(maxBackupKey)
		if len(key) == 0 {
			break
		}
		value := in.field(maxBackupValue)
		if in.err == nil && bytes.Compare(last, key) >= 0 {
			in.err = fmt.Errorf("row %d is not in its place", report.Rows+1)
		}
		if in.err != nil {
			break
		}
		if report.Rows++; report.Rows%1024 == 1 {
			if err := errors.Join(ctx.Err(), s.needSpace(spaceToStore)); err != nil {
				return report, err
			}
		}
		if err := batch.Set(key, value); err != nil {
			return report, err
		}
		last = key
	}
	if rows := in.number(); in.err == nil && rows != uint64(report.Rows) {
		in.err = fmt.Errorf("%d rows, and it should have %d", report.Rows, rows)
	}
	report.Bytes = in.size
	sum := in.hash.Sum(nil)
	if told := in.bytes(uint64(len(sum))); in.err == nil && !bytes.Equal(told, sum) {
		in.err = errors.New("its sum is another one")
	}
	if in.err != nil {
		return report, badBackup(in.err)
	}
	if _, err := in.r.ReadByte(); !errors.Is(err, io.EOF) {
		return report, badBackup(fmt.Errorf("something comes behind its end: %w", err))
	}
	report.Bytes, report.SHA256 = in.size, fmt.Sprintf("%x", sum)
	return report, batch.Flush()
}

func badBackup(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%w: %w", ErrBadBackup, err)
}

// summedReader reads and hashes what it has read.
type summedReader struct {
	r    *bufio.Reader
	hash hash.Hash
	size int64
	err  error // the first; after it, every read is empty
}

func (s *summedReader) number() uint64 {
	if s.err != nil {
		return 0
	}
	v, err := binary.ReadUvarint(s.r)
	if err != nil {
		s.err = err
		return 0
	}
	var buf [binary.MaxVarintLen64]byte
	n := binary.PutUvarint(buf[:], v)
	s.hash.Write(buf[:n])
	s.size += int64(n)
	return v
}

func (s *summedReader) bytes(n uint64) []byte {
	if s.err != nil {
		return nil
	}
	b := make([]byte, n)
	if _, s.err = io.ReadFull(s.r, b); s.err != nil {
		return nil
	}
	s.hash.Write(b)
	s.size += int64(n)
	return b
}

func (s *summedReader) field(most uint64) []byte {
	n := s.number()
	if s.err == nil && n > most {
		s.err = fmt.Errorf("a field of %d bytes, at most %d", n, most)
	}
	return s.bytes(n)
}
