package builtin

import (
	"fmt"
	"hash/maphash"
	"testing"
)

// What is always said in the same words, each time with another name, is no news, though
// the name is new.
func TestAFormulaWithANewNameComesAfterWhatNobodySaidBefore(t *testing.T) {
	c := newCircle()
	c.used(60, everyday...)
	for _, name := range []string{"Zdenka Horvat", "Milos Kral", "Ludek Vesely"} {
		c.used(3, "Esta noche soñé otra vez con un viejo amigo llamado "+name+" y su perro.")
	}
	formula := c.says("ann", 1, "Esta noche soñé otra vez con un viejo amigo llamado Radim Tesar y su perro.")
	news := c.says("bob", 2, "El faro de Torrenueva quedó sin luz y el barco Perla Negra encalló frente al muelle.")
	for i, text := range []string{"mi hermana sueña con ascensores vacíos", "anoche perdí un tranvía de madera", "los galgos dan suerte, decía mi tía", "yo nunca recuerdo nada al despertar", "prueba la infusión de manzanilla fuerte"} {
		c.answers(formula, fmt.Sprint("friend", i), 3, text)
	}
	c.answers(news, "dan", 3, "los remolcadores salieron hacia allá de madrugada")
	c.liked(formula, "eve", "fay", "gil")
	if d := c.draft(); !d.leads(news) {
		t.Errorf("got\n%s", &d)
	}
}

// Whom a saying is by is no name that the news has.
func TestASayingDoesNotTellOfItsAuthor(t *testing.T) {
	c := newCircle()
	c.used(60, everyday...)
	saying := c.says("ann", 1, "Quem planta tâmaras não colhe tâmaras. — Anselmo Quaresma Tavares")
	c.answers(saying, "bob", 2, "a minha avó dizia o mesmo das oliveiras")
	c.draft()
	for _, name := range saying.names {
		if name.term == "quaresma" || name.term == "tavares" {
			t.Errorf("%q is taken for a name of the news", name.term)
		}
	}
	if len(saying.newly) > 0 {
		t.Errorf("%d new names, want none", len(saying.newly))
	}
}

// Whether two characters stand side by side in another note too does not depend on the seed
// of the sums that words are compared by: the same notes give the same digest.
func TestWhatANoteAloneSaysDoesNotDependOnASeed(t *testing.T) {
	before := sums
	defer func() { sums = before }()
	for range 60 {
		sums = maphash.MakeSeed()
		c := newCircle()
		for i := range 20 {
			c.says("ann", i, fmt.Sprintf("otter%d basalt%d ferry%d lantern%d marble%d walnut%d", i, i, i, i, i, i))
		}
		n := c.says("bob", 1, "栄月堂")
		if c.weighed(); !n.newPair {
			t.Fatal("two characters that stand side by side in this note alone are taken for those of another one")
		}
	}
}
