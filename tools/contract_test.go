package tools_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/tools/tooltest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Rows 000-43 and 001-1: models are tuned to names, schemas and descriptions, and caches rest on their
// bytes: a change to them must be meant.
func TestWhatModelsAreToldOfTheToolsIsAsInTheGoldenFile(t *testing.T) {
	var b strings.Builder
	for _, tool := range tools.Builtin().All() {
		s := tool.Spec()
		fmt.Fprintf(&b, "# %s (effect %s, tainting %v)\n%s\n%s\n\n", s.Name, s.Effect, s.Tainting, s.Description, s.Schema)
	}
	path := filepath.Join("testdata", "tools.golden")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("%s differs from what models are told now:\n%s", path, b.String())
	}
}

func TestEverySchemaIsValidAndDescribesAnObject(t *testing.T) {
	for _, tool := range tools.Builtin().All() {
		s := tool.Spec()
		var schema jsonschema.Schema
		if err := json.Unmarshal(s.Schema, &schema); err != nil {
			t.Errorf("%s: %v", s.Name, err)
			continue
		}
		if _, err := schema.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true}); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
		if schema.Type != "object" || schema.AdditionalProperties == nil {
			t.Errorf("%s takes unknown arguments, or is no object", s.Name)
		}
	}
}

// Row 000-18: every schema, and its every part, is one by the meta-schema of JSON
// Schema 2020-12, which comes with the library.
func TestEverySchemaIsOneByTheMetaSchema(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/jsonschema-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) (*jsonschema.Schema, error) {
		raw, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "jsonschema", "meta-schemas", "draft2020-12", filepath.FromSlash(name)+".json"))
		if err != nil {
			return nil, err
		}
		var s jsonschema.Schema
		return &s, json.Unmarshal(raw, &s)
	}
	whole, err := read("schema")
	if err != nil {
		t.Fatal(err)
	}
	meta, err := whole.Resolve(&jsonschema.ResolveOptions{Loader: func(uri *url.URL) (*jsonschema.Schema, error) {
		return read(strings.TrimPrefix(uri.String(), "https://json-schema.org/draft/2020-12/"))
	}})
	if err != nil {
		t.Fatal(err)
	}
	fits := func(schema []byte) error {
		var v any
		if err := json.Unmarshal(schema, &v); err != nil {
			return err
		}
		return meta.Validate(v)
	}
	for _, tool := range tools.Builtin().All() {
		if err := fits(tool.Spec().Schema); err != nil {
			t.Errorf("%s: %v", tool.Spec().Name, err)
		}
	}
	for _, wrong := range []string{
		`{"type":"objekt"}`, `{"properties":[]}`, `{"properties":{"a":{"maxLength":-1}}}`, `{"required":"a"}`, `{"anyOf":[]}`, `{"items":{"type":7}}`,
	} {
		if fits([]byte(wrong)) == nil {
			t.Errorf("%s passes", wrong)
		}
	}
}

// Row 000-43: what the tools say steers a model away from tables and charts of its own
// making.
func TestTheToolsThatShowSayWhenToUseThem(t *testing.T) {
	for name, words := range map[string][]string{
		"render_table":  {"Use this whenever you have row-shaped data", "do NOT hand-write a Markdown table", "do not repeat the table"},
		"render_chart":  {"chart"},
		"present_notes": {"note_ids", "^"},
	} {
		said := builtin(t, name).Spec().Description
		for _, w := range words {
			if !strings.Contains(said, w) {
				t.Errorf("%s does not say %q", name, w)
			}
		}
	}
}

func TestToolsWithStrangersTextTaint(t *testing.T) {
	clean := map[string]bool{"present_notes": true, "render_table": true, "render_chart": true, "current_time": true, "random_uuid": true}
	for _, tool := range tools.Builtin().All() {
		if s := tool.Spec(); s.Tainting == clean[s.Name] {
			t.Errorf("%s: tainting %v", s.Name, s.Tainting)
		}
	}
}

func TestACancelledCallEndsWithTheContextsError(t *testing.T) {
	v := newVillage(t)
	ctx, cancel := contextCancelled(t)
	defer cancel()
	for _, call := range []struct{ tool, args string }{
		{"query", `{}`}, {"count", `{}`}, {"aggregate", `{"by":"day"}`}, {"get_thread", fmt.Sprintf(`{"note_id":%q}`, v.root.ID)},
	} {
		_, err := builtin(t, call.tool).Call(ctx, v.Env(), json.RawMessage(call.args))
		if err == nil {
			t.Errorf("%s: answered", call.tool)
		}
	}
}

func TestAClosedStoreIsAnErrorAndNotAnEmptyAnswer(t *testing.T) {
	v := newVillage(t)
	env := v.Env()
	if err := v.Store.Close(); err != nil {
		t.Fatal(err)
	}
	for _, call := range []struct{ tool, args string }{
		{"query", `{}`},
		{"count", `{"context":"any"}`},
		{"aggregate", `{"by":"day"}`},
		{"coverage", `{}`},
		{"get_note", fmt.Sprintf(`{"note_id":%q}`, v.root.ID)},
		{"get_note", fmt.Sprintf(`{"note_id":%q}`, v.root.ID.String()[:16])},
		{"get_thread", fmt.Sprintf(`{"note_id":%q}`, v.root.ID)},
		{"present_notes", fmt.Sprintf(`{"note_ids":%q}`, v.root.ID)},
		{"get_profile", `{"person":"ada"}`},
		{"find_profile", `{"name":"ada"}`},
	} {
		_, err := builtin(t, call.tool).Call(t.Context(), env, json.RawMessage(call.args))
		if !errors.Is(err, ndb.ErrClosed) {
			t.Errorf("%s: %v", call.tool, err)
		}
	}
}

// Whatever a model sends, a call ends with an answer that fits or with an error,
// and never shows what is private.
func FuzzCall(f *testing.F) {
	v := newVillage(f)
	v.ada.Post(tooltest.Post{Kind: 4, Content: "SECRET words", Ago: time.Hour, Tags: nostr.Tags{{"p", v.me.Key.String()}}})
	all := tools.Builtin().All()
	for i, tool := range all {
		f.Add(i, `{}`)
		f.Add(i, `{"note_id":"`+v.root.ID.String()+`","name":"ada","person":"ada","by":"day","note_ids":"`+v.root.ID.String()+`"}`)
		_ = tool
	}
	f.Add(8, `{"context":"any","search":"from:ada \"relays are\" -x #relays since:7d until:now","author":"ada","kind":[1,"6"],"since":"yesterday","until":1777800000,"hashtag":"#relays","include_replies":"true","limit":"5","cursor":"AAAA","order":"newest"}`)
	f.Add(8, `{"since":"-9999999w","limit":-1,"kind":"1"}`)
	f.Add(0, `{"by":"week","zone":"Pacific/Apia","since":0,"limit":500}`)
	f.Add(9, `{"spec":{"mark":"bar","data":{"values":[{"a":1}]},"encoding":{"x":{"field":"a"},"y":{"aggregate":"count"}}}}`)
	f.Add(10, `{"title":"t","columns":["a",{"key":"b","label":"B"}],"rows":[{"a":1,"b":null},{"a":"\u202e","b":[1]}]}`)
	f.Fuzz(func(t *testing.T, which int, args string) {
		tool := all[max(which%len(all), 0)]
		if once, err := tool.(tools.Normalizer).Normalize(json.RawMessage(args)); err == nil {
			if again, err := tool.(tools.Normalizer).Normalize(once); err != nil || string(again) != string(once) {
				t.Fatalf("%s %s is read as %s, and that as %s, %v", tool.Spec().Name, args, once, again, err)
			}
		}
		res, err := tool.Call(t.Context(), v.Env(), json.RawMessage(args))
		if err != nil {
			if !strings.HasPrefix(err.Error(), tool.Spec().Name+": ") {
				t.Fatalf("error %q does not name its tool", err)
			}
			return
		}
		tooltest.Fits(t, res)
		full, err := json.Marshal(res)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(full), "SECRET") && !strings.Contains(args, "SECRET") {
			t.Fatalf("%s %s shows %s", tool.Spec().Name, args, full)
		}
	})
}
