// Package note draws notes as cards: in the feed, in a thread, in search, as the
// source of an answer.
//
// A Card shows one present.Note and may be given another one at any time: lists
// keep few cards for many notes. What it promises: the height that HeightFor tells
// is the height that is drawn; a stranger's text changes nothing outside of its
// card; nothing is fetched until the user clicks "Show", or the settings say so;
// what was opened (a warning, a long text, a picture) stays open when the card is
// given another note and the first one again (Memory).
//
// A card reads nothing: values come from ui/present, pictures through a Loader,
// and where a click leads is the Navigator's matter.
package note
