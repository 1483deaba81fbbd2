package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"bowerbird/ndb/clean"
	"bowerbird/tools"
)

// maxDescription is how much of a tool's description a model reads, in characters.
const maxDescription = 2000

// fingerprint identifies what a user looked at: a tool's name, description, arguments and
// hints, as its server sends them.
func fingerprint(t *sdk.Tool) string {
	raw, err := json.Marshal([]any{t.Name, t.Title, t.Description, t.InputSchema, t.Annotations})
	if err != nil {
		return "" // of no tool that was ever seen
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:16])
}

// tool makes a tool of what the server says about it.
func (s *server) tool(t *sdk.Tool) (tools.Tool, ToolStatus) {
	hints := t.Annotations
	if hints == nil {
		hints = &sdk.ToolAnnotations{}
	}
	st := ToolStatus{
		Name: clean.Line(t.Name, 200), As: ModelName(s.conf.Name, t.Name), Reads: hints.ReadOnlyHint,
		Title:       clean.Line(firstOf(t.Title, hints.Title), 80),
		Description: clean.Text(clean.Cut(t.Description, maxDescription)),
		Fingerprint: fingerprint(t),
	}
	raw, err := json.Marshal(cleaned(t.InputSchema))
	if err != nil {
		st.Refused = "schema: " + err.Error()
		return nil, st
	}
	st.Schema = raw
	spec := tools.Spec{
		Name: st.As, Title: st.Title, Description: st.Description, Schema: raw,
		Source: "mcp:" + s.conf.Name, Effect: tools.Deletes, Tainting: true,
	}
	if hints.ReadOnlyHint {
		spec.Effect = tools.Network
	}
	made, err := tools.FromSchema(spec, func(ctx context.Context, args json.RawMessage) (tools.Result, error) {
		return s.call(ctx, t.Name, st.Fingerprint, args)
	})
	if err != nil {
		st.Refused = clean.Line(err.Error(), 300)
	}
	return made, st
}

// cleaned returns a schema whose texts are safe to show.
func cleaned(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, x := range v {
			if text, ok := x.(string); ok && (name == "description" || name == "title") {
				x = clean.Text(text)
			}
			out[name] = cleaned(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = cleaned(x)
		}
		return out
	}
	return v
}

// ModelName is what models call a server's tool: letters, digits, _ and -, at most 64 of
// them. A name that had to be changed ends with a part of its hash, so that no two become
// one.
func ModelName(server, tool string) string {
	safe := strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return r
		}
		return '_'
	}, tool)
	name := "mcp__" + server + "__" + safe
	if safe == tool && len(name) <= 64 && tool != "" {
		return name
	}
	sum := sha256.Sum256([]byte(tool))
	return name[:min(len(name), 64-9)] + "_" + hex.EncodeToString(sum[:4])
}

// Result is what a call of a server's tool returned.
type Result struct {
	Server string          `json:"server"`
	Text   string          `json:"text,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"` // structured content, or a text that is JSON
	Parts  []Part          `json:"parts,omitempty"`
}

// Part is a piece of a result that is more than a text. What is no text is named, not passed
// on.
type Part struct {
	Kind  string `json:"kind"` // "image", "audio", "resource", "link"
	Type  string `json:"type,omitempty"`
	Name  string `json:"name,omitempty"`
	URI   string `json:"uri,omitempty"`
	Bytes int    `json:"bytes,omitempty"`
	Text  string `json:"text,omitempty"` // of a resource
}

// The limits of a result.
const (
	maxText  = 200_000 // characters
	maxParts = 50
)

// result reads the answer to a call. What the server reports as its own failure is an error.
func result(server string, res *sdk.CallToolResult) (tools.Result, error) {
	r := Result{Server: server}
	var text strings.Builder
	for _, c := range res.Content {
		switch c := c.(type) {
		case *sdk.TextContent:
			text.WriteString(clean.Cut(c.Text, maxText))
			text.WriteByte('\n')
		case *sdk.ImageContent:
			r.Parts = append(r.Parts, Part{Kind: "image", Type: clean.Line(c.MIMEType, 80), Bytes: len(c.Data)})
		case *sdk.AudioContent:
			r.Parts = append(r.Parts, Part{Kind: "audio", Type: clean.Line(c.MIMEType, 80), Bytes: len(c.Data)})
		case *sdk.ResourceLink:
			r.Parts = append(r.Parts, Part{Kind: "link", Type: clean.Line(c.MIMEType, 80), Name: clean.Line(firstOf(c.Title, c.Name), 120), URI: clean.Line(c.URI, 500)})
		case *sdk.EmbeddedResource:
			if c.Resource == nil {
				continue
			}
			r.Parts = append(r.Parts, Part{
				Kind: "resource", Type: clean.Line(c.Resource.MIMEType, 80), URI: clean.Line(c.Resource.URI, 500),
				Bytes: len(c.Resource.Blob), Text: clean.Text(clean.Cut(c.Resource.Text, maxText)),
			})
		}
	}
	r.Text = clean.Text(clean.Cut(strings.TrimSpace(text.String()), maxText))
	if left := len(r.Parts) - maxParts; left > 0 {
		r.Parts = append(r.Parts[:maxParts], Part{Kind: fmt.Sprintf("and %d more", left)})
	}
	if res.IsError {
		return nil, fmt.Errorf("%s", firstOf(clean.Cut(r.Text, 4000), "the server reported an error without saying which"))
	}
	r.Data = data(res.StructuredContent, r.Text)
	if r.Data != nil {
		r.Text = "" // the same once more
	}
	return r, nil
}

// data is the structured content, or that of a text that is a JSON object or list.
func data(structured any, text string) json.RawMessage {
	if structured == nil {
		if text == "" || text[0] != '{' && text[0] != '[' || json.Unmarshal([]byte(text), &structured) != nil {
			return nil
		}
	}
	raw, err := json.Marshal(cleanStrings(structured))
	if err != nil || len(raw) > maxText {
		return nil
	}
	return raw
}

func cleanStrings(v any) any {
	switch v := v.(type) {
	case string:
		return clean.Text(v)
	case []any:
		for i := range v {
			v[i] = cleanStrings(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = cleanStrings(v[k])
		}
	}
	return v
}

// ForModel implements [tools.Result].
func (r Result) ForModel(limit int) string {
	return tools.Fit(limit, len(r.Parts), func(show, text int) any {
		short := r
		short.Parts = slices.Clone(r.Parts[:show])
		for i := range short.Parts {
			short.Parts[i].Text = clean.Cut(short.Parts[i].Text, text)
		}
		short.Text = clean.Cut(r.Text, text)
		if len(r.Data) > text { // cut JSON is no JSON
			short.Data = nil
			short.Text = clean.Cut(firstOf(r.Text, string(r.Data)), text)
		}
		return short
	})
}
