package settings

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/app/mcp/client"
	"bowerbird/ndb/clean"
	answered "bowerbird/ui/answers"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// toolsPage is the page of the tools: our own, those of MCP servers, and what each may do.
type toolsPage struct {
	still
	s       *Screen
	box     *fyne.Container // the page, or what was opened on it
	body    fyne.CanvasObject
	builtin *fyne.Container
	servers *fyne.Container
	served  *fyne.Container
	all     map[string]bool // the servers of which all tools are shown
	above   float32         // how far the page was scrolled when something was opened on it
	asking  int             // numbers the reads of the state: only the newest counts
}

// The most tools of a server that are shown at first, how often a server that starts is looked
// at, and the space above and below a row.
const (
	mostTools = 8
	lookEvery = 500 * time.Millisecond
	rowSpace  = 8
)

func newTools(s *Screen) page {
	p := &toolsPage{s: s, all: map[string]bool{}, builtin: layout.Column(0), servers: layout.Column(0), served: layout.Column(0)}
	add := widgets.Named("settings.add-server", widgets.NewButton(lang.L("Add"), widgets.Outline, func() { newAddServer(p).open() }))
	meaning := func(name, text string) fyne.CanvasObject {
		return layout.Fixed(230, layout.Column(2, prose.New(prose.Span{Text: name, Bold: true, Size: theme.Small}), note(text)))
	}
	p.body = layout.Column(0,
		sheet(lang.L("Tools and permissions"),
			layout.TopWrap(18,
				meaning(lang.L("Ask each time"), lang.L("You see what will happen, and say yes.")),
				meaning(lang.L("Free while only my words"), lang.L("No question until a chat has read what others wrote.")),
				meaning(lang.L("Always free"), lang.L("Never asks. A note that you read can make the model call this with anything it has seen.")),
			),
			layout.Gap(12),
			widgets.Named("settings.tools.why", widgets.NewLink(lang.L("What the model is sent, and why"), p.why)),
			layout.Gap(18)),
		p.builtin,
		layout.Parted(12,
			layout.Column(2, prose.New(prose.Span{Text: lang.L("Added by you"), Size: theme.Heading, Bold: true}), note(lang.L("Programs that bring tools of their own (MCP). Only language models use them."))),
			add),
		layout.Gap(9), p.servers, p.served,
	)
	p.box = layout.Column(0, p.body)
	p.still = still{p.box, add}
	return p
}

func (p *toolsPage) load() {
	if p.box.Objects[0] != p.body {
		return
	}
	p.showOwn()
	p.asking++
	mine := p.asking
	p.s.work(func(ctx context.Context) func() {
		states := p.s.env.App.MCP().Status(ctx)
		return func() {
			if mine == p.asking {
				p.show(states)
				p.watch(mine, states)
			}
		}
	})
}

// watch reads the state again while a server is about to change it.
func (p *toolsPage) watch(mine int, states []client.Status) {
	moving := slices.ContainsFunc(states, func(st client.Status) bool { return st.State == client.Starting || st.State == client.Waiting })
	if !moving || !p.s.shown || p.s.open != Tools {
		return
	}
	p.s.work(func(ctx context.Context) func() {
		select {
		case <-time.After(lookEvery):
		case <-ctx.Done():
		}
		return func() {
			if mine == p.asking && p.s.shown && p.s.open == Tools {
				p.load()
			}
		}
	})
}

// leave closes what was opened on the page.
func (p *toolsPage) leave() { p.box.Objects = []fyne.CanvasObject{p.body} }

// sub shows something in place of the page, with a way back.
func (p *toolsPage) sub(title string, parts ...fyne.CanvasObject) {
	back := widgets.Named("settings.back", widgets.NewLink(lang.L("Back"), p.back))
	if p.box.Objects[0] == p.body {
		p.above = p.s.frame.scroll.Offset()
	}
	p.box.Objects = []fyne.CanvasObject{layout.Column(8, layout.Row(0, -1, back), sheet(title, parts...))}
	p.s.frame.scroll.ScrollTo(0)
	p.s.frame.place()
}

func (p *toolsPage) back() {
	p.leave()
	p.load()
	p.s.frame.place()
	p.s.frame.scroll.ScrollTo(p.above)
}

// locked is a permission that cannot be changed.
func locked(text string) fyne.CanvasObject {
	return layout.Row(6, -1, widgets.NewLabel(text, theme.Small, theme.Muted), widgets.NewIcon("lock", 14, theme.Muted))
}

// ownRow is what our own tools of a kind do, with what they may do.
func ownRow(icon, name, about string) fyne.CanvasObject {
	tile := widgets.NewFrame(theme.Chip, "", theme.RadiusButton, layout.Pad(layout.All(8), widgets.NewIcon(icon, 16, theme.Muted)))
	return layout.Row(12, 1, tile, newField(name, about, locked(lang.L("Always free"))))
}

// showOwn shows our own tools, and which of them other programs may use.
func (p *toolsPage) showOwn() {
	read, show := 0, 0
	var rows []fyne.CanvasObject
	for _, t := range p.s.env.App.Tools().All() {
		spec := t.Spec()
		if spec.Rich || spec.Ordered {
			show++
			continue
		}
		read++
		words := answered.Doing(spec.Name)
		rows = append(rows, newField(lang.L(words.Text, words.Data), spec.Name, onOff("settings.serve:"+spec.Name, !slices.Contains(p.s.host.Settings().Tools.Unserved, spec.Name), func(on bool) {
			p.s.host.Change(func(s *config.Settings) { s.Tools.Unserved = config.With(s.Tools.Unserved, spec.Name, !on) })
		})))
	}
	number := p.s.env.Words.Number
	p.builtin.Objects = []fyne.CanvasObject{sectionOf(rowSpace, lang.L("Built in"),
		ownRow("search", lang.L("Read notes, threads and people"), lang.L("{{.N}} tools. They read only what is stored on this computer.", with("N", number(read)))),
		ownRow("table", lang.L("Show tables, charts and sources"), lang.L("{{.N}} tools. Nothing leaves this computer.", with("N", number(show)))),
	)}
	about := note(lang.L("Other programs can read your notes through \"bowerbird mcp\", with the tools that are on here. They never get private messages, drafts, keys or chats."))
	p.served.Objects = []fyne.CanvasObject{sectionOf(rowSpace, lang.L("For other programs"), append([]fyne.CanvasObject{about}, rows...)...)}
}

// show draws the servers.
func (p *toolsPage) show(states []client.Status) {
	p.servers.Objects = nil
	byName := make(map[string]client.Status)
	for _, st := range states {
		byName[st.Server] = st
	}
	servers := p.s.host.Settings().MCP
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		p.servers.Add(p.card(name, servers[name], byName[name]))
	}
	if len(servers) == 0 {
		p.servers.Add(section("", note(lang.L("None yet."))))
	}
	p.s.frame.place()
}

// card draws a server with its tools.
func (p *toolsPage) card(name string, m config.MCPServer, st client.Status) fyne.CanvasObject {
	dot, state, why := p.state(m, st)
	head := layout.Column(1, prose.New(prose.Span{Text: name, Bold: true}, prose.Span{Text: "  " + state, Size: theme.Small, Color: theme.Muted}))
	if why != "" {
		head.Add(note(why))
	}
	do, label := func() { p.turn(name, false) }, lang.L("Stop")
	switch {
	case m.Off:
		do, label = func() { p.turn(name, true) }, lang.L("Start")
	case st.State == client.Failed:
		do, label = func() { p.restart(name) }, lang.L("Start again")
	}
	button := widgets.Named("settings.server.do:"+name, widgets.NewButton(label, widgets.Outline, do))
	var more *widgets.IconButton
	more = widgets.Named("settings.server.more:"+name, widgets.NewIconButton("more", lang.L("More"), func() {
		items := []widgets.MenuItem{{Text: lang.L("Log"), Do: func() { p.log(st) }}}
		if st.Instructions != "" {
			items = append(items, widgets.MenuItem{Text: lang.L("Instructions"), Do: func() { p.instructions(st) }})
		}
		widgets.ShowMenu(more, append(items, widgets.MenuItem{Rule: true}, widgets.MenuItem{Text: lang.L("Remove"), Do: func() { p.askRemove(name) }})...)
	}))
	rows := []fyne.CanvasObject{layout.Row(10, 1, widgets.NewDot(dot), head, button, more)}
	if m.Off {
		return sectionOf(rowSpace, "", rows...)
	}
	shown := slices.Clone(st.Tools)
	slices.SortStableFunc(shown, func(a, b client.ToolStatus) int {
		switch { // what is to be looked at comes first
		case a.Changed == b.Changed:
			return 0
		case a.Changed:
			return -1
		}
		return 1
	})
	if len(shown) > mostTools && !p.all[name] {
		shown = shown[:mostTools]
	}
	for _, t := range shown {
		rows = append(rows, p.tool(name, m, t))
	}
	if len(shown) < len(st.Tools) {
		rows = append(rows, widgets.Named("settings.server.all:"+name, widgets.NewLink(lang.L("Show all {{.N}} tools", with("N", p.s.env.Words.Number(len(st.Tools)))), func() {
			p.all[name] = true
			p.load()
		})))
	}
	return sectionOf(rowSpace, "", rows...)
}

// state returns the colour of a server's dot, how it is in words, and why if it is not ready.
func (p *toolsPage) state(m config.MCPServer, st client.Status) (dot fyne.ThemeColorName, state, why string) {
	why = lang.L("Its tools are not offered: {{.Reason}}", with("Reason", present.Isolate(st.Error)))
	switch {
	case m.Off:
		return theme.Faint, lang.L("is off"), ""
	case st.State == client.Failed:
		return theme.Bad, lang.L("did not start"), why
	case st.State == client.Waiting:
		return theme.Warn, lang.L("stopped, and will start again by itself"), why
	case st.State != client.Ready:
		return theme.Warn, lang.L("is starting…"), ""
	}
	on := 0
	for _, t := range st.Tools {
		if !t.Changed && t.Refused == "" && !p.off(t) {
			on++
		}
	}
	where := lang.L("runs on this computer")
	if m.URL != "" {
		where = lang.L("on the network")
	}
	return theme.OK, lang.L("{{.Where}} · {{.On}} of {{.All}} tools on", with("Where", where, "On", p.s.env.Words.Number(on), "All", p.s.env.Words.Number(len(st.Tools)))), ""
}

func (p *toolsPage) off(t client.ToolStatus) bool {
	return slices.Contains(p.s.host.Settings().Tools.Off, t.As)
}

// tool draws a tool: whether it is on, what it is, and what it may do.
func (p *toolsPage) tool(server string, m config.MCPServer, t client.ToolStatus) fyne.CanvasObject {
	id := server + "/" + t.Name
	about, _, _ := strings.Cut(t.Description, "\n")
	about = present.Isolate(clean.Cut(about, 160))
	title, more := t.Name, ""
	if t.Title != "" && t.Title != t.Name {
		title, more = t.Title, "  "+present.Isolate(t.Name)
	}
	if t.Reads {
		more += " · " + lang.L("says that it only reads")
	}
	color := theme.Muted
	control := fyne.CanvasObject(layout.Gap(0))
	switch {
	case t.Changed:
		color = theme.Warn
		about = lang.L("Changed since you allowed it. Off until you have looked.")
		if at := p.s.env.App.MCPMemory().Of(server)[t.Name].At; !at.IsZero() {
			about = lang.L("Changed since you allowed it ({{.Day}}). Off until you have looked.", with("Day", p.s.env.Words.Day(at, p.s.env.App.Now())))
		}
		control = widgets.Named("settings.tool.changed:"+id, widgets.NewButton(lang.L("See what changed"), widgets.Outline, func() { p.changed(server, t) }))
	case t.Refused != "":
		about = lang.L("It cannot be used: {{.Reason}}", with("Reason", present.Isolate(t.Refused)))
	default:
		control = p.permission(server, m, t)
	}
	words := layout.Column(1, prose.New(prose.Span{Text: present.Isolate(title), Bold: true}, prose.Span{Text: more, Size: theme.Small, Color: theme.Muted}), prose.Plain(about, theme.Small, color))
	on := onOff("settings.tool:"+id, !t.Changed && t.Refused == "" && !p.off(t), func(on bool) {
		p.s.host.Change(func(s *config.Settings) { s.Tools.Off = config.With(s.Tools.Off, t.As, !on) })
		p.s.host.AfterSave(p.load)
	})
	if t.Changed || t.Refused != "" {
		on.Disable()
	}
	row := fyne.CanvasObject(layout.Row(10, 1, on, words, control))
	if t.Changed {
		row = widgets.NewFrame(theme.WarnSoft, "", 10, layout.Pad(layout.Sides(8, 8), row))
	}
	return row
}

// permission is the menu of what a tool may do. Only what declares that it reads can be free.
func (p *toolsPage) permission(server string, m config.MCPServer, t client.ToolStatus) fyne.CanvasObject {
	choices := []choice{{config.AllowAsk, lang.L("Ask each time")}, {config.AllowClean, lang.L("Free while only my words")}}
	if t.Reads {
		choices = append(choices, choice{config.AllowFree, lang.L("Always free")})
	}
	now := func() string {
		if allow := p.s.host.Settings().MCP[server].Tools[t.Name].Allow; hasValue(choices, allow) {
			return allow
		}
		return config.AllowAsk
	}
	return menu("settings.allow:"+server+"/"+t.Name, choices, now, func(allow string) {
		p.s.host.Change(func(s *config.Settings) { app.AllowTool(s, server, t, allow) })
	})
}

// turn starts and stops a server.
func (p *toolsPage) turn(name string, on bool) {
	p.s.host.Change(func(s *config.Settings) {
		if m, there := s.MCP[name]; there {
			m.Off = !on
			s.MCP[name] = m
		}
	})
	p.s.host.AfterSave(p.load)
}

func (p *toolsPage) restart(name string) {
	p.s.work(func(context.Context) func() {
		p.s.env.App.MCP().Restart(name)
		return p.load
	})
}
