package ndb

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

// Here Badger's files are read without Badger, which gives up or crashes where one
// byte of them is wrong. Every block of a table and every entry of a log has a
// checksum of its own: what agrees with it is read, the rest is passed over. It is
// what salvage.go stands on.

// rawRow is one version of one row, as it lies in a file.
type rawRow struct {
	key     []byte
	version uint64 // the transaction that wrote it
	deleted bool
	value   []byte
}

// rawFile reads all that can be read of a table or log. spoiled is how many bytes
// could not be.
func rawFile(path string, yield func(rawRow)) (spoiled int, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	if filepath.Ext(path) == ".mem" {
		return rawLog(data, yield), nil
	}
	return rawTable(data, yield), nil
}

const (
	rawDelete   = 1 << 0 // of the meta byte of a row
	rawTxn      = 1 << 6
	rawTxnEnd   = 1 << 7
	versionLen  = 8
	logHeader   = 20 // bytes before the first entry of a log
	maxRawKey   = 1 + 33 + maxBucketKey + maxRelayURL
	maxRawValue = 1 << 20
)

// splitVersion takes the transaction's number off the end of a key.
func splitVersion(key []byte) ([]byte, uint64, bool) {
	if len(key) <= versionLen {
		return nil, 0, false
	}
	at := len(key) - versionLen
	return key[:at], math.MaxUint64 - binary.BigEndian.Uint64(key[at:]), true
}

// rawTable reads the blocks of a table: those that its index names, or, where the
// index is spoiled, those that can be found.
func rawTable(data []byte, yield func(rawRow)) (spoiled int) {
	blocks, end, ok := indexedBlocks(data)
	if !ok {
		return searchBlocks(data, yield)
	}
	read := 0
	for _, b := range blocks {
		if body, ok := blockBody(b); ok {
			rawBlock(body, yield)
			read += len(b)
		}
	}
	return end - read
}

// indexedBlocks cuts a table into the blocks that its index names; end is where
// they end. At the end of a table are the index, its length, its checksum, and the
// checksum's length.
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
	if crc32.Checksum(rest[end:], castagnoli) != sum {
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

// cutChecksum takes the checksum off the end of a block or an index: a message with
// the sum as its only field, and its length.
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

// blockBody returns what a block holds, when it agrees with its checksum.
func blockBody(block []byte) (body []byte, ok bool) {
	sum, body, ok := cutChecksum(block)
	return body, ok && crc32.Checksum(body, castagnoli) == sum
}

// searchBlocks finds blocks without an index: a block ends with a checksum, and the
// next one begins there. Where none fits, what is up to the next end is passed over.
func searchBlocks(data []byte, yield func(rawRow)) (spoiled int) {
	const tries = 16 // ends that may be none, within one block
	ends := blockEnds(data)
	start := 0
	for i := 0; i < len(ends); i++ {
		found := false
		for j := i; j < min(i+tries, len(ends)) && !found; j++ {
			if body, ok := blockBody(data[start:ends[j]]); ok {
				rawBlock(body, yield)
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

// blockEnds lists where a block may end: after a short number that is the length of
// a checksum.
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

// rawBlock reads the entries of a block: each a header of two numbers, how many
// bytes of its key are those of the first one's and how many follow; then the rest
// of the key, and the value. The places of the entries stand at the end.
func rawBlock(body []byte, yield func(rawRow)) {
	defer func() { _ = recover() }() // its checksum agrees, so its places do too
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
			yield(rawRow{key, version, value[0]&rawDelete != 0, value[2+n:]})
		}
	}
}

// rawLog reads the entries of a log. Those of a transaction that the log ends in the
// middle of were never acknowledged and are left out.
func rawLog(data []byte, yield func(rawRow)) (spoiled int) {
	var pending []rawRow
	for e := range logEntries(data, &spoiled) {
		if len(pending) > 0 && (e.end || pending[0].version != e.version) {
			for _, row := range pending {
				yield(row)
			}
			pending = pending[:0]
		}
		switch {
		case e.end:
		case e.inTxn:
			pending = append(pending, e.rawRow)
		default:
			yield(e.rawRow)
		}
	}
	return spoiled
}

type logEntry struct {
	rawRow
	inTxn, end bool
	length     int
}

// logEntries yields what can be read of a log, in its order. What is behind the last
// entry is zeros, or what was being written when the program ended.
func logEntries(data []byte, spoiled *int) iter.Seq[logEntry] {
	return func(yield func(logEntry) bool) {
		data = bytes.TrimRight(data, "\x00")
		data = data[:min(len(data)+4, cap(data))] // a checksum may end in zeros
		lost := 0
		for at := logHeader; at < len(data); {
			e, ok := readLogEntry(data[at:])
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
			at += e.length
		}
	}
}

// readLogEntry reads an entry: meta, user meta, lengths of key and value, when it
// expires, key, value, checksum.
func readLogEntry(data []byte) (logEntry, bool) {
	if len(data) < 10 || data[0] == 0 && data[1] == 0 && data[2] == 0 || data[1] != 0 {
		return logEntry{}, false
	}
	at := 2
	var numbers [3]uint64
	for i := range numbers {
		v, n := binary.Uvarint(data[at:min(at+10, len(data))])
		if n <= 0 {
			return logEntry{}, false
		}
		numbers[i], at = v, at+n
	}
	keyLen, valueLen := numbers[0], numbers[1]
	if keyLen <= versionLen || keyLen > maxRawKey || valueLen > maxRawValue {
		return logEntry{}, false
	}
	end := at + int(keyLen) + int(valueLen)
	if end+4 > len(data) || crc32.Checksum(data[:end], castagnoli) != binary.BigEndian.Uint32(data[end:]) {
		return logEntry{}, false
	}
	key, version, ok := splitVersion(data[at : at+int(keyLen)])
	row := rawRow{key, version, data[0]&rawDelete != 0, data[at+int(keyLen) : end]}
	return logEntry{row, data[0]&rawTxn != 0, data[0]&rawTxnEnd != 0, end + 4}, ok
}
