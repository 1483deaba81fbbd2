// Package rawread reads Badger's files without Badger, which gives up or crashes if a
// single byte of them is wrong. Every block of a table and every entry of a log has its
// own checksum: whatever matches its checksum is read, the rest is skipped and counted.
//
//	spoiled, err := rawread.File("000001.sst", func(row rawread.Row) {
//		keep(row.Clone()) // several versions of a row may come, in any order
//	})
package rawread

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"iter"
	"math"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4/fb"
)

// MaxKey is the longest key that is accepted: a damaged length may be any number.
const MaxKey = 4 << 10

// Row is one version of one row, as it is in a file.
type Row struct {
	Key     []byte
	Version uint64 // the transaction that wrote it
	Deleted bool
	Value   []byte
}

// Clone returns a row that does not share the file's memory.
func (r Row) Clone() Row {
	r.Key, r.Value = bytes.Clone(r.Key), bytes.Clone(r.Value)
	return r
}

// File reads everything readable in a table or log. spoiled is the number of unreadable
// bytes.
func File(path string, yield func(Row)) (spoiled int, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	if filepath.Ext(path) == ".mem" {
		return readLog(data, yield), nil
	}
	return readTable(data, yield), nil
}

const (
	metaDelete = 1 << 0 // of the meta byte of a row
	metaTxn    = 1 << 6
	metaTxnEnd = 1 << 7
	versionLen = 8
	maxValue   = 1 << 20
)

// splitVersion splits the transaction's number off the end of a key.
func splitVersion(key []byte) ([]byte, uint64, bool) {
	if len(key) <= versionLen {
		return nil, 0, false
	}
	at := len(key) - versionLen
	return key[:at], math.MaxUint64 - binary.BigEndian.Uint64(key[at:]), true
}

// readTable reads the blocks of a table: those in its index or, if the index is damaged,
// those that can be found.
func readTable(data []byte, yield func(Row)) (spoiled int) {
	blocks, end, ok := indexedBlocks(data)
	if !ok {
		return searchBlocks(data, yield)
	}
	read := 0
	for _, b := range blocks {
		if body, ok := blockBody(b); ok {
			readBlock(body, yield)
			read += len(b)
		}
	}
	return end - read
}

// indexedBlocks cuts a table into the blocks in its index; end is where they end. At the
// end of a table are the index, its length, its checksum, and the checksum's length.
func indexedBlocks(data []byte) (blocks [][]byte, end int, ok bool) {
	defer func() {
		if recover() != nil { // the reader of the index trusts it
			blocks, end, ok = nil, 0, false
		}
	}()
	sum, rest, ok := cutChecksum(data)
	if !ok || len(rest) < 4 {
		return nil, 0, false
	}
	length := int(binary.BigEndian.Uint32(rest[len(rest)-4:]))
	rest = rest[:len(rest)-4]
	if length > len(rest) {
		return nil, 0, false
	}
	end = len(rest) - length
	if checksum(rest[end:]) != sum {
		return nil, 0, false
	}
	index := fb.GetRootAsTableIndex(rest[end:], 0)
	for i := range index.OffsetsLength() {
		var at fb.BlockOffset
		if !index.Offsets(&at, i) {
			return nil, 0, false
		}
		blocks = append(blocks, data[at.Offset():at.Offset()+at.Len()])
	}
	return blocks, end, true
}

// cutChecksum cuts the checksum off the end of a block or an index: a message with the
// sum as its only field, and its length.
func cutChecksum(data []byte) (sum uint32, rest []byte, ok bool) {
	const field = 2 << 3 // number 2, a varint
	if len(data) < 4+2 {
		return 0, nil, false
	}
	at := len(data) - 4
	length := binary.BigEndian.Uint32(data[at:])
	if length < 2 || length > 6 || int(length) > at {
		return 0, nil, false
	}
	message := data[at-int(length) : at]
	v, n := binary.Uvarint(message[1:])
	if message[0] != field || n != len(message)-1 || v > math.MaxUint32 {
		return 0, nil, false
	}
	return uint32(v), data[:at-int(length)], true
}

// blockBody returns the contents of a block if they match its checksum.
func blockBody(block []byte) (body []byte, ok bool) {
	sum, body, ok := cutChecksum(block)
	return body, ok && checksum(body) == sum
}

// searchBlocks finds blocks without an index: a block ends with a checksum, and the next
// one begins there. If none fits, everything up to the next end is skipped.
func searchBlocks(data []byte, yield func(Row)) (spoiled int) {
	const tries = 16 // possible ends to try within one block
	ends := blockEnds(data)
	start := 0
	for i := 0; i < len(ends); i++ {
		found := false
		for j := i; j < min(i+tries, len(ends)) && !found; j++ {
			if body, ok := blockBody(data[start:ends[j]]); ok {
				readBlock(body, yield)
				start, i, found = ends[j], j, true
			}
		}
		if !found {
			spoiled += ends[i] - start
			start = ends[i]
		}
	}
	return spoiled + len(data) - start
}

// blockEnds lists where a block may end: after a short number that is the length of a
// checksum.
func blockEnds(data []byte) (ends []int) {
	for at := 0; ; {
		i := bytes.Index(data[at:], []byte{0, 0, 0})
		if i < 0 || at+i+4 > len(data) {
			return ends
		}
		at += i
		if _, _, ok := cutChecksum(data[:at+4]); ok {
			ends = append(ends, at+4)
		}
		at++
	}
}

// readBlock reads the entries of a block: each is a header of two numbers, how many bytes
// of its key are shared with the first one's and how many follow; then the rest of the
// key, and the value. The offsets of the entries are at the end.
func readBlock(body []byte, yield func(Row)) {
	defer func() { _ = recover() }() // its checksum matches, so its offsets are right
	const header = 4
	le := binary.LittleEndian
	count := int(binary.BigEndian.Uint32(body[len(body)-4:]))
	places := body[len(body)-4-4*count : len(body)-4]
	entries := body[:len(body)-4-4*count]
	place := func(i int) int {
		if i == count {
			return len(entries)
		}
		return int(le.Uint32(places[4*i:]))
	}
	var first []byte
	for i := range count {
		entry := entries[place(i):place(i+1)]
		overlap, diff := int(le.Uint16(entry)), int(le.Uint16(entry[2:]))
		if i == 0 {
			first = entry[header : header+diff]
		}
		key, version, ok := splitVersion(append(bytes.Clone(first[:overlap]), entry[header:header+diff]...))
		value := entry[header+diff:]
		_, n := binary.Uvarint(value[2:]) // when it expires
		if ok && n > 0 {
			yield(Row{key, version, value[0]&metaDelete != 0, value[2+n:]})
		}
	}
}

// readLog reads the entries of a log. Those of an unfinished transaction at its end were
// never acknowledged and are left out.
func readLog(data []byte, yield func(Row)) (spoiled int) {
	var pending []Row
	for e := range entries(data, &spoiled) {
		if len(pending) > 0 && (e.End || pending[0].Version != e.Version) {
			for _, row := range pending {
				yield(row)
			}
			pending = pending[:0]
		}
		switch {
		case e.End:
		case e.InTxn:
			pending = append(pending, e.Row)
		default:
			yield(e.Row)
		}
	}
	return spoiled
}

// LogHeader is how many bytes come before the first entry of a log.
const LogHeader = 20

// Entry is a row as it is in a log.
type Entry struct {
	Row
	InTxn  bool // another entry of its transaction follows
	End    bool // not a row, but the end of a transaction
	Length int  // in bytes
}

// entries yields whatever is readable in a log, in order. After the last entry there are
// zeros, or what was being written when the program ended.
func entries(data []byte, spoiled *int) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		data = bytes.TrimRight(data, "\x00")
		data = data[:min(len(data)+4, cap(data))] // a checksum may end in zeros
		lost := 0
		for at := LogHeader; at < len(data); {
			e, ok := ReadEntry(data[at:])
			if !ok {
				at++
				lost++
				continue
			}
			*spoiled += lost
			lost = 0
			if !yield(e) {
				return
			}
			at += e.Length
		}
	}
}

// ReadEntry reads an entry: meta, user meta, lengths of key and value, expiry, key,
// value, checksum.
func ReadEntry(data []byte) (Entry, bool) {
	if len(data) < 10 || data[0] == 0 && data[1] == 0 && data[2] == 0 || data[1] != 0 {
		return Entry{}, false
	}
	at := 2
	var numbers [3]uint64
	for i := range numbers {
		v, n := binary.Uvarint(data[at:min(at+10, len(data))])
		if n <= 0 {
			return Entry{}, false
		}
		numbers[i], at = v, at+n
	}
	keyLen, valueLen := numbers[0], numbers[1]
	if keyLen <= versionLen || keyLen > MaxKey || valueLen > maxValue {
		return Entry{}, false
	}
	end := at + int(keyLen) + int(valueLen)
	if end+4 > len(data) || checksum(data[:end]) != binary.BigEndian.Uint32(data[end:]) {
		return Entry{}, false
	}
	key, version, ok := splitVersion(data[at : at+int(keyLen)])
	row := Row{key, version, data[0]&metaDelete != 0, data[at+int(keyLen) : end]}
	return Entry{row, data[0]&metaTxn != 0, data[0]&metaTxnEnd != 0, end + 4}, ok
}

func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// WholeLog returns a log up to the end of its last whole transaction; nothing if it has
// none. Badger, too, reads only up to the first entry that is damaged, or that belongs to
// another transaction than the unfinished one.
func WholeLog(data []byte) []byte {
	end, open := 0, uint64(0) // the unfinished transaction
	for at := LogHeader; at < len(data); {
		e, ok := ReadEntry(data[at:])
		if !ok || open != 0 && e.Version != open || e.End && open == 0 {
			break
		}
		at += e.Length
		if open = 0; e.InTxn {
			open = e.Version
		} else {
			end = at
		}
	}
	return data[:end]
}
