package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"bowerbird/ndb/nostr"
)

// A peer is a program that measures another store in the same rounds as ours. It is
// called as
//
//	PROGRAM WORLD QUESTIONS FOLDER
//
// with a world as JSON Lines, questions as JSON (a list of objects with a name and a
// list of NIP-01 filters) and an empty folder. It prints what it has measured as a JSON
// list of objects with name, value and unit, under the names of phases.go; what it has
// no such figure of, it leaves out. Questions are asked as measureQueries asks warm ones.
type peer struct {
	name, program string
}

// parsePeer reads NAME=PROGRAM.
func parsePeer(text string) (peer, error) {
	name, program, ok := strings.Cut(text, "=")
	if !ok || name == "" || program == "" {
		return peer{}, fmt.Errorf("%q is not NAME=PROGRAM", text)
	}
	return peer{name, program}, nil
}

func (p peer) measure(ctx context.Context, stderr io.Writer, dir string, events int) ([]measure, error) {
	at, err := newPlace(dir, events)
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(filepath.Dir(at.store), p.name)
	if err := os.RemoveAll(folder); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, p.program, at.world, at.questions(), folder)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, stderr
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	var measures []measure
	if err := json.Unmarshal(out.Bytes(), &measures); err != nil {
		return nil, fmt.Errorf("read what was measured: %w", err)
	}
	return measures, os.RemoveAll(folder)
}

// questions is the file that the questions for peers are in.
func (p place) questions() string { return filepath.Join(filepath.Dir(p.world), "questions.json") }

// writeQuestions writes what our store is asked, for peers.
func writeQuestions(p place, all []question) error {
	type asked struct {
		Name    string         `json:"name"`
		Filters []nostr.Filter `json:"filters"`
	}
	var list []asked
	for _, q := range all {
		list = append(list, asked{q.name, q.filters})
	}
	raw, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return os.WriteFile(p.questions(), raw, 0o600)
}
