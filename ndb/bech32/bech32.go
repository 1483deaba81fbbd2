// Package bech32 encodes and decodes BIP-173's encoding without its limit of 90
// characters, which neither NIP-19 nor BOLT 11 observes.
//
//	code := bech32.EncodeBytes("npub", key[:])
//	prefix, values, err := bech32.Decode(code)
//	raw, err := bech32.Bytes(values)
//
// What the values mean is left to the caller.
package bech32

import (
	"errors"
	"slices"
	"strings"
)

const (
	alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
	checksum = 6 // characters
)

var (
	errShape    = errors.New("not a code of letters, a 1, and letters and digits")
	errChecksum = errors.New("its checksum does not fit: a character is wrong or missing")
)

// Decode returns a code's prefix and its values of 5 bits each, without the checksum. No
// error contains the text.
func Decode(s string) (prefix string, values []byte, err error) {
	if lower := strings.ToLower(s); s != lower {
		if s != strings.ToUpper(s) {
			return "", nil, errors.New("it mixes capitals and small letters")
		}
		s = lower
	}
	sep := strings.LastIndexByte(s, '1')
	if sep < 1 || len(s)-sep-1 < checksum {
		return "", nil, errShape
	}
	prefix = s[:sep]
	for i := range sep {
		if prefix[i] < '!' || prefix[i] > '~' {
			return "", nil, errShape
		}
	}
	values = make([]byte, 0, len(s)-sep-1)
	for _, c := range []byte(s[sep+1:]) {
		v := strings.IndexByte(alphabet, c)
		if v < 0 {
			return "", nil, errShape
		}
		values = append(values, byte(v))
	}
	if polymod(prefix, values) != 1 {
		return "", nil, errChecksum
	}
	return prefix, values[:len(values)-checksum], nil
}

// Encode encodes a prefix and values of 5 bits each.
func Encode(prefix string, values []byte) string {
	sum := polymod(prefix, slices.Concat(values, make([]byte, checksum))) ^ 1
	var b strings.Builder
	b.WriteString(prefix)
	b.WriteByte('1')
	for _, v := range values {
		b.WriteByte(alphabet[v])
	}
	for i := range checksum {
		b.WriteByte(alphabet[sum>>(5*(checksum-1-i))&31])
	}
	return b.String()
}

// EncodeBytes encodes a prefix and bytes.
func EncodeBytes(prefix string, data []byte) string { return Encode(prefix, Values(data)) }

// polymod is BIP-173's checksum over the spread prefix and the values.
func polymod(prefix string, values []byte) uint32 {
	sum := uint32(1)
	step := func(v byte) {
		top := sum >> 25
		sum = (sum&0x1ffffff)<<5 ^ uint32(v)
		for i, g := range [...]uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3} {
			if top>>i&1 == 1 {
				sum ^= g
			}
		}
	}
	for _, c := range []byte(prefix) {
		step(c >> 5)
	}
	step(0)
	for _, c := range []byte(prefix) {
		step(c & 31)
	}
	for _, v := range values {
		step(v)
	}
	return sum
}

// Values splits bytes into values of 5 bits, the last one padded with zeros.
func Values(data []byte) []byte {
	values, bits, rest := regroup(data, 8, 5)
	if bits > 0 {
		values = append(values, byte(rest<<(5-bits)))
	}
	return values
}

// Bytes joins values of 5 bits into bytes. The remaining bits must be fewer than 5, all
// zero.
func Bytes(values []byte) ([]byte, error) {
	data, bits, rest := regroup(values, 5, 8)
	if bits >= 5 || rest != 0 {
		return nil, errors.New("it ends in the middle of a byte")
	}
	return data, nil
}

// PaddedBytes joins values of 5 bits into bytes, the last one padded with zeros, as BOLT
// 11 requires for what is signed.
func PaddedBytes(values []byte) []byte {
	data, bits, rest := regroup(values, 5, 8)
	if bits > 0 {
		data = append(data, byte(rest<<(8-bits)))
	}
	return data
}

// regroup turns groups of one number of bits into groups of another. The remaining bits
// fill no whole group.
func regroup(groups []byte, from, to int) (out []byte, bits, rest int) {
	out = make([]byte, 0, len(groups)*from/to+1)
	for _, g := range groups {
		rest = rest<<from | int(g)
		for bits += from; bits >= to; {
			bits -= to
			out = append(out, byte(rest>>bits))
			rest &= 1<<bits - 1
		}
	}
	return out, bits, rest
}
