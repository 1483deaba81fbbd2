package settings

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/app/mcp/client"
	"bowerbird/app/mcp/setup"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// tryWait is how long a test waits. Some servers fetch themselves at their first start.
const tryWait = 2 * time.Minute

// addServer is where a server is set up: by a command, by an address, or with the settings
// of another program.
type addServer struct {
	p      *toolsPage
	kind   string
	fields *fyne.Container
	name, command, folder, variables,
	address, token, pasted *widgets.Entry
	rows   map[setup.Field]*field
	paste  *field
	about  map[*field]string
	found  *fyne.Container
	test   *widgets.Button
	keep   *widgets.Button
	tested []setup.Entry // what can be kept
}

func newAddServer(p *toolsPage) *addServer {
	entry := func(id, hint string, lines int) *widgets.Entry {
		e := widgets.NewEntry(hint)
		if lines > 1 {
			e = widgets.NewTextEntry(hint, lines)
		}
		e.ID = "settings.server." + id
		return e
	}
	a := &addServer{p: p, kind: "command", fields: layout.Column(0), found: layout.Column(6), rows: map[setup.Field]*field{}, about: map[*field]string{}}
	a.name, a.command, a.folder = entry("name", "files", 1), entry("command", "npx -y @modelcontextprotocol/server-filesystem", 1), entry("folder", "", 1)
	a.variables, a.address, a.token = entry("variables", "API_KEY=…", 5), entry("address", "https://", 1), entry("token", "", 1)
	a.token.Password = true
	a.pasted = entry("json", `{"mcpServers": {…}}`, 10)
	for _, e := range []*widgets.Entry{a.name, a.command, a.folder, a.variables, a.address, a.token, a.pasted} {
		e.OnChanged = func(string) { a.untested() }
	}
	a.test = widgets.Named("settings.server.test", widgets.NewButton(lang.L("Test the connection"), widgets.Outline, a.try))
	a.keep = widgets.Named("settings.server.keep", widgets.NewButton(lang.L("Keep it"), widgets.Primary, a.save))
	a.keep.Disable()
	return a
}

func (a *addServer) row(of setup.Field, name, about string, e *widgets.Entry) fyne.CanvasObject {
	f := newField(name, about, e)
	f.below = e.MultiLine || of == setup.Command || of == setup.Address // which may be long
	a.rows[of], a.about[f] = f, about
	return f
}

func (a *addServer) open() {
	kinds := segments("settings.server.kind", a.kind, []choice{{"command", lang.L("A command")}, {"address", lang.L("An address")}, {"json", lang.L("From another program")}}, func(kind string) {
		a.kind = kind
		a.untested()
		a.draw()
	})
	a.p.sub(lang.L("Add a server"), layout.Row(0, -1, kinds), layout.Gap(12), a.fields, layout.WrapEnd(8, a.test, a.keep), layout.Gap(12), a.found)
	a.draw()
	a.p.s.env.Go.Window().Canvas().Focus(a.name)
}

// draw shows the fields of a kind.
func (a *addServer) draw() {
	name := a.row(setup.Name, lang.L("Name"), lang.L("Small letters, digits and hyphens."), a.name)
	switch a.kind {
	case "command":
		a.fields.Objects = []fyne.CanvasObject{section("", name,
			a.row(setup.Command, lang.L("Command"), lang.L("The program with its arguments. No shell runs it: put what has spaces into quotation marks."), a.command),
			newField(lang.L("Folder"), lang.L("Where it runs. Empty: your home folder."), a.folder),
			a.row(setup.Variable, lang.L("Environment"), lang.L("A line for each variable: NAME=value. It gets nothing else but PATH. Values are kept in the keyring."), a.variables))}
	case "address":
		a.fields.Objects = []fyne.CanvasObject{section("", name,
			a.row(setup.Address, lang.L("Address"), lang.L("Where the server is on the network."), a.address),
			newField(lang.L("Token"), lang.L("If it needs one. It is kept in the keyring and sent to this address only."), a.token))}
	case "json":
		a.paste = newField(lang.L("Settings of the other program"), pasteHint(), a.pasted)
		a.paste.below = true
		a.fields.Objects = []fyne.CanvasObject{section("", a.paste)}
	}
	a.p.s.frame.place()
}

func pasteHint() string {
	return lang.L("Paste the part with \"mcpServers\". Secrets in it are kept in the keyring.")
}

func (a *addServer) untested() {
	a.tested, a.found.Objects = nil, nil
	a.keep.Disable()
}

// entries reads what was typed. Nothing is returned if something is wrong, which is then
// shown beside its field.
func (a *addServer) entries() []setup.Entry {
	if a.kind == "json" {
		all, err := setup.Parse([]byte(a.pasted.Text))
		before := make(map[string]bool)
		for _, e := range all {
			problems := e.Check(func(name string) bool { return before[name] || a.taken(name) })
			before[e.Name] = true
			if err == nil && len(problems) > 0 {
				for of, problem := range problems {
					err = fmt.Errorf("%s (%s): %s", e.Name, of, problemWords(problem))
				}
			}
		}
		if a.paste.say(pasteHint(), theme.Muted); err != nil {
			a.paste.say(pasteWords(err), theme.Bad)
			all = nil
		}
		a.p.s.frame.place()
		return all
	}
	e := setup.Entry{Name: strings.TrimSpace(a.name.Text)}
	if a.kind == "address" {
		e.Server.URL = strings.TrimSpace(a.address.Text)
		if token := strings.TrimSpace(a.token.Text); token != "" {
			e.Server.Token, e.Secrets = true, map[string]string{setup.Token: token}
		}
	} else {
		if words := setup.Words(a.command.Text); len(words) > 0 {
			e.Server.Command, e.Server.Args = words[0], words[1:]
		}
		e.Server.Folder = strings.TrimSpace(a.folder.Text)
		e.Variables(a.variables.Text)
	}
	problems := e.Check(a.taken)
	for of, f := range a.rows {
		if problem := problems[of]; problem != setup.None {
			f.say(problemWords(problem), theme.Bad)
		} else {
			f.say(a.about[f], theme.Muted)
		}
	}
	a.p.s.frame.place()
	if len(problems) > 0 {
		return nil
	}
	return []setup.Entry{e}
}

func (a *addServer) taken(name string) bool {
	_, there := a.p.s.host.Settings().MCP[name]
	return there
}

// try connects to what was typed and shows the tools.
func (a *addServer) try() {
	a.untested()
	entries := a.entries()
	if len(entries) == 0 {
		return
	}
	a.test.Disable()
	a.say(lang.L("Connecting… A server that fetches itself first takes a minute."), theme.Muted)
	s := a.p.s
	s.work(func(ctx context.Context) func() {
		ctx, cancel := context.WithTimeout(ctx, tryWait)
		defer cancel()
		var states []client.Status
		for _, e := range entries {
			states = append(states, s.env.App.TryServer(ctx, e))
		}
		return func() {
			a.test.Enable()
			a.show(entries, states)
		}
	})
}

func (a *addServer) say(text string, color fyne.ThemeColorName) {
	line := prose.Plain(text, theme.Small, color)
	line.ID = "settings.server.found"
	a.found.Objects = []fyne.CanvasObject{line}
	a.p.s.frame.place()
}

func (a *addServer) show(entries []setup.Entry, states []client.Status) {
	a.found.Objects = nil
	for i, st := range states {
		if st.State != client.Ready {
			reason := st.Error
			if reason == "" {
				reason = lang.L("it did not answer within two minutes")
			}
			a.found.Add(prose.Plain(lang.L("{{.Server}} did not start: {{.Reason}}", with("Server", st.Server, "Reason", present.Isolate(reason))), theme.Small, theme.Bad))
			continue
		}
		a.tested = append(a.tested, entries[i])
		names := make([]string, 0, len(st.Tools))
		for _, t := range st.Tools {
			names = append(names, t.Name)
		}
		a.found.Add(prose.Plain(lang.N("{{.Server}}: {{.Count}} tools were found.", len(st.Tools), with("Server", st.Server, "Count", len(st.Tools))), theme.Body, theme.OK))
		a.found.Add(note(present.Isolate(strings.Join(names, ", "))))
		if st.Instructions != "" {
			a.found.Add(note(lang.L("The server would like a model to read this. No model does.")))
			a.found.Add(mono("settings.instructions", st.Instructions))
		}
	}
	if len(a.tested) > 0 {
		a.keep.Enable()
	}
	if len(a.tested) > 0 && len(a.tested) < len(states) {
		a.found.Add(note(lang.L("Only the servers that started are kept.")))
	}
	a.p.s.frame.place()
}

// save keeps what was tested.
func (a *addServer) save() {
	s, entries := a.p.s, a.tested
	a.keep.Disable()
	s.work(func(ctx context.Context) func() {
		var err error
		for _, e := range entries {
			if err = app.AddServer(ctx, s.env.App, s.env.App.Models(), e); err != nil {
				break
			}
		}
		file, _ := s.env.App.Models().KeyFile()
		return func() {
			switch {
			case errors.Is(err, app.ErrKeyInMemory):
				a.keep.Enable()
				offer := present.CreateKeyFile
				if file == config.KeyFileLocked {
					offer = present.UnlockKeyFile
				}
				s.keyFile(offer, a.save)
			case err != nil:
				a.say(lang.L("This could not be saved: {{.Reason}}", with("Reason", err.Error())), theme.Bad)
			default:
				a.p.back()
			}
		}
	})
}

func problemWords(p setup.Problem) string {
	switch p {
	case setup.Missing:
		return lang.L("Fill this in.")
	case setup.Taken:
		return lang.L("There is already a server of this name.")
	case setup.NotAName:
		return lang.L("Up to 32 small letters, digits and hyphens.")
	case setup.NotAnURL:
		return lang.L("An address begins with https:// or http://.")
	case setup.HasPassword:
		return lang.L("Leave the user name and password out of the address; enter a token below.")
	}
	return lang.L("Each line is NAME=value; a name has letters, digits and _ only.")
}

// pasteWords says why the settings of another program cannot be taken over.
func pasteWords(err error) string {
	if at, ok := errors.AsType[*setup.LineError](err); ok {
		if at.Kind {
			return lang.L("Line {{.Line}} has a value of the wrong kind.", with("Line", at.Line))
		}
		return lang.L("Line {{.Line}} is not valid. Is a comma or a quotation mark missing there, or is there one too many?", with("Line", at.Line))
	}
	if header, ok := errors.AsType[*setup.HeaderError](err); ok {
		return lang.L("{{.Server}} needs the header {{.Header}}. Only \"Authorization: Bearer …\" can be sent.", with("Server", header.Server, "Header", header.Header))
	}
	switch {
	case errors.Is(err, setup.ErrNoJSON):
		return lang.L("This is not the whole JSON of a settings file.")
	case errors.Is(err, setup.ErrNoServers):
		return lang.L("It has no \"mcpServers\".")
	}
	return err.Error()
}
