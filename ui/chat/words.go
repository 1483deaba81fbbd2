package chat

import (
	"time"

	"fyne.io/fyne/v2/lang"
	"golang.org/x/text/language"

	"bowerbird/ui/answers"
	"bowerbird/ui/present"
)

// inWords writes numbers and times in the user's language.
func inWords() present.Words {
	tag, err := language.Parse(lang.SystemLocale().LanguageString())
	if err != nil {
		tag = language.English
	}
	return present.Words{L: lang.L, Tag: tag}
}

// say translates a phrase. Times in it are worded as seen from now.
func say(p answers.Phrase, now time.Time) string {
	if p.Text == "" {
		return ""
	}
	data := make(map[string]any, len(p.Data))
	for name, value := range p.Data {
		switch v := value.(type) {
		case int:
			value = inWords().Number(v)
		case time.Time:
			value = inWords().Moment(v, now)
		case answers.Money:
			value = inWords().Dollars(float64(v))
		case string:
			value = present.Isolate(v)
		}
		data[name] = value
	}
	if n, counted := p.Data["Count"].(int); counted && p.Plural {
		return lang.N(p.Text, n, data)
	}
	return lang.L(p.Text, data)
}

// sayAll joins sentences.
func sayAll(all []answers.Phrase, now time.Time) string {
	text := ""
	for i, p := range all {
		if i > 0 {
			text += " "
		}
		text += say(p, now)
	}
	return text
}

// in returns the data of a text: lang.L(text, in("Name", value)).
func in(pairs ...any) map[string]any {
	data := make(map[string]any, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		data[pairs[i].(string)] = pairs[i+1]
	}
	return data
}
