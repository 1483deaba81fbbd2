package app

import "testing"

func TestAShortQuestionsLanguageIsTheOneChosenElseTheSystems(t *testing.T) {
	for _, tt := range []struct{ chosen, all, lang, want string }{
		{"de", "en_US.UTF-8", "", "de"},
		{"en", "de_DE.UTF-8", "", "en"},
		{"", "", "ja_JP.UTF-8", "ja"},
		{"", "en_US.UTF-8", "", ""},
		{"", "", "", ""},
	} {
		a := &App{opt: Options{Getenv: func(name string) string { return map[string]string{"LC_ALL": tt.all, "LANG": tt.lang}[name] }}}
		a.opt.Settings.Appearance.Language = tt.chosen
		if got := a.language(); got != tt.want {
			t.Errorf("chosen %q, system %q %q: got %q, want %q", tt.chosen, tt.all, tt.lang, got, tt.want)
		}
	}
}
