package check

import "testing"

func TestNumbersAreReadInWords(t *testing.T) {
	for text, want := range map[string]int{
		"trescientos doce pedacitos": 312, "trezentos e doze": 312, "trois cent douze": 312, "dreihundertzwölf": 312,
		"three hundred and twelve": 312, "two thousand three hundred": 2300, "two thousand and forty": 2040,
		"six hundred thousand": 600_000, "zweitausenddreihundertvierundzwanzig": 2324, "einundzwanzig": 21, "hundert": 100,
		"quatre-vingt-dix-sept": 97, "soixante-dix-sept": 77, "cuarenta y dos": 42, "三百十二": 312, "dos mil novecientas": 2900,
	} {
		if got := numbers(text); len(got) != 1 || got[0].value != want {
			t.Errorf("%q: %v, want %d", text, got, want)
		}
	}
}
