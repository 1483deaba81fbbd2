package chart

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"bowerbird/ui/theme"
)

func BenchmarkLayingOutTheDesignsChart(b *testing.B) {
	show(b, theme.Options{Mode: theme.Light})
	s := parse(b, digest())
	for b.Loop() {
		p := newPlot(s, "")
		p.Resize(fyne.NewSize(700, p.HeightFor(700)))
	}
}

func BenchmarkLayingOutALineOfFiveThousandPoints(b *testing.B) {
	show(b, theme.Options{Mode: theme.Light})
	var rows []string
	for i := range 5000 {
		rows = append(rows, fmt.Sprintf(`{"x":%d,"y":%d}`, i, (i*i)%977))
	}
	s := parse(b, `{"mark":"line","data":{"values":[`+strings.Join(rows, ",")+`]},"encoding":{"x":{"field":"x"},"y":{"field":"y"}}}`)
	for b.Loop() {
		p := newPlot(s, "")
		p.Resize(fyne.NewSize(700, p.HeightFor(700)))
	}
}

func BenchmarkMovingTheMouseOverFiveThousandPoints(b *testing.B) {
	show(b, theme.Options{Mode: theme.Light})
	var rows []string
	for i := range 5000 {
		rows = append(rows, fmt.Sprintf(`{"x":%d,"y":%d}`, i, (i*i)%977))
	}
	w := NewWidget(parse(b, `{"mark":"point","data":{"values":[`+strings.Join(rows, ",")+`]},"encoding":{"x":{"field":"x"},"y":{"field":"y"}}}`), Options{})
	inWindow(b, w, 700)
	x := float32(0)
	for b.Loop() {
		x = float32(int(x+7) % 700)
		w.plot.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, 50)}})
	}
}

func BenchmarkLayingOutFiftyLongNamesOfAllScripts(b *testing.B) {
	show(b, theme.Options{Mode: theme.Light})
	var rows []string
	for i := range 50 {
		name := strings.Repeat([]string{"محمد عبد الرحمن ", "山田花子", "👩‍🚀", "long name "}[i%4], 60)
		rows = append(rows, fmt.Sprintf(`{"k":"%d %s","n":%d}`, i, name, i))
	}
	s := parse(b, `{"mark":"bar","data":{"values":[`+strings.Join(rows, ",")+`]},"encoding":{"y":{"field":"k"},"x":{"field":"n"}}}`)
	for b.Loop() {
		p := newPlot(s, "")
		p.Resize(fyne.NewSize(700, p.HeightFor(700)))
	}
}
