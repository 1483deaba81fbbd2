package nostr

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"
)

const kindZapRequest = 9734

// Zap is what a verified zap receipt (NIP-57) says.
type Zap struct {
	Sats   int64  // whole satoshis
	Sender PubKey // the zap request's author
	Event  ID     // zero when a profile or an address was zapped
}

// ParseZap reads a kind 9735 receipt that was verified as an event. It must hold,
// each once but for what may be absent:
//   - description: a zap request, an event of kind 9734 with valid id and signature
//   - p, with the same key as the request's one p tag
//   - e and a, where the request has them, and only then, with the same value
//   - P, where there is one, with the key of the request's author
//   - bolt11: an invoice of the main network with right checksum, with an amount,
//     which the request's amount tag must equal where it has one, and with the
//     field h, the SHA-256 of the description tag's value byte for byte
//
// Real receipts often lack h, contrary to NIP-57; nothing then ties the invoice to the
// request, so they are refused.
//
// Whether the receipt's author is the recipient's LNURL provider cannot be known without
// the network: callers that know the provider's key compare it. Otherwise anybody may
// have made the receipt up.
func ParseZap(e *Event) (Zap, error) {
	zap, err := parseZap(e)
	if err != nil {
		return Zap{}, fmt.Errorf("zap receipt: %w", err)
	}
	return zap, nil
}

func parseZap(e *Event) (Zap, error) {
	if e.Kind != KindZap {
		return Zap{}, fmt.Errorf("kind %d, want %d", e.Kind, KindZap)
	}
	description, err := e.Tags.one("description")
	if err != nil {
		return Zap{}, err
	}
	request, err := parseZapRequest(description)
	if err != nil {
		return Zap{}, err
	}
	zap := Zap{Sender: request.PubKey}
	if err := zap.readTarget(e.Tags, request); err != nil {
		return Zap{}, err
	}
	bolt11, err := e.Tags.one("bolt11")
	if err != nil {
		return Zap{}, err
	}
	inv, err := parseInvoice(bolt11)
	if err != nil {
		return Zap{}, err
	}
	if !inv.hasHash || inv.descriptionHash != sha256.Sum256([]byte(description)) {
		return Zap{}, errors.New("the invoice was not made for this zap request (description hash)")
	}
	if n := request.Tags.count("amount"); n > 0 {
		asked, err := request.Tags.one("amount")
		if err != nil {
			return Zap{}, err
		}
		if asked != strconv.FormatInt(inv.msats, 10) {
			return Zap{}, fmt.Errorf("asked for %.20q millisatoshis, the invoice is of %d", asked, inv.msats)
		}
	}
	zap.Sats = inv.msats / 1000
	return zap, nil
}

func parseZapRequest(description string) (*Event, error) {
	request, err := ParseEvent([]byte(description))
	if err != nil {
		return nil, fmt.Errorf("zap request: %w", err)
	}
	if request.Kind != kindZapRequest {
		return nil, fmt.Errorf("zap request: kind %d, want %d", request.Kind, kindZapRequest)
	}
	if err := request.Verify(); err != nil {
		return nil, fmt.Errorf("zap request: %w", err)
	}
	return request, nil
}

// readTarget reads whom and what was zapped, on which receipt and request must agree.
func (z *Zap) readTarget(receipt Tags, request *Event) error {
	to, err := request.Tags.one("p")
	if err != nil {
		return fmt.Errorf("zap request: %w", err)
	}
	if _, err = ParsePubKey(to); err != nil {
		return fmt.Errorf("zap request: %w", err)
	}
	for _, name := range []string{"p", "e", "a"} {
		given, asked := receipt.count(name), request.Tags.count(name)
		value, _ := receipt.Value(name)
		wanted, _ := request.Tags.Value(name)
		if given != asked || asked > 1 || value != wanted {
			return fmt.Errorf("its %s tag differs from the zap request's", name)
		}
	}
	if id, ok := request.Tags.Value("e"); ok {
		if z.Event, err = ParseID(id); err != nil {
			return fmt.Errorf("zap request: %w", err)
		}
	}
	if sender, ok := receipt.Value("P"); ok && sender != request.PubKey.String() {
		return errors.New("its P tag is not the zap request's author")
	}
	return nil
}

// count returns how many tags have the name and a value.
func (ts Tags) count(name string) (n int) {
	for _, t := range ts {
		if len(t) > 1 && t[0] == name {
			n++
		}
	}
	return n
}

// one returns the value of the only tag called name.
func (ts Tags) one(name string) (string, error) {
	if n := ts.count(name); n != 1 {
		return "", fmt.Errorf("%d %s tags, want 1", n, name)
	}
	value, _ := ts.Value(name)
	return value, nil
}
