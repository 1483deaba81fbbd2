// Package pictures fetches the pictures of strangers and makes them small.
//
// A picture's maker decides what stands in it, so nothing of it is believed. The
// way of a picture:
//
//	address ─ fetch ─ kind ─ measure ─ room ─ decode ─ turn, scale ─ caches
//	https     10 MB,  by its  before    two at  5 s     1,024 px      small ones
//	only      netsafe bytes   decoding  a time                        only
//
// It promises: what is no PNG, JPEG, GIF or WebP by its first bytes is never
// decoded (so no SVG, BMP or TIFF); nothing is decoded whose size was not read and
// allowed before; the decoders together hold no more than a fixed amount of memory,
// counted ahead from the kind, the size and the way of coding; a GIF shows its
// first frame; a panic of a decoder is an error; what is kept is the small picture
// alone.
//
// Whether a picture may be fetched at all, which tells its server who reads, is
// left to the caller.
package pictures
