// Eventstore measures eventstore's Badger backend for internal/storebench, whose
// peers.go says how a peer is called: eventstore WORLD QUESTIONS FOLDER.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/dgraph-io/badger/v4"
	eventstore "github.com/fiatjaf/eventstore/badger"
	"github.com/nbd-wtf/go-nostr"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: eventstore WORLD QUESTIONS FOLDER")
		os.Exit(2)
	}
	measures, err := measureAll(os.Args[1], os.Args[2], os.Args[3])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(measures)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "eventstore:", err)
		os.Exit(1)
	}
}

type measure struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
}

func measureAll(world, questions, dir string) ([]measure, error) {
	begun := cpuTime()
	db, err := open(dir)
	if err != nil {
		return nil, err
	}
	lines, err := load(db, world)
	db.Close() // writes what is in memory, which counts
	if err != nil {
		return nil, err
	}
	perEvent := microseconds(cpuTime()-begun) / float64(lines)
	size, err := allocated(dir)
	if err != nil {
		return nil, err
	}
	measures := []measure{{"ingest, without these and without text", perEvent, "us"}, {"size on disk", float64(size) / 1e6, "MB"}}
	raw, err := os.ReadFile(questions)
	if err != nil {
		return nil, err
	}
	var all []question
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, err
	}
	if db, err = open(dir); err != nil {
		return nil, err
	}
	defer db.Close()
	for _, q := range all {
		if q.Filters[0].Search != "" {
			continue // it has no full text
		}
		cost, err := q.ask(db)
		if err != nil {
			return nil, err
		}
		measures = append(measures, measure{q.Name, cost, "us"})
	}
	return measures, nil
}

func open(dir string) (*eventstore.BadgerBackend, error) {
	db := &eventstore.BadgerBackend{
		Path:                  dir,
		BadgerOptionsModifier: func(o badger.Options) badger.Options { return o.WithLogger(nil) },
	}
	return db, db.Init()
}

// load stores a world as khatru does, without verifying it.
func load(db *eventstore.BadgerBackend, world string) (lines int, err error) {
	f, err := os.Open(world)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(make([]byte, 1<<20), 16<<20)
	for s.Scan() {
		var e nostr.Event
		if err := e.UnmarshalJSON(s.Bytes()); err != nil {
			return lines, err
		}
		lines++
		if nostr.IsReplaceableKind(e.Kind) || nostr.IsAddressableKind(e.Kind) {
			err = db.ReplaceEvent(context.Background(), &e)
		} else {
			err = db.SaveEvent(context.Background(), &e)
		}
		if err != nil {
			return lines, fmt.Errorf("line %d: %w", lines, err)
		}
	}
	return lines, s.Err()
}

type question struct {
	Name    string         `json:"name"`
	Filters []nostr.Filter `json:"filters"`
}

// ask returns what one filter takes once all of them were asked before.
func (q question) ask(db *eventstore.BadgerBackend) (perFilter float64, err error) {
	const rounds = 5
	var begun time.Duration
	for round := range 1 + rounds {
		if round == 1 {
			runtime.GC()
			begun = cpuTime()
		}
		for _, f := range q.Filters {
			events, err := db.QueryEvents(context.Background(), f)
			if err != nil {
				return 0, err
			}
			for range events {
			}
		}
	}
	return microseconds(cpuTime()-begun) / float64(rounds*len(q.Filters)), nil
}

// allocated returns how much of the disk a folder takes: logs are larger than what is in
// them.
func allocated(dir string) (bytes int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			bytes += info.Sys().(*syscall.Stat_t).Blocks * 512
		}
		return err
	})
	return bytes, err
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func microseconds(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
