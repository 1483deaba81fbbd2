package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"bowerbird/app/account"
	"bowerbird/app/config"
	"bowerbird/app/live"
	"bowerbird/app/notesync"
	"bowerbird/ndb"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
	"bowerbird/netsafe"
	"bowerbird/tools"
)

// keyPerson is the name under which the account is saved, in hex.
const keyPerson = "person"

// findReader decides on the account: the one named for this run, the sample's own person,
// the one in the settings, or the last one that was synced.
func (a *App) findReader(ctx context.Context, named account.Key) error {
	switch {
	case a.opt.As != "":
		a.setMe(named.PubKey)
	case a.opt.Sample:
		me, err := sampleReader(ctx, a.notes)
		if err != nil {
			return fmt.Errorf("sample: %w", err)
		}
		a.setMe(me)
	case a.opt.Settings.Person.Key != "":
		key, err := account.Parse(a.opt.Settings.Person.Key)
		if err != nil {
			return fmt.Errorf("settings, [person] key: %w", err)
		}
		a.setMe(key.PubKey)
	default:
		var hex string
		if err := a.state.Load(ctx, keyPerson, &hex); err != nil || hex == "" {
			return err
		}
		me, err := nostr.ParsePubKey(hex)
		if err != nil {
			return fmt.Errorf("reading the saved person: %w", err)
		}
		a.setMe(me)
	}
	return nil
}

// Resolve parses a key in any form. The NIP-05 name of a person in the store is found
// there, so that it works offline; otherwise its domain is asked.
func (a *App) Resolve(ctx context.Context, text string) (account.Key, error) {
	return account.Resolve(ctx, a.web(), text)
}

// web returns what names are looked up with: never on this computer or network, since
// anybody can make up a name that leads there.
func (a *App) web() account.Fetcher {
	if a.opt.web != nil {
		return a.opt.web
	}
	return netsafe.New(netsafe.Policy{})
}

// readAs makes a person the account from now on.
func (a *App) readAs(ctx context.Context, me nostr.PubKey) error {
	a.setMe(me)
	return a.state.Save(ctx, keyPerson, me.String())
}

// nameInSettings writes a person into the settings if these name an account: they take
// precedence over what is saved in the store.
func (a *App) nameInSettings(me nostr.PubKey) error {
	named := a.Settings().Person.Key
	if named == "" || named == me.Npub() {
		return nil
	}
	return a.SaveSettings(func(s *config.Settings) { s.Person.Key = me.Npub() })
}

// Env returns what tools see in a turn that begins now.
func (a *App) Env(ctx context.Context) (*tools.Env, error) {
	last, err := a.LastVisit(ctx)
	if err != nil {
		return nil, err
	}
	return &tools.Env{
		Store:     a.notes,
		Me:        a.Me(),
		Now:       a.opt.Now,
		Zone:      a.opt.Zone,
		LastVisit: last,
		Sample:    a.opt.Sample,
		Evidence: func(ctx context.Context, pk nostr.PubKey) (coverage.Evidence, error) {
			return notesync.Evidence(ctx, a.notes, pk)
		},
		Presented: &tools.Presented{},
		Kept:      &tools.Kept{},
	}, nil
}

// ToolJSON calls one of the tools that only read, outside a turn, and returns its result as
// JSON: whole, or as a model reads it in at most limit bytes if limit is not 0. Wrong
// arguments are a *[tools.ArgumentError].
func (a *App) ToolJSON(ctx context.Context, name string, args json.RawMessage, limit int) (json.RawMessage, error) {
	tool, ok := a.tools.Get(name)
	if !ok || tool.Spec().Effect != tools.None {
		return nil, fmt.Errorf("there is no tool %q that only reads", name)
	}
	env, err := a.Env(ctx)
	if err != nil {
		return nil, err
	}
	result, err := tool.Call(ctx, env, args)
	if err != nil {
		return nil, err
	}
	if limit > 0 {
		return json.RawMessage(result.ForModel(limit)), nil
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(result); err != nil {
		return nil, fmt.Errorf("write the result of %s: %w", name, err)
	}
	return bytes.TrimSpace(out.Bytes()), nil
}

// Person is somebody named in a text.
type Person struct {
	PubKey  nostr.PubKey
	Found   bool   // a profile or a list of theirs is known; a mistyped key has neither
	Name    string // "" when no profile is known
	NIP05   string // as their profile claims, or as it was looked up
	About   string
	Picture string // an http or https URL by a stranger; "" for none
	Follows int    // how many people they follow; -1 if unknown
	Asked   bool   // relays were asked; otherwise everything is from the store
}

// LookUpTrouble is why a text names nobody.
type LookUpTrouble string

// The troubles.
const (
	LookUpEmpty    LookUpTrouble = "empty"      // nothing was typed
	LookUpSecret   LookUpTrouble = "secret key" // it is a secret key, which belongs in a keyring only
	LookUpNote     LookUpTrouble = "a note"     // it names a note
	LookUpMistyped LookUpTrouble = "mistyped"   // a key with a typing error
	LookUpNoName   LookUpTrouble = "no name"    // neither a name nor a key
	LookUpUnknown  LookUpTrouble = "unknown"    // the domain does not know the name
	LookUpNoAnswer LookUpTrouble = "no answer"  // the domain does not answer
	LookUpOffline  LookUpTrouble = "offline"    // this computer is offline
)

// LookUpError says in plain words why a text names nobody and what to do.
type LookUpError struct {
	Trouble LookUpTrouble
	Domain  string // that was asked; for LookUpUnknown and LookUpNoAnswer
	Err     error  // the cause; nil for none. It never holds the text.
}

func (e *LookUpError) Error() string {
	switch e.Trouble {
	case LookUpEmpty:
		return "Type a name such as ada@example.com, or a key that begins with npub1."
	case LookUpSecret:
		return "This is a secret key. Whoever has it can write in your name: never type it here, and do not send it to anybody. Use the key that begins with npub1."
	case LookUpNote:
		return "This is the address of a note. Paste the address of a person: it begins with npub1."
	case LookUpMistyped:
		return "This key has a typing error. Copy all of it again."
	case LookUpUnknown:
		return e.Domain + " does not know this name. Check the spelling, or paste a key that begins with npub1."
	case LookUpNoAnswer:
		return e.Domain + " does not answer. Check the spelling, or paste a key that begins with npub1."
	case LookUpOffline:
		return "This computer is offline, and the name is not among your notes. Connect and try again, or paste a key that begins with npub1."
	}
	return "This is neither a name nor a key. Type a name such as ada@example.com, or a key that begins with npub1."
}

func (e *LookUpError) Unwrap() error { return e.Err }

// The limits of looking a person up.
const (
	lookUpWait   = 6 * time.Second
	lookUpLinger = time.Second
	lookUpMost   = 2000 // bytes of the text that are read
)

// LookUp finds the person named in a text: an npub, an nprofile, a hex key, a name such
// as ada@example.com (NIP-05), a nostr: link, or the web address of a profile. What is
// stored is used at once; otherwise indexers are asked, for six seconds at most, and what
// they return is stored. A key that nobody knows is no error: Found is false.
//
// The error is a *LookUpError, or that of ctx or the store. A secret key is refused
// before anything else is done with the text; it is not kept, logged or sent.
func (a *App) LookUp(ctx context.Context, text string) (Person, error) {
	candidates, err := namesIn(text)
	if err != nil {
		return Person{}, err
	}
	var first error
	for _, c := range candidates {
		key, err := a.keyOf(ctx, c)
		if err == nil {
			return a.person(ctx, key)
		}
		if ctx.Err() != nil {
			return Person{}, ctx.Err()
		}
		if first == nil {
			first = err
		}
	}
	return Person{}, first
}

// secretKey finds secret keys anywhere in a text, plain or encrypted.
var secretKey = regexp.MustCompile(`(?i)\b(nsec1|ncryptsec1)[a-z0-9]`)

// publicKey finds a person's key within a text.
var publicKey = regexp.MustCompile(`(?i)\b(npub1|nprofile1)[02-9ac-hj-np-z]{20,}`)

// around is what comes along when a name is copied out of a text.
const around = " .,;:!?\"'“”„«»‘’()[]<>"

// namesIn returns the parts of a text that may name a person, the likeliest first.
func namesIn(text string) ([]string, error) {
	if secretKey.MatchString(text) {
		return nil, &LookUpError{Trouble: LookUpSecret, Err: nostr.ErrSecretKey}
	}
	text = strings.Trim(clean.Line(text[:min(len(text), lookUpMost)], 0), around)
	if keys := publicKey.FindAllString(text, 2); len(keys) == 1 && strings.ContainsAny(text, " ,;") {
		return keys, nil // "Ada (npub1…)"
	}
	for _, scheme := range []string{"web+nostr:", "nostr:", "mailto:"} {
		if len(text) >= len(scheme) && strings.EqualFold(text[:len(scheme)], scheme) {
			text = strings.TrimPrefix(text[len(scheme):], "//")
			break
		}
	}
	text = strings.TrimPrefix(text, "@")
	if text == "" {
		return nil, &LookUpError{Trouble: LookUpEmpty}
	}
	if !strings.Contains(text, "/") {
		return []string{text}, nil
	}
	return namesInLink(text)
}

// namesInLink parses the address of a web page: the key or name is, in most clients, the
// last part of its path, or of its fragment or a value of its query.
func namesInLink(text string) ([]string, error) {
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return nil, &LookUpError{Trouble: LookUpNoName}
	}
	parts := append(strings.Split(u.Path, "/"), strings.FieldsFunc(u.Fragment, func(r rune) bool { return strings.ContainsRune("/?&=", r) })...)
	for _, values := range u.Query() {
		parts = append(parts, values...)
	}
	var names []string
	for _, part := range slices.Backward(parts) {
		part = strings.TrimPrefix(part, "@")
		lower := strings.ToLower(part)
		switch {
		case strings.HasPrefix(lower, "npub1"), strings.HasPrefix(lower, "nprofile1"), len(part) == 64,
			strings.HasPrefix(lower, "note1"), strings.HasPrefix(lower, "nevent1"), strings.HasPrefix(lower, "naddr1"):
			names = slices.Insert(names, 0, part)
		case strings.Contains(part, "@"):
			names = append(names, part)
		}
	}
	if len(names) == 0 && strings.Trim(u.Path, "/") == "" && u.RawQuery == "" && u.Fragment == "" {
		names = []string{u.Host} // the bare domain is a name too
	}
	if len(names) == 0 {
		return nil, &LookUpError{Trouble: LookUpNoName}
	}
	return names, nil
}

// keyOf parses a key, or looks a name up.
func (a *App) keyOf(ctx context.Context, text string) (account.Key, error) {
	if !strings.Contains(text, "@") && !strings.Contains(text, ".") {
		key, err := account.Parse(text)
		return key, inPlainWords(err, "")
	}
	if a.opt.Sample {
		return a.storedName(ctx, text, &LookUpError{Trouble: LookUpUnknown, Domain: domainOf(text)})
	}
	if domainOf(text) == "" { // "ada@"
		return account.Key{}, &LookUpError{Trouble: LookUpNoName}
	}
	key, err := account.Resolve(ctx, a.web(), text)
	if err == nil {
		return key, nil
	}
	said := inPlainWords(err, domainOf(text))
	if failed := (*LookUpError)(nil); errors.As(said, &failed) && (failed.Trouble == LookUpNoAnswer || failed.Trouble == LookUpOffline) {
		return a.storedName(ctx, text, failed)
	}
	return account.Key{}, said
}

// storedName finds who claims a name among the people in the store. It replaces the
// domain's answer when that cannot be had; otherwise is the error if nobody claims the
// name, or several people do.
func (a *App) storedName(ctx context.Context, name string, otherwise *LookUpError) (account.Key, error) {
	const most = 20
	found, err := a.notes.SearchProfiles(ctx, name, most, nil)
	if err != nil {
		return account.Key{}, otherwise
	}
	same := func(claimed string) bool {
		claimed, name := strings.ToLower(claimed), strings.ToLower(name)
		return claimed == name || claimed == "_@"+name
	}
	found = slices.DeleteFunc(found, func(p nostr.Profile) bool { return !same(p.NIP05) })
	if len(found) != 1 {
		return account.Key{}, otherwise
	}
	return account.Key{PubKey: found[0].PubKey, Name: found[0].NIP05}, nil
}

func domainOf(name string) string {
	domain := name[strings.LastIndexByte(name, '@')+1:]
	return clean.Line(strings.ToLower(domain), 60)
}

// inPlainWords makes a *LookUpError of an error of account; nil stays nil.
func inPlainWords(err error, domain string) error {
	var web *netsafe.Error
	e := &LookUpError{Trouble: LookUpNoName, Domain: domain, Err: err}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, nostr.ErrSecretKey):
		e.Trouble = LookUpSecret
	case errors.Is(err, account.ErrANote):
		e.Trouble = LookUpNote
	case errors.Is(err, account.ErrMistyped):
		e.Trouble = LookUpMistyped
	case errors.Is(err, netsafe.Offline):
		e.Trouble = LookUpOffline
	case errors.As(err, &web) && web.Kind == netsafe.Status && web.Status == 404:
		e.Trouble = LookUpUnknown
	case errors.As(err, &web):
		e.Trouble = LookUpNoAnswer
	case !errors.Is(err, account.ErrNotAKey) && domain != "":
		e.Trouble = LookUpUnknown
	}
	return e
}

// person describes the owner of a key: from the store, else from relays.
func (a *App) person(ctx context.Context, key account.Key) (Person, error) {
	p, err := a.storedPerson(ctx, key)
	if err != nil || p.Name != "" && p.Follows >= 0 || a.opt.Sample {
		return p, err
	}
	_, err = notesync.Ask(ctx, notesync.Question{
		Store: a.notes, Client: netsafe.New(netsafe.Policy{AllowPrivate: a.opt.AllowPrivate}), Me: a.Me(),
		Relays: a.live.LookUpRelays(ctx, key.Relays), Never: a.Settings().Sync.Without,
		Filters: []nostr.Filter{{Authors: []nostr.PubKey{key.PubKey}, Kinds: []uint16{0, 3, 10002}, Limit: new(10)}},
		Wait:    lookUpWait, Linger: lookUpLinger, Logger: a.opt.Logger,
	})
	switch {
	case ctx.Err() != nil:
		return Person{}, ctx.Err()
	case errors.Is(err, notesync.ErrNoNetwork), errors.Is(err, notesync.ErrNoRelays):
		return p, nil // what is stored has to do
	case err != nil:
		return Person{}, err
	}
	p, err = a.storedPerson(ctx, key)
	p.Asked = true
	return p, err
}

// storedPerson describes a person as the store knows them.
func (a *App) storedPerson(ctx context.Context, key account.Key) (Person, error) {
	profile, err := a.notes.Profile(ctx, key.PubKey)
	if err != nil {
		return Person{}, fmt.Errorf("reading a profile: %w", err)
	}
	p := Person{
		PubKey: key.PubKey, Name: profile.Best(), NIP05: profile.NIP05, About: profile.About, Picture: profile.Picture,
		Found: profile.UpdatedAt > 0, Follows: -1,
	}
	if key.Name != "" {
		p.NIP05 = key.Name
	}
	switch follows, err := a.notes.Contacts(ctx, key.PubKey); {
	case err == nil:
		others := slices.DeleteFunc(follows, func(pk nostr.PubKey) bool { return pk == key.PubKey }) // some follow themselves
		p.Follows, p.Found = len(others), true
	case !errors.Is(err, ndb.ErrNotFound):
		return Person{}, fmt.Errorf("reading whom somebody follows: %w", err)
	}
	return p, nil
}

// ReadAs switches to another account. Nothing that is stored is lost; Live goes on with
// the people whom the new account follows. In the sample it returns ErrSample.
func (a *App) ReadAs(ctx context.Context, pk nostr.PubKey) error {
	if a.opt.Sample {
		return live.ErrSample
	}
	if pk == (nostr.PubKey{}) {
		return account.ErrNobodyChosen
	}
	if err := a.nameInSettings(pk); err != nil {
		return err
	}
	if err := a.readAs(ctx, pk); err != nil {
		return err
	}
	a.live.BeginAnew()
	return nil
}
