package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"

	"bowerbird/ndb/nostr"
)

// A plain world is one in which full text finds no word: all text gives way to
// digits of the same length, which it leaves out. So an import of it, less the
// checking of signatures, is what peers without full text do when they are given
// events that their callers have verified. The events are signed anew, with keys
// made of the old ones.

// plainOf returns the place of the plain world, made if it is not there.
func plainOf(p place) (place, error) {
	plain := place{
		events: p.events, me: p.me,
		world: filepath.Join(filepath.Dir(p.world), "plain.jsonl"),
		store: filepath.Join(filepath.Dir(p.store), "plain"),
	}
	if _, err := os.Stat(plain.world); err == nil {
		return plain, nil
	}
	raw, err := os.ReadFile(p.world)
	if err != nil {
		return plain, err
	}
	f, err := os.Create(plain.world + ".part")
	if err != nil {
		return plain, err
	}
	defer f.Close()
	out := bufio.NewWriterSize(f, 1<<20)
	r := renamer{names: make(map[string]string), keys: make(map[nostr.PubKey]*btcec.PrivateKey)}
	for line := range linesOf(raw) {
		e, err := nostr.ParseEvent(line)
		if err != nil {
			return plain, err
		}
		if err := r.rewrite(e); err != nil {
			return plain, err
		}
		if _, err := out.Write(append(e.AppendJSON(nil), '\n')); err != nil {
			return plain, err
		}
	}
	if err := out.Flush(); err != nil {
		return plain, err
	}
	return plain, os.Rename(f.Name(), plain.world)
}

// renamer gives ids and keys their new ones.
type renamer struct {
	names map[string]string // old to new, in hex
	keys  map[nostr.PubKey]*btcec.PrivateKey
}

func (r *renamer) rewrite(e *nostr.Event) error {
	old := e.ID
	secret := r.key(e.PubKey)
	copy(e.PubKey[:], schnorr.SerializePubKey(secret.PubKey()))
	for _, tag := range e.Tags {
		for i, item := range tag {
			switch renamed, ok := r.names[item]; {
			case ok:
				tag[i] = renamed
			case i > 0 && (tag[0] == "title" || tag[0] == "summary"):
				tag[i] = digits(len(item))
			}
		}
	}
	if e.Kind == 0 {
		e.Content = `{"name":"` + digits(len(e.Content)) + `"}`
	} else {
		e.Content = digits(len(e.Content))
	}
	e.ID = e.ComputeID()
	r.names[old.String()] = e.ID.String()
	sig, err := schnorr.Sign(secret, e.ID[:], schnorr.FastSign())
	if err != nil {
		return err
	}
	copy(e.Sig[:], sig.Serialize())
	return nil
}

// key returns the new key of an old one.
func (r *renamer) key(old nostr.PubKey) *btcec.PrivateKey {
	if secret, ok := r.keys[old]; ok {
		return secret
	}
	seed := sha256.Sum256(append([]byte("storebench"), old[:]...))
	secret, public := btcec.PrivKeyFromBytes(seed[:])
	r.keys[old] = secret
	r.names[old.String()] = nostr.PubKey(schnorr.SerializePubKey(public)).String()
	return secret
}

func digits(n int) string {
	const run = "3f9a0c71e5b2d864"
	return strings.Repeat(run, n/len(run)+1)[:n]
}

// measurePlain gives the figure of peers that verify nothing and index no text.
func measurePlain(ctx context.Context, p place) ([]measure, error) {
	plain, err := plainOf(p)
	if err != nil {
		return nil, err
	}
	if err := os.RemoveAll(plain.store); err != nil {
		return nil, err
	}
	verified, err := verifyCost(plain)
	if err != nil {
		return nil, err
	}
	perEvent, err := importWorld(ctx, plain)
	if err != nil {
		return nil, err
	}
	return []measure{{ingestPlain, perEvent - verified, "us"}}, os.RemoveAll(plain.store)
}
