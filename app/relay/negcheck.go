package relay

import (
	"encoding/hex"
	"errors"
)

var errNegMessage = errors.New("no message of the protocol")

// checkNegMessage looks a relay's message through before the package reads it, which
// trusts what it reads: it makes room for as many ids as it is told of, and fails
// altogether on numbers that it cannot write again. Bounds must come in their order,
// every length must be of what is there, and hex must be in lower case, as ours is.
func checkNegMessage(msg string) error {
	for _, r := range msg {
		if r >= 'A' && r <= 'F' {
			return errNegMessage
		}
	}
	data, err := hex.DecodeString(msg)
	if err != nil || len(data) == 0 || data[0] != negVersion {
		return errNegMessage
	}
	r := negReader{data: data[1:]}
	var (
		at   uint64
		over bool // the bound without end has come
	)
	for len(r.data) > 0 && !r.bad {
		switch delta := r.number(); {
		case over:
			return errNegMessage
		case delta == 0:
			over = true
		default:
			if at += delta - 1; at > maxNegTime {
				return errNegMessage
			}
		}
		r.skip(r.upTo(32), 1)
		switch r.number() {
		case 0: // skip
		case 1:
			r.skip(16, 1) // a fingerprint
		case 2:
			r.skip(r.number(), 32)
		default:
			return errNegMessage
		}
	}
	if r.bad {
		return errNegMessage
	}
	return nil
}

const (
	negVersion = 0x61
	maxNegTime = 1 << 53
)

// negReader reads the numbers of a message. After one that is not there, bad is set.
type negReader struct {
	data []byte
	bad  bool
}

// number reads one of base 128, most significant digit first.
func (r *negReader) number() (v uint64) {
	for i, b := range r.data {
		if v = v<<7 | uint64(b&0x7f); v > maxNegTime+1 {
			break
		}
		if b < 0x80 {
			r.data = r.data[i+1:]
			return v
		}
	}
	r.bad, r.data = true, nil
	return 0
}

// upTo reads a number that may be so great.
func (r *negReader) upTo(most uint64) uint64 {
	n := r.number()
	if n > most {
		r.bad, n = true, 0
	}
	return n
}

func (r *negReader) skip(n uint64, size int) {
	if n > uint64(len(r.data)/size) {
		r.bad, r.data = true, nil
		return
	}
	r.data = r.data[int(n)*size:]
}
