package builtin

func wordsJA() *words { w := wordsEN(); w.lang = "ja"; return w }
