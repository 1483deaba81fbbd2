package setup

import (
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/mcp/client"
)

func TestServersOfOtherProgramsAreTakenOver(t *testing.T) {
	got, err := Parse([]byte(`{"theme":"dark","mcpServers":{
		"My Files":{"command":"npx","args":["-y","files"],"env":{"B":"2","A":"1"},"cwd":"/tmp"},
		"team":{"url":"https://mcp.example.com/mcp","headers":{"authorization":"Bearer abc"}}}}`))
	want := []Entry{
		{"my-files", config.MCPServer{Command: "npx", Args: []string{"-y", "files"}, Folder: "/tmp", Env: []string{"A", "B"}}, map[string]string{"A": "1", "B": "2"}},
		{"team", config.MCPServer{URL: "https://mcp.example.com/mcp", Token: true}, map[string]string{Token: "abc"}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := Parse([]byte(`{"servers":{"a":{"command":"x"}}}`)); err != nil || len(got) != 1 {
		t.Error(got, err)
	}
	for text, want := range map[string]error{`nothing`: ErrNoJSON, `{}`: ErrNoServers, `{"mcpServers":{}}`: ErrNoServers} {
		if _, err := Parse([]byte(text)); !errors.Is(err, want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, want := range map[string]LineError{
		"{\"mcpServers\": {\n\"a\": {\"command\": \"x\"},\n}}":             {Line: 3},
		"{\"mcpServers\": {\n\"a\": {\"command\": \"x\", \"args\": 1}\n}}": {Line: 2, Kind: true},
	} {
		_, err := Parse([]byte(text))
		if at, ok := errors.AsType[*LineError](err); !ok || *at != want || !errors.Is(err, ErrNoJSON) {
			t.Errorf("%s: %v", text, err)
		}
	}
	_, err = Parse([]byte(`{"mcpServers":{"a":{"url":"https://x.example","headers":{"X-Key":"1"}}}}`))
	if header, ok := errors.AsType[*HeaderError](err); !ok || header.Header != "X-Key" {
		t.Error(err)
	}
}

// Nothing in a path of Windows, or that a shell would read in its own way, is changed.
func TestCommandsOfWindowsAreTakenOverAsTheyAre(t *testing.T) {
	got, err := Parse([]byte(`{"mcpServers":{"files":{"command":"C:\\Program Files\\nodejs\\npx.cmd",
		"args":["-y","C:\\Users\\Ann\\My notes","%USERPROFILE%","a && b","*.txt"],"cwd":"D:\\work","env":{"APPDATA":"C:\\Users\\Ann\\AppData"}}}}`))
	want := []Entry{{"files", config.MCPServer{
		Command: `C:\Program Files\nodejs\npx.cmd`, Args: []string{"-y", `C:\Users\Ann\My notes`, "%USERPROFILE%", "a && b", "*.txt"}, Folder: `D:\work`, Env: []string{"APPDATA"},
	}, map[string]string{"APPDATA": `C:\Users\Ann\AppData`}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	typed := Words(`"C:\Program Files\nodejs\npx.cmd" -y "C:\Users\Ann\My notes" %USERPROFILE% "a && b" *.txt`)
	if !slices.Equal(typed, append([]string{want[0].Server.Command}, want[0].Server.Args...)) {
		t.Errorf("%q", typed)
	}
	if _, err := Parse([]byte(`{"mcpServers":{"files":{"command":"C:\Users\npx.cmd"}}}`)); !errors.Is(err, ErrNoJSON) {
		t.Errorf("backslashes that JSON would have doubled: %v", err)
	}
}

func TestWhatIsWrongIsSaidOfItsField(t *testing.T) {
	taken := func(name string) bool { return name == "taken" }
	for name, tt := range map[string]struct {
		entry Entry
		want  map[Field]Problem
	}{
		"command":        {Entry{Name: "a", Server: config.MCPServer{Command: "x"}}, nil},
		"address":        {Entry{Name: "a", Server: config.MCPServer{URL: "https://x.example/mcp"}}, nil},
		"nothing":        {Entry{}, map[Field]Problem{Name: Missing, Command: Missing, Address: Missing}},
		"taken":          {Entry{Name: "taken", Server: config.MCPServer{Command: "x"}}, map[Field]Problem{Name: Taken}},
		"spaces":         {Entry{Name: "my files", Server: config.MCPServer{Command: "x"}}, map[Field]Problem{Name: NotAName}},
		"no scheme":      {Entry{Name: "a", Server: config.MCPServer{URL: "x.example"}}, map[Field]Problem{Address: NotAnURL}},
		"password":       {Entry{Name: "a", Server: config.MCPServer{URL: "https://me:secret@x.example"}}, map[Field]Problem{Address: HasPassword}},
		"no value":       {Entry{Name: "a", Server: config.MCPServer{Command: "x", Env: []string{"KEY"}}}, map[Field]Problem{Variable: NoVariable}},
		"not a variable": {Entry{Name: "a", Server: config.MCPServer{Command: "x", Env: []string{"1 A"}}, Secrets: map[string]string{"1 A": "x"}}, map[Field]Problem{Variable: NoVariable}},
	} {
		if got := tt.entry.Check(taken); !maps.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

func TestTypedLinesAreRead(t *testing.T) {
	for line, want := range map[string][]string{
		"":                           nil,
		"npx -y  server":             {"npx", "-y", "server"},
		`"C:\Program Files\x" 'a b'`: {`C:\Program Files\x`, "a b"},
		`a "" b`:                     {"a", "", "b"},
		`--key="a b"`:                {"--key=a b"},
	} {
		if got := Words(line); !slices.Equal(got, want) {
			t.Errorf("%s: %q", line, got)
		}
	}
	var e Entry
	e.Variables("A=1\n\n B = x=y \nC\n")
	if !slices.Equal(e.Server.Env, []string{"A", "B", "C"}) || !maps.Equal(e.Secrets, map[string]string{"A": "1", "B": "x=y", "C": ""}) {
		t.Errorf("%+v", e)
	}
}

func TestWhatChangedOfAToolIsShown(t *testing.T) {
	m := Memory{t.TempDir()}
	now := time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)
	was := client.ToolStatus{Name: "read", Fingerprint: "1", Description: "Reads.", Schema: json.RawMessage(`{"type":"object"}`), Reads: true}
	if err := m.Note("s", now, was); err != nil {
		t.Fatal(err)
	}
	if err := m.Note("s", now, client.ToolStatus{Name: "other"}); err != nil {
		t.Fatal(err)
	}
	seen := m.Of("s")["read"]
	if !seen.At.Equal(now) || len(Changes(seen, was)) != 0 {
		t.Errorf("%+v: %+v", seen, Changes(seen, was))
	}
	is := was
	is.Description, is.Reads, is.Schema = "Reads and sends.", false, json.RawMessage(`{"type":"object","required":["to"]}`)
	var aspects []Aspect
	for _, c := range Changes(seen, is) {
		aspects = append(aspects, c.Aspect)
	}
	if !slices.Equal(aspects, []Aspect{Description, Arguments, Effect}) {
		t.Error(aspects)
	}
	m.Forget("s")
	if len(m.Of("s")) != 0 {
		t.Error("it is remembered")
	}
}
