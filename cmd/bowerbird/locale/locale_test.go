package locale

import "testing"

func TestASystemWithoutALanguageSpeaksEnglish(t *testing.T) {
	for _, tc := range []struct {
		title string
		env   map[string]string
		want  string // LC_ALL afterwards
	}{
		{"nothing is set", nil, "en_US.UTF-8"},
		{"C", map[string]string{"LANG": "C.UTF-8"}, "en_US.UTF-8"},
		{"POSIX comes before a language", map[string]string{"LC_ALL": "POSIX", "LANG": "de_DE.UTF-8"}, "en_US.UTF-8"},
		{"German", map[string]string{"LANG": "de_DE.UTF-8"}, ""},
		{"German for messages", map[string]string{"LC_MESSAGES": "de_AT", "LANG": "C"}, ""},
	} {
		env := map[string]string{}
		for k, v := range tc.env {
			env[k] = v
		}
		name(func(k string) string { return env[k] }, func(k, v string) error { env[k] = v; return nil })
		if env["LC_ALL"] != tc.want {
			t.Errorf("%s: LC_ALL is %q, want %q", tc.title, env["LC_ALL"], tc.want)
		}
	}
}
