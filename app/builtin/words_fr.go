package builtin

func wordsFR() *words { w := wordsEN(); w.lang = "fr"; return w }
