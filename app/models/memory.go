package models

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"time"

	"bowerbird/app/config"
	"bowerbird/llm"
)

// File is the name of the file in the data folder that keeps what was found out about
// models, so that the next run need not ask and be refused again. Everything in it can be
// found out again, so a file that cannot be read or written is only logged.
const File = "models.json"

const (
	modelsVersion = 1
	maxModelsFile = 32 << 20 // bytes
	mostListed    = 2000     // models of one list; no provider has as many
)

type modelsKept struct {
	Version int          `json:"version"`
	Models  []keptModel  `json:"models"`
	Learned []llm.Lesson `json:"learned"`
	Lists   []keptList   `json:"lists"`
}

type keptModel struct {
	Server string    `json:"server"`
	Model  string    `json:"model"`
	Own    llm.Facts `json:"told"`   // what the server reports of this model
	Listed llm.Facts `json:"listed"` // what it reports in its list
	Asked  time.Time `json:"asked"`
}

type keptList struct {
	Server string          `json:"server"`
	Asked  time.Time       `json:"asked"`
	Models []llm.ModelInfo `json:"models"`
}

// memory is what was found out about models. The zero value is ready to use and writes no
// file.
type memory struct {
	learned llm.Learned

	mu     sync.Mutex
	file   string // "" for none
	log    *slog.Logger
	clean  func(json.RawMessage) json.RawMessage // removes secrets: a server may name a model anything
	models map[modelAt]keptModel
	lists  map[string]keptList // by address
	asked  map[modelAt]bool    // asked about in this run

	saving sync.Mutex // held while the file is written
}

// modelAt identifies a model by its server's address and its name there.
type modelAt struct{ server, model string }

func newModelAt(base, model string) modelAt { return modelAt{llm.CleanAddress(base), model} }

// open reads the file, and from now on writes to it. A file of a later version of the
// program is neither read nor written.
func (m *memory) open(dir string, log *slog.Logger, clean func(json.RawMessage) json.RawMessage) {
	file := filepath.Join(dir, File)
	kept, err := readModels(file)
	if err != nil {
		log.Warn("reading what was learned about models", "error", err)
	}
	m.log, m.clean = log, clean
	if kept.Version <= modelsVersion {
		m.file = file
	}
	m.models, m.lists = map[modelAt]keptModel{}, map[string]keptList{}
	for _, k := range kept.Models {
		m.models[newModelAt(k.Server, k.Model)] = k
	}
	for _, l := range kept.Lists {
		m.lists[l.Server] = l
	}
	m.learned.Keep(kept.Learned, m.save)
}

// readModels returns the zero value if there is no file, and nothing but the version of a
// file of a later version.
func readModels(file string) (modelsKept, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return modelsKept{}, nil
	}
	if err != nil {
		return modelsKept{}, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxModelsFile))
	if err != nil {
		return modelsKept{}, err
	}
	var version struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(raw, &version); err != nil {
		return modelsKept{}, fmt.Errorf("read %s: %w", File, err)
	}
	if version.Version > modelsVersion {
		return modelsKept{Version: version.Version}, fmt.Errorf("%s has version %d, and this program reads up to %d", File, version.Version, modelsVersion)
	}
	var kept modelsKept
	if err := json.Unmarshal(raw, &kept); err != nil {
		return modelsKept{}, fmt.Errorf("read %s: %w", File, err)
	}
	return kept, nil
}

// save writes the file completely or not at all. What another Bowerbird has written to it
// meanwhile is found out again when it is needed.
func (m *memory) save() {
	m.saving.Lock()
	defer m.saving.Unlock()
	m.mu.Lock()
	file, log, clean := m.file, m.log, m.clean
	m.mu.Unlock()
	if file == "" {
		return
	}
	if err := writeModels(file, m.snapshot(), clean); err != nil {
		log.Warn("saving what was learned about models", "error", err)
	}
}

func (m *memory) snapshot() modelsKept {
	m.mu.Lock()
	defer m.mu.Unlock()
	own := modelsKept{Version: modelsVersion, Models: slices.AppendSeq([]keptModel{}, maps.Values(m.models)), Lists: []keptList{}}
	for _, l := range m.lists {
		l.Models = l.Models[:min(len(l.Models), mostListed)]
		own.Lists = append(own.Lists, l)
	}
	own.Learned = append([]llm.Lesson{}, m.learned.Lessons()...)
	return own
}

// writeModels sorts what it writes, and leaves the lists out if the file would become too
// large to be read again.
func writeModels(file string, kept modelsKept, clean func(json.RawMessage) json.RawMessage) error {
	slices.SortFunc(kept.Models, func(a, b keptModel) int {
		return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Model, b.Model))
	})
	slices.SortFunc(kept.Lists, func(a, b keptList) int { return cmp.Compare(a.Server, b.Server) })
	raw, err := json.MarshalIndent(kept, "", " ")
	if err != nil {
		return err
	}
	raw = append(clean(raw), '\n')
	if len(raw) > maxModelsFile && len(kept.Lists) > 0 {
		kept.Lists = []keptList{}
		return writeModels(file, kept, clean)
	}
	return config.WriteFile(file, raw)
}

// model returns what a server reported of a model; its Asked is zero if it was never asked.
func (m *memory) model(of modelAt) keptModel {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.models[of]
}

func (m *memory) keepModel(of modelAt, own, listed llm.Facts, now time.Time) {
	m.mu.Lock()
	if m.models == nil {
		m.models = map[modelAt]keptModel{}
	}
	m.models[of] = keptModel{Server: of.server, Model: of.model, Own: own, Listed: listed, Asked: now}
	m.mu.Unlock()
	m.save()
}

func (m *memory) listed(of modelAt) llm.Facts {
	m.mu.Lock()
	defer m.mu.Unlock()
	return llm.Listed(m.lists[of.server].Models, of.model)
}

// list returns the last list of a server; nil if there is none.
func (m *memory) list(server string) []llm.ModelInfo {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.lists[server].Models)
}

func (m *memory) keepList(server string, models []llm.ModelInfo, now time.Time) {
	m.mu.Lock()
	if m.lists == nil {
		m.lists = map[string]keptList{}
	}
	same := reflect.DeepEqual(m.lists[server].Models, models)
	m.lists[server] = keptList{Server: server, Asked: now, Models: slices.Clone(models)}
	m.mu.Unlock()
	if !same {
		m.save()
	}
}

func (m *memory) forget(of modelAt) {
	m.learned.Forget(of.server, of.model)
	m.mu.Lock()
	delete(m.models, of)
	delete(m.asked, of)
	m.mu.Unlock()
	m.save()
}

// due reports whether a server is to be asked about a model before the next question. A
// server on this computer may be started differently every day, so it is asked in each run,
// and again while it reports no window, which some do only once a model is loaded; others
// are asked once a week.
func (m *memory) due(of modelAt, now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.models[of]
	if m.asked[of] {
		return k.Own.MostContext > 0 && k.Own.Context == 0
	}
	return k.Asked.IsZero() || llm.OnThisComputer(of.server) || now.Sub(k.Asked) > 7*24*time.Hour
}

func (m *memory) wasAsked(of modelAt) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.asked == nil {
		m.asked = map[modelAt]bool{}
	}
	m.asked[of] = true
}
