package builtin

func wordsPT() *words { w := wordsEN(); w.lang = "pt"; return w }
