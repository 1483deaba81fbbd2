package actor

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"github.com/btcsuite/btcd/btcec/v2/ecdsa"

	"bowerbird/ndb/bech32"
	"bowerbird/ndb/nostr"
)

// ZapReceipt is what a, the wallet of the person who is paid, would publish (NIP-57), signed:
// the sender's signed request and an invoice (BOLT 11) over its hash.
func (a *Actor) ZapReceipt(at time.Time, sender *Actor, target *Post, sats int64, comment string) (*nostr.Event, error) {
	key := target.By.PubKey.String()
	request := sender.event(kindZapAsk, at.Add(-2*time.Second), comment, nostr.Tags{
		append(nostr.Tag{"relays"}, target.By.Relays...),
		{"amount", strconv.FormatInt(sats*1000, 10)},
		{"lnurl", bech32.EncodeBytes("lnurl", []byte("https://wallet.example/.well-known/lnurlp/"+target.By.Handle))},
		{"p", key},
		{"e", target.Event.ID.String()},
		{"k", strconv.Itoa(int(target.Event.Kind))},
	})
	if err := sender.Sign(request); err != nil {
		return nil, err
	}
	description := string(request.AppendJSON(nil))
	preimage := sha256.Sum256(request.ID[:])
	bolt11 := a.invoice(at.Add(-time.Second), sats, preimage, description)
	receipt := a.event(kindZap, at, "", nostr.Tags{
		{"p", key},
		{"P", sender.PubKey.String()},
		{"e", target.Event.ID.String()},
		{"k", strconv.Itoa(int(target.Event.Kind))},
		{"bolt11", bolt11},
		{"description", description},
		{"preimage", hex.EncodeToString(preimage[:])},
	})
	return receipt, a.Sign(receipt)
}

// The tagged fields of an invoice, each by the value of its letter.
const (
	fieldHash        = 1  // p
	fieldFeatures    = 5  // 9
	fieldExpiry      = 6  // x
	fieldSecret      = 16 // s
	fieldDescription = 23 // h
)

// invoice writes a signed BOLT 11 invoice that commits to the description by its
// hash. Nobody can pay it: no node has the wallet's throwaway key.
func (a *Actor) invoice(at time.Time, sats int64, preimage [32]byte, description string) string {
	hrp := "lnbc" + bitcoinAmount(sats)
	payment := sha256.Sum256(preimage[:])
	secret := sha256.Sum256(payment[:])
	hash := sha256.Sum256([]byte(description))

	groups := make([]byte, 0, 300)
	for i := range 7 {
		groups = append(groups, byte(at.Unix()>>(5*(6-i))&31))
	}
	field := func(name byte, value []byte) {
		groups = append(groups, name, byte(len(value)>>5), byte(len(value)&31))
		groups = append(groups, value...)
	}
	field(fieldSecret, bech32.Values(secret[:]))
	field(fieldHash, bech32.Values(payment[:]))
	field(fieldDescription, bech32.Values(hash[:]))
	field(fieldExpiry, []byte{1, 24, 8})   // expires after 1,800 s
	field(fieldFeatures, []byte{16, 8, 0}) // needs payment secrets (bits 8 and 14)
	signed := sha256.Sum256(append([]byte(hrp), bech32.PaddedBytes(groups)...))
	// SignCompact puts the recovery code first, BOLT 11 wants it last.
	compact := ecdsa.SignCompact(a.key, signed[:], true)
	sig := append(compact[1:], compact[0]-31)
	return bech32.Encode(hrp, append(groups, bech32.Values(sig)...))
}

// bitcoinAmount writes satoshis in the shortest form, as BOLT 11 demands: milli
// is 100,000 sats, micro is 100, and a tenth of one is a nano.
func bitcoinAmount(sats int64) string {
	switch {
	case sats%100_000 == 0:
		return fmt.Sprintf("%dm", sats/100_000)
	case sats%100 == 0:
		return fmt.Sprintf("%du", sats/100)
	default:
		return fmt.Sprintf("%dn", sats*10)
	}
}
