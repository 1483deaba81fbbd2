package upkeep

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bowerbird/app/config"
	"bowerbird/ndb"
)

// Backup is a dated copy of the store of the user's own data: chats, own notes, older
// versions of own lists, and saved state.
type Backup struct {
	File string
	Day  time.Time // midnight, in UTC, of the day in its name
}

const (
	keptBackups  = 7
	backupPrefix = "own-"
	backupSuffix = ".backup"
	unfinished   = ".part-"      // within the name of a backup that is being written
	verifying    = ".verifying-" // begins the name of a folder that a backup is verified in
)

// Backups returns the daily backups of a place, the newest first.
func Backups(places config.Places) ([]Backup, error) {
	entries, err := os.ReadDir(places.Backups)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("looking for backups: %w", err)
	}
	var list []Backup
	for _, entry := range entries {
		name, dated := strings.CutPrefix(entry.Name(), backupPrefix)
		name, whole := strings.CutSuffix(name, backupSuffix)
		day, err := time.Parse(time.DateOnly, name)
		if dated && whole && err == nil && entry.Type().IsRegular() {
			list = append(list, Backup{filepath.Join(places.Backups, entry.Name()), day})
		}
	}
	slices.SortFunc(list, func(a, b Backup) int { return b.Day.Compare(a.Day) })
	return list, nil
}

// BackUpToday makes today's backup unless there is one, and deletes all but the newest
// seven; of those dated later than today, left by a clock that was wrong, the latest are
// deleted first. The sample has none.
func (k *Keeper) BackUpToday(ctx context.Context) (made bool, err error) {
	if k.opt.Sample {
		return false, nil
	}
	places := k.opt.Places
	if err := dropUnfinished(places); err != nil {
		return false, err
	}
	list, err := Backups(places)
	if err != nil {
		return false, err
	}
	today := k.opt.Now().Format(time.DateOnly)
	file := filepath.Join(places.Backups, backupPrefix+today+backupSuffix)
	if slices.ContainsFunc(list, func(b Backup) bool { return b.File == file }) {
		return false, nil
	}
	if err := os.MkdirAll(places.Backups, 0o700); err != nil {
		return false, fmt.Errorf("making the folder of the backups: %w", err)
	}
	if _, err := k.BackUp(ctx, file); err != nil {
		return false, err
	}
	if list, err = Backups(places); err != nil {
		return true, err
	}
	for _, old := range beyond(list, today) {
		if err := os.Remove(old.File); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return true, fmt.Errorf("deleting an old backup: %w", err)
		}
	}
	return true, nil
}

// beyond returns which backups are too many, of a list that begins with the newest.
func beyond(list []Backup, today string) []Backup {
	kept := slices.Clone(list)
	ahead := slices.IndexFunc(kept, func(b Backup) bool { return b.Day.Format(time.DateOnly) <= today })
	if ahead > 0 { // they come after the others, the latest at the end
		slices.Reverse(kept[:ahead])
		kept = slices.Concat(kept[ahead:], kept[:ahead])
	}
	return kept[min(keptBackups, len(kept)):]
}

// dropUnfinished removes what a kill left of a backup.
func dropUnfinished(places config.Places) error {
	var errs []error
	for _, pattern := range []string{
		filepath.Join(places.Backups, "*"+unfinished+"*"), filepath.Join(places.Data, verifying+"*"),
	} {
		left, err := filepath.Glob(pattern)
		errs = append(errs, err)
		for _, path := range left {
			errs = append(errs, os.RemoveAll(path))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("removing what is left of a backup: %w", err)
	}
	return nil
}

// BackUp writes the user's own data to a file, which must not exist yet. The file gets
// its name only after it was restored, beside the data or, with Read, beside the file,
// and every note and row of it was found sound.
func (k *Keeper) BackUp(ctx context.Context, file string) (report ndb.BackupReport, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("backing up to %s: %w", file, err)
		}
	}()
	if _, err := os.Lstat(file); err == nil {
		return report, errors.New("there is a file of this name already")
	}
	part, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+unfinished)
	if _, missing := os.Stat(filepath.Dir(file)); errors.Is(missing, fs.ErrNotExist) {
		return report, errors.New("its folder does not exist; make it first, or choose another")
	}
	if err != nil {
		return report, fmt.Errorf("a file cannot be made in its folder; choose another: %w", withoutPath(err))
	}
	defer func() {
		_ = os.Remove(part.Name()) // if all went well, it has another name by now
		err = withoutPath(err)
	}()
	report, err = k.opt.Own.Backup(ctx, part)
	if err = errors.Join(err, part.Sync(), part.Close()); err != nil {
		return report, err
	}
	beside := k.opt.Places.Data
	if k.opt.ReadOnly { // there may be no space there
		beside = filepath.Dir(file)
	}
	if err := verifyBackup(ctx, part.Name(), beside, report); err != nil {
		return report, fmt.Errorf("what was written cannot be restored: %w", err)
	}
	return report, os.Rename(part.Name(), file)
}

// withoutPath removes the name of the file being written from an error: nobody who asked
// for another file knows it.
func withoutPath(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok && strings.Contains(at.Path, unfinished) {
		return at.Err
	}
	if at, ok := errors.AsType[*os.LinkError](err); ok && strings.Contains(at.Old, unfinished) {
		return at.Err
	}
	return err
}

// verifyBackup restores a backup into a folder that is removed afterwards, and reads all
// of it.
func verifyBackup(ctx context.Context, file, beside string, want ndb.BackupReport) (err error) {
	trial, err := os.MkdirTemp(beside, verifying)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(trial)) }()
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	dir := filepath.Join(trial, "own")
	got, err := ndb.Restore(ctx, dir, in)
	if err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("%w: it holds %d rows, and %d were written", ndb.ErrBadBackup, got.Rows, want.Rows)
	}
	s, err := ndb.Open(dir, ndb.Options{})
	if err != nil {
		return err
	}
	found, err := s.Check(ctx, nil)
	if err == nil && found.BadCount > 0 {
		err = fmt.Errorf("%w: %s", ndb.ErrBadBackup, found)
	}
	return errors.Join(err, s.Close())
}

// RestoreOwn puts a backup in place of the user's own data and returns where that is now;
// "" if there was none. It refuses while the store is open, and keeps it from being
// opened meanwhile; after an error everything is as it was.
func RestoreOwn(ctx context.Context, places config.Places, file string, now time.Time) (aside string, err error) {
	in, err := os.Open(file)
	if err == nil {
		aside, err = ndb.RestoreOver(ctx, places.Own, in, now)
		_ = in.Close()
	}
	if err != nil {
		return "", fmt.Errorf("restoring %s: %w", file, err)
	}
	return aside, nil
}

// ErrNoBackup is returned if there is no backup that can be restored.
var ErrNoBackup = errors.New("there is no backup")

// RestoreNewest is RestoreOwn of the newest daily backup that can be restored.
func RestoreNewest(ctx context.Context, places config.Places, now time.Time) (Backup, error) {
	list, err := Backups(places)
	if err != nil {
		return Backup{}, err
	}
	var errs []error
	for _, b := range list {
		_, err := RestoreOwn(ctx, places, b.File, now)
		if err == nil {
			return b, nil
		}
		if errs = append(errs, err); !errors.Is(err, ndb.ErrBadBackup) {
			return Backup{}, errors.Join(errs...)
		}
	}
	return Backup{}, errors.Join(append(errs, ErrNoBackup)...)
}
