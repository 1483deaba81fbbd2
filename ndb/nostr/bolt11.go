package nostr

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"bowerbird/ndb/bech32"
)

const (
	maxInvoice = 4_096 // characters; real ones have a few hundred

	// In values of 5 bits: what stands before and behind an invoice's tagged fields.
	invoiceTime      = 7
	invoiceSignature = 104

	invoiceHash       = 23 // type of the field h: SHA-256 of the description
	invoiceHashValues = 52
)

// invoice is what a zap needs of a BOLT-11 lightning invoice.
type invoice struct {
	msats           int64 // more than 0
	descriptionHash [32]byte
	hasHash         bool
}

// parseInvoice reads an invoice of the main bitcoin network (lnbc): its checksum,
// amount and description hash. Its signature is not checked, as it could only
// show that some lightning node made it.
func parseInvoice(s string) (invoice, error) {
	if len(s) > maxInvoice {
		return invoice{}, fmt.Errorf("invoice: %d characters, at most %d are read", len(s), maxInvoice)
	}
	prefix, values, err := bech32.Decode(s)
	if err != nil {
		return invoice{}, fmt.Errorf("invoice: %w", err)
	}
	amount, ok := strings.CutPrefix(prefix, "lnbc")
	if !ok || strings.HasPrefix(amount, "rt") {
		return invoice{}, fmt.Errorf("invoice: prefix %.20q, want lnbc", prefix)
	}
	var inv invoice
	if inv.msats, err = parseInvoiceAmount(amount); err != nil {
		return invoice{}, fmt.Errorf("invoice: %w", err)
	}
	if len(values) < invoiceTime+invoiceSignature {
		return invoice{}, errors.New("invoice: it is cut off")
	}
	if err := inv.readFields(values[invoiceTime : len(values)-invoiceSignature]); err != nil {
		return invoice{}, fmt.Errorf("invoice: %w", err)
	}
	return inv, nil
}

// parseInvoiceAmount reads digits and a multiplier of bitcoin: m, u, n or p for
// thousandths down to millionths of millionths, as thousandths of a satoshi.
func parseInvoiceAmount(s string) (int64, error) {
	if s == "" {
		return 0, errors.New("it asks for no amount")
	}
	digits := strings.TrimRight(s, "munp")
	msats, most := int64(100_000_000_000), int64(21_000_000) // a whole bitcoin, and how many there can be
	switch s[len(digits):] {
	case "":
	case "m":
		msats, most = msats/1e3, most*1e3
	case "u":
		msats, most = msats/1e6, most*1e6
	case "n":
		msats, most = msats/1e9, most*1e9
	case "p":
		// A tenth of a millisatoshi: only whole tens can be paid.
		if !strings.HasSuffix(digits, "0") {
			return 0, fmt.Errorf("its amount %.20q is no whole number of millisatoshis", s)
		}
		digits = digits[:len(digits)-1]
		msats, most = 1, most*1e11
	default:
		return 0, fmt.Errorf("its amount %.20q has an unknown multiplier", s)
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > most || digits[0] < '1' || digits[0] > '9' {
		return 0, fmt.Errorf("its amount %.20q is no amount", s)
	}
	return n * msats, nil
}

// readFields reads the tagged fields: type, length in two values, values.
func (inv *invoice) readFields(values []byte) error {
	for len(values) > 0 {
		if len(values) < 3 {
			return errors.New("a field is cut off")
		}
		typ, n := values[0], int(values[1])<<5|int(values[2])
		if values = values[3:]; n > len(values) {
			return errors.New("a field is cut off")
		}
		// A hash of another length must be skipped, says BOLT 11.
		if typ == invoiceHash && n == invoiceHashValues && !inv.hasHash {
			hash, err := bech32.Bytes(values[:n])
			if err != nil {
				return err
			}
			inv.hasHash = true
			copy(inv.descriptionHash[:], hash)
		}
		values = values[n:]
	}
	return nil
}
