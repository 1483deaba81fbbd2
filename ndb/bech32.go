package ndb

import (
	"errors"
	"strings"
)

const (
	bech32Alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
	bech32Checksum = 6 // characters
)

var (
	errBech32Shape    = errors.New("not a code of letters, a 1, and letters and digits")
	errBech32Checksum = errors.New("its checksum does not fit: a character is wrong or missing")
)

// decodeBech32 reads BIP-173's encoding without its limit of 90 characters. The
// values are of 5 bits each, without the checksum.
func decodeBech32(s string) (prefix string, values []byte, err error) {
	if lower := strings.ToLower(s); s != lower {
		if s != strings.ToUpper(s) {
			return "", nil, errors.New("it mixes capitals and small letters")
		}
		s = lower
	}
	sep := strings.LastIndexByte(s, '1')
	if sep < 1 || len(s)-sep-1 < bech32Checksum {
		return "", nil, errBech32Shape
	}
	prefix = s[:sep]
	for i := range sep {
		if prefix[i] < '!' || prefix[i] > '~' {
			return "", nil, errBech32Shape
		}
	}
	values = make([]byte, 0, len(s)-sep-1)
	for _, c := range []byte(s[sep+1:]) {
		v := strings.IndexByte(bech32Alphabet, c)
		if v < 0 {
			return "", nil, errBech32Shape
		}
		values = append(values, byte(v))
	}
	if bech32Polymod(prefix, values) != 1 {
		return "", nil, errBech32Checksum
	}
	return prefix, values[:len(values)-bech32Checksum], nil
}

// encodeBech32 writes bytes as bech32.
func encodeBech32(prefix string, data []byte) string {
	values := make([]byte, 0, len(data)*8/5+1+bech32Checksum)
	bits, acc := 0, 0
	for _, b := range data {
		acc = acc<<8&0xfff | int(b)
		for bits += 8; bits >= 5; {
			bits -= 5
			values = append(values, byte(acc>>bits&31))
		}
	}
	if bits > 0 {
		values = append(values, byte(acc<<(5-bits)&31))
	}
	n := len(values)
	values = append(values, make([]byte, bech32Checksum)...)
	sum := bech32Polymod(prefix, values) ^ 1
	for i := range bech32Checksum {
		values[n+i] = byte(sum >> (5 * (bech32Checksum - 1 - i)) & 31)
	}
	var b strings.Builder
	b.WriteString(prefix)
	b.WriteByte('1')
	for _, v := range values {
		b.WriteByte(bech32Alphabet[v])
	}
	return b.String()
}

// bech32Polymod is BIP-173's checksum over the spread prefix and the values.
func bech32Polymod(prefix string, values []byte) uint32 {
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

// bytesOf joins values of 5 bits to bytes. What is left over must be fewer than
// 5 bits, all zero.
func bytesOf(values []byte) ([]byte, error) {
	data := make([]byte, 0, len(values)*5/8)
	bits, acc := 0, 0
	for _, v := range values {
		acc = acc<<5&0xfff | int(v)
		if bits += 5; bits >= 8 {
			bits -= 8
			data = append(data, byte(acc>>bits))
		}
	}
	if bits >= 5 || acc&(1<<bits-1) != 0 {
		return nil, errors.New("it ends in the middle of a byte")
	}
	return data, nil
}
