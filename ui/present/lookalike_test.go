package present

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// followedNames are names as people on Nostr have them.
var followedNames = strings.Split("Ada Lindqvist,Ben Okafor,Clara M.,Tomás,Yuki Mori,jack,fiatjaf,Vitor Pamplona,Lyn Alden,Gigi,hodlbod,Pablo Fernandez,Derek Ross,Karnage,Rabble,Odell,Marce,nostr.build,Kieran,Walker", ",")

// disguises are ways to look like somebody, each with what it does to a name.
var disguises = []func(r *rand.Rand, name string) string{
	func(_ *rand.Rand, s string) string { return s },
	func(_ *rand.Rand, s string) string { return strings.ToUpper(s) },
	func(_ *rand.Rand, s string) string { return s + " ✓" },
	func(_ *rand.Rand, s string) string { return s + "\u200b" },
	func(_ *rand.Rand, s string) string { return "⚡ " + s + " ⚡" },
	swap("a:а e:е o:о p:р c:с x:х y:у i:і s:ѕ j:ј k:к"), // Cyrillic
	swap("o:ο a:α v:ν i:ι k:κ n:η t:τ u:υ"),             // Greek
	swap("a:ɑ g:ɡ n:ɴ r:ʀ"),
	swap("i:1 o:0 l:I e:3 s:5 a:@"),
	swap("a:á e:é i:í o:ö u:ü n:ñ"),
	swap("m:rn w:vv d:cl l:i"),
	func(_ *rand.Rand, s string) string { return mapRunes(s, 0x1d400) }, // bold
	func(_ *rand.Rand, s string) string { return mapRunes(s, 0x1d5a0) }, // sans
	func(_ *rand.Rand, s string) string { // full width
		return strings.Map(func(r rune) rune {
			if r > ' ' && r < 0x7f {
				return r + 0xfee0
			}
			return r
		}, s)
	},
	func(_ *rand.Rand, s string) string { return strings.Join(strings.Split(s, ""), "\u0336") },
	func(_ *rand.Rand, s string) string { return strings.ReplaceAll(s, " ", "_") + "." },
}

// swap replaces some of the letters in a list of from:to.
func swap(list string) func(r *rand.Rand, name string) string {
	return func(r *rand.Rand, name string) string {
		for _, pair := range strings.Fields(list) {
			from, to, _ := strings.Cut(pair, ":")
			if r.IntN(3) > 0 {
				name = strings.ReplaceAll(name, from, to)
			}
		}
		return name
	}
}

func mapRunes(s string, base rune) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return base + r - 'A'
		case r >= 'a' && r <= 'z':
			return base + 26 + r - 'a'
		}
		return r
	}, s)
}

// TestLookalikesAreFoundAndOthersAreNot holds the figures of the threat model (T15).
func TestLookalikesAreFoundAndOthersAreNot(t *testing.T) {
	known := map[string]bool{}
	for _, n := range followedNames {
		known[skeleton(n)] = true
	}
	r := rand.New(rand.NewPCG(1, 2))
	found := 0
	for i := range 200 {
		name := disguises[i%len(disguises)](r, followedNames[r.IntN(len(followedNames))])
		if known[skeleton(name)] {
			found++
		} else {
			t.Logf("not found: %q", name)
		}
	}
	if found < 190 {
		t.Errorf("%d of 200 look-alikes found, want 190", found)
	}
	first := strings.Fields("Anna Maria Peter Ben Clara Yuki Sofia Omar Jack Tom Thomas Lina Alda Aida Vera Pavel Paul Derek Karl Rob Adele Marcel Keira Kiran Wanda Walter Gil Nora Ola Mori")
	last := strings.Fields("Lind Lindholm Okoro Meyer Mori Alder Ross Rossi Fernando Pam Costa Silva Odendaal Marchetti Builder Walk Holt Berg Adair Linde Nakamura Satou Kowalski Novak Ivanov Popov")
	wrong := 0
	for i := range 1_000 {
		name := first[i%len(first)] + " " + last[(i/len(first))%len(last)]
		if i%3 == 0 {
			name = fmt.Sprintf("%s%d", strings.ToLower(first[i%len(first)]), i)
		}
		if known[skeleton(name)] {
			wrong++
			t.Logf("wrongly found: %q", name)
		}
	}
	if wrong > 10 {
		t.Errorf("%d of 1,000 ordinary names found, want at most 10", wrong)
	}
}

func BenchmarkNote(b *testing.B) {
	r, world := openSample(b)
	for i := 0; b.Loop(); i++ {
		if _, err := r.FromEvent(b.Context(), world.Events[i%len(world.Events)]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkThread(b *testing.B) {
	r, world := openSample(b)
	for i := 0; b.Loop(); i++ {
		if _, err := r.Thread(b.Context(), world.Events[i%len(world.Events)].ID); err != nil {
			b.Fatal(err)
		}
	}
}
