package builtin

func wordsES() *words { w := wordsEN(); w.lang = "es"; return w }
