// Package pictures fetches the pictures of strangers and makes them small.
//
// A picture may contain anything, so nothing in it is trusted. The way of a picture:
//
//	address ─ fetch ─ kind ─ measure ─ room ─ decode ─ turn, scale ─ caches
//	https     10 MB,  by its  before    two at  5 s     1,024 px      small ones
//	only      netsafe bytes   decoding  a time                        only
//
// What is not a PNG, JPEG, GIF or WebP by its first bytes is never decoded (so no SVG,
// BMP or TIFF); nothing is decoded before its size was read and found acceptable; the
// decoders together hold no more than a fixed amount of memory, computed in advance from
// the kind, the size and the coding; a GIF shows its first frame; a panic of a decoder is
// an error; only the small picture is kept.
//
// Whether a picture may be fetched at all, which reveals to its server who reads, is left
// to the caller.
package pictures
