package tools

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Registry is the one list of tools: prompt, schemas, routing and gate all read it. It is
// immutable.
type Registry struct {
	all    []Tool
	byName map[string]Tool
}

// NewRegistry returns a registry of the given tools; names must be unique.
func NewRegistry(ts ...Tool) (*Registry, error) {
	r := &Registry{all: slices.Clone(ts), byName: make(map[string]Tool, len(ts))}
	for _, t := range ts {
		name := t.Spec().Name
		if _, double := r.byName[name]; double {
			return nil, fmt.Errorf("two tools are called %q", name)
		}
		r.byName[name] = t
	}
	slices.SortFunc(r.all, func(a, b Tool) int { return strings.Compare(a.Spec().Name, b.Spec().Name) })
	return r, nil
}

// All returns the tools, sorted by name.
func (r *Registry) All() []Tool { return slices.Clone(r.all) }

// Get finds a tool by its exact name.
func (r *Registry) Get(name string) (Tool, bool) {
	t, ok := r.byName[name]
	return t, ok
}

// BuiltinTools returns the tools of this package, to be registered together with others.
func BuiltinTools() []Tool { return slices.Clone(builtinTools()) }

// builtinTools makes them once: it takes a millisecond, for the schemas.
var builtinTools = sync.OnceValue(func() []Tool {
	return []Tool{
		New("aggregate", aggregateDoc, None, runAggregate, About("notes", `{"by":"hashtag","since":"7d"}`, "statistics", "top", "ranking", "Rangliste", "auswerten", "classement", "clasificación", "estatísticas", "ランキング")),
		New("count", countDoc, None, runCount, About("notes", `{"since":"24h"}`, "how many", "wie viele", "combien", "cuántos", "quantos", "いくつ")),
		New("coverage", coverageDoc, None, runCoverage, About("relays", `{"since":"3d"}`, "completeness", "missing notes", "Vollständigkeit", "relais", "cobertura", "couverture", "網羅")),
		New("current_time", currentTimeDoc, None, runCurrentTime, Untainting(), About("other", `{}`, "clock", "today", "Uhrzeit", "heure", "hora", "時刻")),
		New("find_profile", findProfileDoc, None, runFindProfile, About("profiles", `{"name":"Ada"}`, "who is", "look up a person", "wer ist", "chercher une personne", "buscar persona", "procurar pessoa", "人を探す")),
		New("get_note", getNoteDoc, None, runGetNote, About("notes", `{"note_id":"0123456789abcdef"}`, "read a note", "Notiz lesen", "lire une note", "leer una nota", "ler uma nota", "ノートを読む")),
		New("get_profile", getProfileDoc, None, runGetProfile, About("profiles", `{"person":"Ada"}`, "about a person", "biography", "Profil ansehen", "voir un profil", "ver perfil", "プロフィール")),
		New("get_thread", getThreadDoc, None, runGetThread, About("notes", `{"note_id":"0123456789abcdef"}`, "replies", "conversation", "Antworten", "réponses", "respuestas", "respostas", "返信")),
		New("present_notes", presentNotesDoc, None, runPresentNotes, Untainting(), Ordered(), About("answer", `{"note_ids":["0123456789abcdef"]}`)),
		New("query", queryDoc, None, runQuery, About("notes", `{"search":"kayak OR canoe","since":"7d"}`, "search notes", "timeline", "Notizen suchen", "chercher des notes", "buscar notas", "procurar notas", "ノートを検索")),
		New("random_uuid", randomUUIDDoc, None, runRandomUUID, Untainting(), About("other", `{}`, "random identifier", "Zufallszahl", "identifiant aléatoire", "identificador aleatorio", "乱数")),
		New("render_chart", renderChartDoc, None, runRenderChart, Untainting(), Rich(), About("answer", `{"title":"Notes a day","spec":{"mark":"bar","data":{"values":[{"day":"Mon","notes":3}]},"encoding":{"x":{"field":"day"},"y":{"field":"notes","type":"quantitative"}}}}`, "diagram", "Diagramm", "graphique", "gráfico", "グラフ")),
		New("render_table", renderTableDoc, None, runRenderTable, Untainting(), Rich(), About("answer", `{"title":"Notes","columns":["name"],"rows":[{"name":"Ada"}]}`, "Tabelle", "tableau", "tabla", "tabela", "表")),
	}
})

// Builtin returns the registry of all built-in tools.
func Builtin() *Registry {
	r, err := NewRegistry(BuiltinTools()...)
	if err != nil {
		panic("tools: " + err.Error()) // two files of this package use the same name
	}
	return r
}
