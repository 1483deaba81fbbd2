package sample

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"github.com/btcsuite/btcd/btcec/v2/ecdsa"

	"bowerbird/ndb"
)

// zapReceipt is what the wallet of the one who is paid would publish (NIP-57):
// the sender's signed request and an invoice (BOLT 11) over its hash.
func zapReceipt(wallet, sender *actor, at time.Time, target *post, sats int64, comment string) (*ndb.Event, error) {
	key := target.by.PubKey.String()
	request := sender.event(kindZapAsk, at.Add(-2*time.Second), comment, ndb.Tags{
		append(ndb.Tag{"relays"}, target.by.relays...),
		{"amount", strconv.FormatInt(sats*1000, 10)},
		{"lnurl", lnurl(target.by.Handle)},
		{"p", key},
		{"e", target.event.ID.String()},
		{"k", strconv.Itoa(int(target.event.Kind))},
	})
	if err := sender.signer.sign(request); err != nil {
		return nil, err
	}
	description := string(request.AppendJSON(nil))
	preimage := sha256.Sum256(request.ID[:])
	bolt11 := invoice(wallet.signer, at.Add(-time.Second), sats, preimage, description)
	receipt := wallet.event(kindZap, at, "", ndb.Tags{
		{"p", key},
		{"P", sender.PubKey.String()},
		{"e", target.event.ID.String()},
		{"k", strconv.Itoa(int(target.event.Kind))},
		{"bolt11", bolt11},
		{"description", description},
		{"preimage", hex.EncodeToString(preimage[:])},
	})
	return receipt, wallet.signer.sign(receipt)
}

// invoice writes a signed BOLT 11 invoice that commits to the description by its
// hash. Nobody can pay it: no node has the wallet's throwaway key.
func invoice(s *signer, at time.Time, sats int64, preimage [32]byte, description string) string {
	hrp := "lnbc" + bitcoinAmount(sats)
	payment := sha256.Sum256(preimage[:])
	secret := sha256.Sum256(payment[:])
	hash := sha256.Sum256([]byte(description))

	groups := make([]byte, 0, 300)
	for i := range 7 {
		groups = append(groups, byte(at.Unix()>>(5*(6-i))&31))
	}
	groups = appendField(groups, 's', fiveBits(secret[:]))
	groups = appendField(groups, 'p', fiveBits(payment[:]))
	groups = appendField(groups, 'h', fiveBits(hash[:]))
	groups = appendField(groups, 'x', []byte{1, 24, 8}) // expires after 1,800 s
	groups = appendField(groups, '9', []byte{16, 8, 0}) // needs payment secrets (bits 8 and 14)
	signed := sha256.Sum256(append([]byte(hrp), eightBits(groups)...))
	// SignCompact puts the recovery code first, BOLT 11 wants it last.
	compact := ecdsa.SignCompact(s.key, signed[:], true)
	sig := append(compact[1:], compact[0]-31)
	return bech32Encode(hrp, append(groups, fiveBits(sig)...))
}

func appendField(groups []byte, name byte, value []byte) []byte {
	for i := range len(bech32Digits) {
		if bech32Digits[i] == name {
			groups = append(groups, byte(i))
		}
	}
	groups = append(groups, byte(len(value)>>5), byte(len(value)&31))
	return append(groups, value...)
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
