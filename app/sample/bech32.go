package sample

import (
	"strings"

	"bowerbird/ndb"
)

const bech32Digits = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"

// bech32Encode writes 5-bit groups as BIP-173 has it, without its limit of 90
// characters, which neither NIP-19 nor BOLT 11 keeps.
func bech32Encode(hrp string, groups []byte) string {
	sum := bech32Sum(hrp, groups)
	var b strings.Builder
	b.WriteString(hrp)
	b.WriteByte('1')
	for _, g := range groups {
		b.WriteByte(bech32Digits[g])
	}
	for i := range 6 {
		b.WriteByte(bech32Digits[sum>>(5*(5-i))&31])
	}
	return b.String()
}

func bech32Sum(hrp string, groups []byte) uint32 {
	sum := uint32(1)
	for i := range len(hrp) {
		sum = bech32Step(sum, hrp[i]>>5)
	}
	sum = bech32Step(sum, 0)
	for i := range len(hrp) {
		sum = bech32Step(sum, hrp[i]&31)
	}
	for _, g := range groups {
		sum = bech32Step(sum, g)
	}
	for range 6 {
		sum = bech32Step(sum, 0)
	}
	return sum ^ 1
}

func bech32Step(sum uint32, group byte) uint32 {
	generators := [5]uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3}
	top := sum >> 25
	sum = sum&0x1ffffff<<5 ^ uint32(group)
	for i, g := range generators {
		if top>>i&1 == 1 {
			sum ^= g
		}
	}
	return sum
}

// fiveBits regroups bytes into 5-bit groups, the last one padded with zeros.
func fiveBits(data []byte) []byte {
	groups := make([]byte, 0, (len(data)*8+4)/5)
	var acc, bits uint
	for _, b := range data {
		acc, bits = acc<<8|uint(b), bits+8
		for ; bits >= 5; bits -= 5 {
			groups = append(groups, byte(acc>>(bits-5)&31))
		}
	}
	if bits > 0 {
		groups = append(groups, byte(acc<<(5-bits)&31))
	}
	return groups
}

// eightBits regroups 5-bit groups into bytes, the last one padded with zeros, as
// BOLT 11 wants it for what is signed.
func eightBits(groups []byte) []byte {
	data := make([]byte, 0, (len(groups)*5+7)/8)
	var acc, bits uint
	for _, g := range groups {
		acc, bits = acc<<5|uint(g), bits+5
		if bits >= 8 {
			data = append(data, byte(acc>>(bits-8)))
			bits -= 8
		}
	}
	if bits > 0 {
		data = append(data, byte(acc<<(8-bits)))
	}
	return data
}

// noteLink and personLink are NIP-21 links for texts.
func noteLink(id ndb.ID) string { return "nostr:" + bech32Encode("note", fiveBits(id[:])) }

func personLink(pk ndb.PubKey) string { return "nostr:" + bech32Encode("npub", fiveBits(pk[:])) }

// lnurl is the code of a person's pay address (LUD-01), as zap requests carry it.
func lnurl(handle string) string {
	url := "https://wallet.example/.well-known/lnurlp/" + handle
	return bech32Encode("lnurl", fiveBits([]byte(url)))
}
