// Package save asks for the name and the folder of a file and writes it.
//
// No file is replaced unless the user agrees, and a file is written as a whole or not at all.
// An error appears in the dialog, which stays open with everything that was typed.
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

// Saver asks where to save files and remembers the folder chosen last. Its methods are
// called on the window's thread.
type Saver struct {
	do      dispatch.Dispatcher
	window  func() fyne.Window
	toast   func(text string)
	folders func() []config.Folder // reads the disk

	last string // the folder saved to last; "" at first
}

// New returns a Saver with dialogs over a window; toast shows where a file was saved.
func New(do dispatch.Dispatcher, window func() fyne.Window, toast func(text string)) *Saver {
	return &Saver{do: do, window: window, toast: toast, folders: config.Folders}
}

// Ask opens the dialog for a file. name is suggested; it may contain anything and ends with
// the extension of the file (".csv"). content writes the file; it is called off the
// window's thread, each time the user tries to save.
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
	replace string // the existing file that the user was asked about, if any

	body    *fyne.Container
	name    *widgets.Entry
	place   *widgets.Picker
	problem *prose.Text
	save    *widgets.Button
	close   func()
}

func newForm(s *Saver, suggested string, folders []config.Folder, content func(io.Writer) error) *form {
	f := &form{Saver: s, suggested: suggested, content: content, folders: folders, folder: s.last}
	if f.folder == "" && len(folders) > 0 {
		f.folder = folders[0].Path
	}
	f.name = widgets.Named("save.name", widgets.NewEntry(""))
	f.name.SetText(suggested)
	f.name.CursorColumn = utf8.RuneCountInString(strings.TrimSuffix(suggested, filepath.Ext(suggested)))
	f.name.OnChanged = func(string) { f.report("", false) }
	f.name.OnSubmitted = func(string) { f.submit() }
	f.place = widgets.Named("save.folder", widgets.NewPicker(f.folderName(f.folder), f.choosePlace))
	f.problem = prose.Plain("", theme.Small, theme.Warn)
	f.problem.Hide()
	f.save = widgets.Named("save.save", widgets.NewButton(lang.L("Save"), widgets.Primary, f.submit))
	return f
}

func (f *form) open() {
	cancel := widgets.Named("save.cancel", widgets.NewButton(lang.L("Cancel"), widgets.Outline, func() { f.close() }))
	title := prose.New(prose.Span{Text: lang.L("Save"), Size: theme.Title, Bold: true})
	label := func(text string) fyne.CanvasObject { return prose.Plain(text, theme.Small, theme.Muted) }
	f.body = layout.Column(12,
		title,
		layout.Column(4, label(lang.L("Name")), f.name),
		layout.Column(4, label(lang.L("Folder")), layout.Wrap(8, f.place)),
		f.problem,
		layout.WrapEnd(8, cancel, f.save),
	)
	f.close = widgets.ShowDialog(f.window(), f.body)
	f.window().Canvas().Focus(f.name)
}

// report shows what prevents saving; with mayReplace the button offers to replace the file.
func (f *form) report(text string, mayReplace bool) {
	f.problem.SetSpans(prose.Span{Text: text, Size: theme.Small, Color: theme.Warn})
	if text == "" {
		f.problem.Hide()
	} else {
		f.problem.Show()
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
		f.report(lang.L("Choose a folder first."), false)
		return
	}
	name, ok := fileName(f.name.Text, f.suggested)
	if !ok {
		f.report(lang.L("This is not a valid file name. Letters, digits, spaces and - always work."), false)
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

// written handles the result of an attempt.
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
		f.report(lang.L("This folder already contains a file called {{.Name}}.", map[string]any{"Name": name}), true)
	case errors.Is(err, fs.ErrPermission):
		f.report(lang.L("You do not have permission to write to this folder. Choose another one."), false)
	case errors.Is(err, syscall.ENOSPC):
		f.report(lang.L("The disk is full. Free some space, or choose another folder."), false)
	case errors.Is(err, fs.ErrNotExist):
		f.report(lang.L("The folder no longer exists. Choose another one."), false)
	default:
		f.report(lang.L("This could not be saved: {{.Error}}", map[string]any{"Error": present.Isolate(err.Error())}), false)
	}
}

// choosePlace offers the usual folders, and a dialog for all others.
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
	f.report("", false)
}

// folderName returns the name of a folder for the user.
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
