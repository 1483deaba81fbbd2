// Package markdown draws the Markdown of models: never by Fyne's own, which
// fetches images while it lays out.
//
// Text is parsed by goldmark (with tables, strikethrough, task lists and bare
// links) into blocks of our own, plain values that know no widget (Parse, Stream);
// each block is drawn by one widget (BlockView), and all of an answer by a View.
//
// What it promises:
//   - nothing is fetched or opened: an image is a link that says its host, HTML is
//     text, a link opens only when it is clicked, through a callback, and only
//     https, http and nostr: are links;
//   - a link says which host it leads to, where its text does not;
//   - ^1 becomes a chip where there is such a note, and stays text where not; note
//     ids that a model wrote all the same become links of a short form;
//   - while an answer streams, blocks that are done are neither parsed nor laid out
//     again, and the end equals the whole text parsed at once;
//   - text is cut at 200 kB and 2,000 blocks, nesting at 20; what goes beyond, or
//     makes the parser panic, is shown as plain text.
//
// It leaves to others what a citation or link does (Options), and copying a whole
// answer.
package markdown
