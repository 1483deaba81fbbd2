package builtin

import (
	"fmt"
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
