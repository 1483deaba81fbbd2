package widgets_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

func TestRowsStandOneBelowTheOtherWhateverHappens(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := newWorld(t, widgets.VirtualOptions{Estimate: 60})
			rnd := rand.New(rand.NewPCG(seed, 1))
			fresh := 0
			ids := names(rnd.IntN(120), "first")
			w.list.SetIDs(ids)
			w.check("filled")
			for n := range 250 {
				before := w.inSight()
				step := fmt.Sprintf("step %d", n)
				switch rnd.IntN(11) {
				case 0, 1: // rows come, in one place
					at, many := rnd.IntN(len(ids)+1), rnd.IntN(9)
					fresh++
					ids = slices.Insert(slices.Clone(ids), at, names(many, fmt.Sprintf("n%d.", fresh))...)
					w.list.SetIDs(ids)
					w.unmoved(step+", insert", before)
				case 2: // rows go, in one place
					if len(ids) > 0 {
						from := rnd.IntN(len(ids))
						to := min(len(ids), from+rnd.IntN(12))
						ids = slices.Delete(slices.Clone(ids), from, to)
						w.list.SetIDs(ids)
						w.unmoved(step+", delete", before)
					}
				case 3: // rows go here and there, others change places
					ids = slices.DeleteFunc(slices.Clone(ids), func(string) bool { return rnd.IntN(8) == 0 })
					if len(ids) > 3 {
						i, j := rnd.IntN(len(ids)), rnd.IntN(len(ids))
						ids[i], ids[j] = ids[j], ids[i]
					}
					w.list.SetIDs(ids)
				case 4: // a row becomes higher or lower
					if len(ids) > 0 {
						i := rnd.IntN(len(ids))
						w.grown[ids[i]] = float32(rnd.IntN(200))
						w.list.RefreshRow(ids[i])
						if len(before) > 1 && ids[i] != before[0].id {
							w.unmoved(step+", height", before[:1])
						}
					}
				case 5:
					w.list.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, float32(rnd.IntN(1600)-800))})
				case 6:
					if len(ids) > 0 {
						w.list.ScrollTo(ids[rnd.IntN(len(ids))])
					}
				case 7:
					[]func(){w.list.ScrollToTop, w.list.ScrollToEnd, w.list.RefreshAll}[rnd.IntN(3)]()
				case 8:
					fresh++
					more := names(rnd.IntN(5), fmt.Sprintf("m%d.", fresh))
					ids = append(slices.Clone(ids), more...)
					w.list.Append(append(more, ids[:min(2, len(ids))]...)...)
					w.unmoved(step+", append", before)
				case 9:
					if len(ids) > 0 {
						i := rnd.IntN(len(ids))
						w.list.Reveal(ids[i])
						w.revealed(step, ids[i])
					}
				case 10:
					w.window.Resize(fyne.NewSize(float32(200+rnd.IntN(300)), float32(200+rnd.IntN(300))))
				}
				w.check(step)
			}
		})
	}
}

func TestTheFirstRowStaysWhereItIsAlsoAtTheBeginning(t *testing.T) {
	w := newWorld(t, widgets.VirtualOptions{})
	old := names(50, "old")
	w.list.SetIDs(old)
	before := w.inSight()
	w.list.SetIDs(append(names(12, "new"), old...))
	if now := w.inSight(); now[0] != before[0] {
		t.Errorf("%v was first, now it is %v", before[0], now[0])
	}
	w.list.ScrollToTop()
	if now := w.inSight(); now[0].id != "new0" || now[0].y != 0 {
		t.Errorf("at the top stands %v", now[0])
	}
}

func TestOnlyRowsAroundWhatIsSeenAreMade(t *testing.T) {
	w := newWorld(t, widgets.VirtualOptions{})
	w.list.SetIDs(names(100_000, "r"))
	for range 200 {
		w.list.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -150)})
	}
	w.check("scrolled")
	if w.made > 120 {
		t.Errorf("%d rows were made", w.made)
	}
	w.list.ScrollTo("r99990")
	w.check("far")
	w.bound = 0
	w.list.SetIDs(append(names(100_000, "r"), "last"))
	if w.bound > 40 {
		t.Errorf("%d rows were filled for one that came", w.bound)
	}
}

func TestIDsThatComeTwiceAreShownOnce(t *testing.T) {
	w := newWorld(t, widgets.VirtualOptions{})
	w.list.SetIDs([]string{"a", "b", "a", "c", "c"})
	if got := w.list.IDs(); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("shown are %v", got)
	}
	w.list.SetIDs([]string{"a", "b", "c", "b", "d"})
	if got := w.list.IDs(); !slices.Equal(got, []string{"a", "b", "c", "d"}) {
		t.Errorf("shown are %v", got)
	}
	w.check("twice")
}

func TestMoreRowsAreAskedForNearTheEnd(t *testing.T) {
	var w *world
	ids := names(2, "a")
	asked := 0
	w = newWorld(t, widgets.VirtualOptions{NearEnd: func() {
		if asked++; asked <= 10 { // the answer comes at once
			ids = append(ids, names(5, fmt.Sprintf("p%d.", asked))...)
			w.list.SetIDs(ids)
		}
	}})
	w.list.SetIDs(ids)
	w.check("filled")
	if asked == 0 || len(w.list.IDs()) == 2 {
		t.Errorf("asked %d times, %d rows", asked, len(w.list.IDs()))
	}
	had := asked
	w.list.ScrollToEnd()
	if asked == had {
		t.Error("at the end nothing was asked for")
	}
}

func TestRowsThatChangeOthersWhileTheyAreFilledComeToRest(t *testing.T) {
	useTheme(t, theme.Options{})
	var list *widgets.VirtualList
	again := 0
	list = widgets.NewVirtualList(widgets.VirtualOptions{
		Make: func(string) fyne.CanvasObject { return widget.NewLabel("") },
		Bind: func(id string, o fyne.CanvasObject) {
			o.(*widget.Label).SetText(id)
			if again++; again < 100 {
				list.RefreshRow("a")
				list.SetIDs([]string{"a", "b", "c"})
			}
		},
	})
	list.SetIDs([]string{"a", "b"})
	show(t, list, 300, 400)
	if got := list.IDs(); len(got) != 3 {
		t.Errorf("shown are %v", got)
	}
}

func TestTheKeyboardWalksTheRows(t *testing.T) {
	w := newWorld(t, widgets.VirtualOptions{})
	w.list.SetIDs(names(60, "r"))
	w.window.Canvas().Focus(w.list)
	if got := w.list.Current(); got != "r0" {
		t.Errorf("it begins at %q", got)
	}
	moves := 0
	w.list.OnMoved = func() { moves++ }
	for range 20 {
		press(w.window, fyne.KeyDown)
		w.check("down")
		if !slices.ContainsFunc(w.inSight(), func(s shown) bool { return s.id == w.list.Current() }) {
			t.Fatalf("%s is out of sight", w.list.Current())
		}
	}
	if got := w.list.Current(); got != "r20" || moves == 0 {
		t.Errorf("after 20 steps it is at %q, %d moves", got, moves)
	}
	press(w.window, fyne.KeyReturn)
	if w.opened != "r20" {
		t.Errorf("Enter opened %q", w.opened)
	}
	press(w.window, fyne.KeyUp)
	if got := w.list.Current(); got != "r19" {
		t.Errorf("one up of r20 is %q", got)
	}
	press(w.window, fyne.KeyEnd)
	if !w.list.AtEnd() || w.list.Current() != "r59" {
		t.Errorf("End led to %q", w.list.Current())
	}
	press(w.window, fyne.KeyPageUp, fyne.KeyPageUp)
	w.check("page up")
	if w.list.AtEnd() {
		t.Error("Page Up did not move")
	}
	press(w.window, fyne.KeyHome)
	if !w.list.AtTop() || w.list.Current() != "r0" {
		t.Errorf("Home led to %q", w.list.Current())
	}
	was := w.inSight()[0]
	press(w.window, fyne.KeyPageDown)
	if w.inSight()[0] == was {
		t.Error("Page Down did not move")
	}
}

func TestAStepInARowThatIsLongerThanTheWindowShowsMoreOfIt(t *testing.T) {
	w := newWorld(t, widgets.VirtualOptions{})
	w.grown["long"] = 1500
	w.list.SetIDs([]string{"long", "next", "x", "y", "z"})
	w.window.Canvas().Focus(w.list)
	steps := 0
	for ; w.list.Current() == "long" && steps < 20; steps++ {
		press(w.window, fyne.KeyDown)
	}
	if steps < 4 || w.list.Current() != "next" {
		t.Errorf("%d steps led to %q", steps, w.list.Current())
	}
}

func TestAWiderListKeepsWhatIsRead(t *testing.T) {
	w := newWorld(t, widgets.VirtualOptions{})
	w.list.SetIDs(names(500, "r"))
	w.list.ScrollTo("r250")
	first := w.inSight()[0].id
	for _, width := range []float32{500, 250, 300, 640, 300} {
		w.window.Resize(fyne.NewSize(width, 400))
		w.check("resized")
		if got := w.inSight()[0].id; got != first {
			t.Errorf("at %v points %s is first, not %s", width, got, first)
		}
	}
}

func TestTheKeyboardGoesToTheListWhereItsRowScrollsAway(t *testing.T) {
	useTheme(t, theme.Options{})
	list := widgets.NewVirtualList(widgets.VirtualOptions{
		Make: func(string) fyne.CanvasObject {
			return container.NewPadded(widgets.NewButton("x", widgets.Quiet, func() {}))
		},
		Bind: func(id string, o fyne.CanvasObject) { o.(*fyne.Container).Objects[0].(*widgets.Button).SetText(id) },
	})
	list.SetIDs(names(100, "r"))
	w := show(t, list, 300, 400)
	b := list.Row("r2").(*fyne.Container).Objects[0].(*widgets.Button)
	w.Canvas().Focus(b)
	list.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -20)})
	if w.Canvas().Focused() != fyne.Focusable(b) {
		t.Error("the keyboard left a row that is in sight")
	}
	list.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -900)})
	if w.Canvas().Focused() != fyne.Focusable(list) {
		t.Errorf("the keyboard is on %T", w.Canvas().Focused())
	}
}

func TestTheScrollBarLeadsToAnyPlace(t *testing.T) {
	w := newWorld(t, widgets.VirtualOptions{})
	w.list.SetIDs(names(3, "r"))
	objects := test.WidgetRenderer(w.list).Objects()
	bar := objects[len(objects)-1]
	w.grown["r0"] = 0
	w.list.SetIDs(names(1000, "r"))
	if !bar.Visible() {
		t.Fatal("a long list has no bar")
	}
	drag := bar.(fyne.Draggable)
	drag.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(5, 10)}, Dragged: fyne.NewDelta(0, 0)})
	drag.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(5, 200)}, Dragged: fyne.NewDelta(0, 190)})
	w.check("dragged")
	if i := slices.Index(w.list.IDs(), w.inSight()[0].id); i < 300 || i > 700 {
		t.Errorf("half way down row %d is first", i)
	}
	drag.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(5, 4000)}, Dragged: fyne.NewDelta(0, 3800)})
	drag.DragEnd()
	w.check("dragged to the end")
	bar.(fyne.Tappable).Tapped(&fyne.PointEvent{Position: fyne.NewPos(5, 1)})
	w.check("clicked")
	if !w.list.AtTop() {
		t.Errorf("a click at the upper end led to %v", w.inSight()[0])
	}
	w.list.SetIDs(names(1, "r"))
	if bar.Visible() {
		t.Error("a list that is seen whole has a bar")
	}
}

func TestAnotherThemeMakesNewRowsOfThoseThatWait(t *testing.T) {
	w := newWorld(t, widgets.VirtualOptions{})
	w.list.SetIDs(names(500, "r"))
	w.list.ScrollTo("r100")
	w.list.ScrollTo("r300") // the rows around r100 wait
	made := w.made
	th, err := theme.New(theme.Options{Scale: 1.5})
	if err != nil {
		t.Fatal(err)
	}
	fyne.CurrentApp().Settings().SetTheme(th)
	w.list.Refresh()
	w.check("themed")
	w.list.ScrollTo("r100")
	if w.made == made {
		t.Error("rows that were drawn in the theme before are shown again")
	}
}
