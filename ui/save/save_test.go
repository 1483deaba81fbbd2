package save

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/app/config"
	"bowerbird/ui/screen/screentest"
	"bowerbird/ui/theme"
)

// stage is an open dialog over two folders.
type stage struct {
	*form
	t      *testing.T
	folder string
	other  string
	window fyne.Window
	toasts []string
	before int // files that the test put into folder
}

func setStage(t *testing.T, content func(io.Writer) error) *stage {
	t.Helper()
	a := test.NewTempApp(t)
	th, err := theme.New(theme.Options{Mode: theme.Light, Scale: 1})
	if err != nil {
		t.Fatal(err)
	}
	a.Settings().SetTheme(th)
	st := &stage{t: t, folder: t.TempDir(), other: t.TempDir(), window: test.NewTempWindow(t, nil)}
	st.window.Resize(fyne.NewSize(800, 600))
	s := New(screentest.Synchronous(), func() fyne.Window { return st.window }, func(text string) { st.toasts = append(st.toasts, text) })
	st.form = newForm(s, suggest("What did I miss?.md"), []config.Folder{{Kind: config.Downloads, Path: st.folder}, {Kind: config.Home, Path: st.other}}, content)
	st.form.open()
	return st
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

func (st *stage) isOpen() bool { return st.window.Canvas().Overlays().Top() != nil }

func (st *stage) holds(path, want string) {
	st.t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		st.t.Errorf("%s holds %q (%v), want %q", filepath.Base(path), got, err, want)
	}
}

func (st *stage) files(folder string) int {
	st.t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		st.t.Fatal(err)
	}
	return len(entries)
}

// folderOfItsName puts a folder where the file is to be, and says yes to replacing it.
func (st *stage) folderOfItsName() {
	st.t.Helper()
	path := filepath.Join(st.folder, "What did I miss.md")
	if err := os.Mkdir(path, 0o700); err != nil {
		st.t.Fatal(err)
	}
	st.before, st.replace = 1, path
}

func TestAFileIsSavedByEnterAndItsFolderIsTold(t *testing.T) {
	st := setStage(t, text("hello"))
	if st.window.Canvas().Focused() != fyne.Focusable(st.name) {
		t.Error("the name has not the keyboard")
	}
	st.name.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	st.holds(filepath.Join(st.folder, "What did I miss.md"), "hello")
	if st.isOpen() || len(st.toasts) != 1 || !strings.Contains(st.toasts[0], "in Downloads") {
		t.Errorf("open: %v, told: %q", st.isOpen(), st.toasts)
	}
}

func TestEscapeClosesTheDialogAndNothingIsWritten(t *testing.T) {
	st := setStage(t, text("hello"))
	st.name.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if st.isOpen() || st.files(st.folder) != 0 {
		t.Errorf("open: %v, files: %d", st.isOpen(), st.files(st.folder))
	}
}

func TestAFileThatIsThereIsReplacedOnlyWhenAsked(t *testing.T) {
	st := setStage(t, text("new"))
	path := filepath.Join(st.folder, "What did I miss.md")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	test.Tap(st.save)
	st.holds(path, "old")
	if !st.isOpen() || !st.problem.Visible() {
		t.Fatal("nobody was asked")
	}
	st.name.SetText("Other") // the question was about the first name
	st.name.SetText("What did I miss.md")
	test.Tap(st.save)
	st.holds(path, "old")
	test.Tap(st.save)
	st.holds(path, "new")
	if st.isOpen() {
		t.Error("the dialog is still open")
	}
}

func TestWhatCannotBeWrittenIsToldAndLeavesNothingBehind(t *testing.T) {
	for what, change := range map[string]func(*stage){
		"no name":         func(st *stage) { st.name.SetText("  ") },
		"a folder":        func(st *stage) { st.folderOfItsName() },
		"a path":          func(st *stage) { st.name.SetText("../x.md") },
		"too long":        func(st *stage) { st.name.SetText(strings.Repeat("x", 300)) },
		"a lost folder":   func(st *stage) { st.choose(filepath.Join(st.folder, "gone")) },
		"no folder":       func(st *stage) { st.choose("") },
		"content breaks":  func(st *stage) { st.content = func(io.Writer) error { return errors.New("the end is missing") } },
		"a folder's name": func(st *stage) { st.choose("/dev/null") },
	} {
		t.Run(what, func(t *testing.T) {
			st := setStage(t, text("hello"))
			change(st)
			test.Tap(st.save)
			if !st.isOpen() || !st.problem.Visible() {
				t.Error("nothing was told")
			}
			if n := st.files(st.folder); n != st.before {
				t.Errorf("%d files were left", n)
			}
			st.choose(st.other) // and it can go on
			st.content = text("hello")
			st.name.SetText("fine")
			test.Tap(st.save)
			st.holds(filepath.Join(st.other, "fine.md"), "hello")
		})
	}
}

func TestTheDialogIsDrawnAsItWas(t *testing.T) {
	st := setStage(t, text("hello"))
	st.report("This folder already contains a file called What did I miss.md.", true)
	test.AssertRendersToMarkup(t, "dialog.xml", st.window.Canvas())
}

func TestSuggestedNamesAreTakenByEverySystem(t *testing.T) {
	for title, want := range map[string]string{
		"What did I miss?.md": "What did I miss.md", "../../etc/passwd.md": "etc passwd.md", ".md": "Bowerbird.md",
		"a\u202eb\n c.csv": "ab c.csv", "60 notes: by hour.svg": "60 notes by hour.svg", "Since 0:00.csv": "Since 0.00.csv",
		strings.Repeat("x", 80) + ".csv": strings.Repeat("x", 59) + ".csv",
	} {
		got := suggest(title)
		if got != want {
			t.Errorf("%q is saved as %q, want %q", title, got, want)
		}
		if name, ok := fileName(got, got); !ok || name != got {
			t.Errorf("%q is suggested and refused", got)
		}
	}
}
