// Package save asks under which name and in which folder a file is to lie, and
// writes it there.
//
// It promises that nothing is replaced without being asked, that what cannot be
// written is told in the dialog, which then stays with all that was typed, and that
// a file is there as a whole or not at all. What is in the file is its caller's.
package save

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	fynedialog "fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/config"
	"bowerbird/ui/dispatch"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// Saver asks for places. It remembers the folder that was chosen last. Its methods
// are called on the window's thread.
type Saver struct {
	do      dispatch.Dispatcher
	window  func() fyne.Window
	toast   func(text string)
	folders func() []config.Folder // reads the disk

	last string // the folder that was saved to last; "" at first
}

// New returns a Saver with dialogs over a window; toast tells what was saved.
func New(do dispatch.Dispatcher, window func() fyne.Window, toast func(text string)) *Saver {
	return &Saver{do: do, window: window, toast: toast, folders: config.Folders}
}

// Ask opens the dialog for a file with a name to begin with, which may hold
// anything and has the ending that the file is to have (".csv"). content writes the
// file, off the window's thread, each time that saving is tried.
func (s *Saver) Ask(name string, content func(io.Writer) error) {
	s.do.Go(func() func() {
		folders := s.folders()
		return func() { newForm(s, suggest(name), folders, content).open() }
	})
}

// form is the open dialog.
type form struct {
	*Saver
	suggested string
	content   func(io.Writer) error
	folders   []config.Folder

	folder  string
	replace string // the path that the user was asked about and may replace now

	body  *fyne.Container
	name  *widgets.Entry
	place *widgets.Picker
	said  *prose.Text
	save  *widgets.Button
	close func()
}

func newForm(s *Saver, suggested string, folders []config.Folder, content func(io.Writer) error) *form {
	f := &form{Saver: s, suggested: suggested, content: content, folders: folders, folder: s.last}
	if f.folder == "" && len(folders) > 0 {
		f.folder = folders[0].Path
	}
	f.name = widgets.NewEntry("")
	f.name.ID = "save.name"
	f.name.SetText(suggested)
	f.name.CursorColumn = utf8.RuneCountInString(strings.TrimSuffix(suggested, filepath.Ext(suggested)))
	f.name.OnChanged = func(string) { f.tell("", false) }
	f.name.OnSubmitted = func(string) { f.submit() }
	f.place = widgets.NewPicker(f.folderName(f.folder), f.choosePlace)
	f.place.ID = "save.folder"
	f.said = prose.Plain("", theme.Small, theme.Warn)
	f.said.Hide()
	f.save = widgets.NewButton(lang.L("Save"), widgets.Primary, f.submit)
	f.save.ID = "save.save"
	return f
}

func (f *form) open() {
	cancel := widgets.NewButton(lang.L("Cancel"), widgets.Quiet, func() { f.close() })
	cancel.ID = "save.cancel"
	title := prose.New(prose.Span{Text: lang.L("Save"), Size: theme.Title, Bold: true})
	label := func(text string) fyne.CanvasObject { return prose.Plain(text, theme.Small, theme.Muted) }
	f.body = layout.Column(12,
		title,
		layout.Column(4, label(lang.L("Name")), f.name),
		layout.Column(4, label(lang.L("Folder")), layout.Wrap(8, f.place)),
		f.said,
		layout.WrapEnd(8, cancel, f.save),
	)
	f.close = widgets.ShowDialog(f.window(), f.body)
	f.window().Canvas().Focus(f.name)
}

// tell says what is in the way; with mayReplace the button replaces.
func (f *form) tell(text string, mayReplace bool) {
	f.said.SetSpans(prose.Span{Text: text, Size: theme.Small, Color: theme.Warn})
	if text == "" {
		f.said.Hide()
	} else {
		f.said.Show()
	}
	if mayReplace {
		f.save.SetText(lang.L("Replace"))
	} else {
		f.replace = ""
		f.save.SetText(lang.L("Save"))
	}
	if f.body != nil {
		f.body.Refresh()
	}
}

func (f *form) submit() {
	if f.folder == "" {
		f.tell(lang.L("Choose a folder first."), false)
		return
	}
	name, ok := fileName(f.name.Text, f.suggested)
	if !ok {
		f.tell(lang.L("This is not a valid file name. Letters, digits, spaces and - always work."), false)
		return
	}
	path := filepath.Join(f.folder, name)
	replace := f.replace == path
	f.save.Disable()
	f.do.Go(func() func() {
		err := write(path, replace, f.content)
		return func() { f.written(path, err) }
	})
}

// written goes on after a try.
func (f *form) written(path string, err error) {
	f.save.Enable()
	name := present.Isolate(filepath.Base(path))
	switch {
	case err == nil:
		f.last = f.folder
		f.close()
		f.toast(lang.L("Saved as {{.Name}} in {{.Folder}}", map[string]any{"Name": name, "Folder": f.folderName(f.folder)}))
	case errors.Is(err, errExists):
		f.replace = path
		f.tell(lang.L("This folder already contains a file called {{.Name}}.", map[string]any{"Name": name}), true)
	case errors.Is(err, fs.ErrPermission):
		f.tell(lang.L("You do not have permission to write to this folder. Choose another one."), false)
	case errors.Is(err, syscall.ENOSPC):
		f.tell(lang.L("The disk is full. Free some space, or choose another folder."), false)
	case errors.Is(err, fs.ErrNotExist):
		f.tell(lang.L("The folder no longer exists. Choose another one."), false)
	default:
		f.tell(lang.L("This could not be saved: {{.Error}}", map[string]any{"Error": present.Isolate(err.Error())}), false)
	}
}

// choosePlace offers the folders, and all others behind the last line.
func (f *form) choosePlace() {
	var items []widgets.MenuItem
	for _, folder := range f.folders {
		items = append(items, widgets.MenuItem{
			Text: kindName(folder.Kind), Checked: folder.Path == f.folder, Do: func() { f.choose(folder.Path) },
		})
	}
	if len(items) > 0 {
		items = append(items, widgets.MenuItem{Rule: true})
	}
	items = append(items, widgets.MenuItem{Text: lang.L("Another folder …"), Do: func() {
		fynedialog.ShowFolderOpen(func(chosen fyne.ListableURI, err error) {
			if err == nil && chosen != nil {
				f.choose(chosen.Path())
			}
		}, f.window())
	}})
	widgets.ShowMenu(f.place, items...)
}

func (f *form) choose(folder string) {
	f.folder = folder
	f.place.SetText(f.folderName(folder))
	f.tell("", false)
}

// folderName is what a folder is called on the screen.
func (f *form) folderName(path string) string {
	for _, folder := range f.folders {
		if folder.Path == path {
			return kindName(folder.Kind)
		}
	}
	if path == "" {
		return lang.L("Choose a folder")
	}
	return present.Isolate(filepath.Base(path))
}

func kindName(kind config.FolderKind) string {
	switch kind {
	case config.Downloads:
		return lang.L("Downloads")
	case config.Documents:
		return lang.L("Documents")
	case config.Images:
		return lang.L("Pictures")
	case config.Desktop:
		return lang.L("Desktop")
	}
	return lang.L("Home folder")
}
