package nostr

import (
	"crypto/sha256"
	"strings"
	"testing"

	"bowerbird/ndb/bech32"
)

// encodeInvoice writes an invoice of an amount with the given tagged fields,
// with a signature of zeros.
func encodeInvoice(prefix string, fields ...byte) string {
	values := append(make([]byte, invoiceTime), fields...)
	return bech32.Encode(prefix, append(values, make([]byte, invoiceSignature)...))
}

// hashField is the tagged field h with the SHA-256 of a description.
func hashField(description string) []byte {
	hash := sha256.Sum256([]byte(description))
	return append([]byte{invoiceHash, invoiceHashValues >> 5, invoiceHashValues & 31}, bech32.Values(hash[:])...)
}

func TestParseZapReadsAReceipt(t *testing.T) {
	sender := signed(t, 1, Event{Kind: 1}).PubKey
	target := "30023:" + someKey + ":x"
	tests := []struct {
		name    string
		request Tags
		amount  string // of the invoice
		receipt Tags
		want    Zap
	}{
		{"a note zapped", Tags{{"p", someKey}, {"e", someID}, {"amount", "21000"}}, "210n", Tags{{"p", someKey}, {"e", someID}, {"P", sender.String()}}, Zap{Sats: 21, Event: ID{31: 0xaa}}},
		{"a profile zapped", Tags{{"p", someKey}}, "1u", Tags{{"p", someKey}}, Zap{Sats: 100}},
		{"an address zapped", Tags{{"p", someKey}, {"a", target}}, "1m", Tags{{"p", someKey}, {"a", target}}, Zap{Sats: 100_000}},
		{"parts of a satoshi", Tags{{"p", someKey}, {"amount", "1999"}}, "19990p", Tags{{"p", someKey}}, Zap{Sats: 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			request := string(signed(t, 1, Event{Kind: kindZapRequest, Tags: test.request}).AppendJSON(nil))
			invoice := encodeInvoice("lnbc"+test.amount, hashField(request)...)
			receipt := signed(t, 2, Event{Kind: KindZap, Tags: append(test.receipt, Tag{"bolt11", invoice}, Tag{"description", request})})
			test.want.Sender = sender
			got, err := ParseZap(receipt)
			if err != nil || got != test.want {
				t.Errorf("got %+v, %v\nwant %+v", got, err, test.want)
			}
		})
	}
}

func TestParseZapRefusesWhatDoesNotAddUp(t *testing.T) {
	request := Event{Kind: kindZapRequest, Tags: Tags{{"p", someKey}, {"e", someID}, {"amount", "21000"}}}
	good := string(signed(t, 1, request).AppendJSON(nil))
	line := func(change func(*Event)) string {
		e := request
		e.Tags = append(Tags{}, request.Tags...)
		change(&e)
		return string(signed(t, 1, e).AppendJSON(nil))
	}
	forged := strings.Replace(good, `"content":""`, `"content":"more"`, 1)
	tests := []struct {
		name        string
		description string
		prefix      string
		change      func(*Event)
		want        string
	}{
		{"another kind", good, "lnbc210n", func(e *Event) { e.Kind = 1 }, "kind 1, want 9735"},
		{"no request", "", "lnbc210n", nil, "zap request"},
		{"a forged request", forged, "lnbc210n", nil, "the id is"},
		{"a request of another kind", line(func(e *Event) { e.Kind = 1 }), "lnbc210n", nil, "kind 1, want 9734"},
		{"two people in the request", line(func(e *Event) { e.Tags = append(e.Tags, Tag{"p", someKey}) }), "lnbc210n", nil, "2 p tags"},
		{"nobody in the request", line(func(e *Event) { e.Tags = e.Tags[1:] }), "lnbc210n", nil, "0 p tags"},
		{"a request for a bad key", line(func(e *Event) { e.Tags[0] = Tag{"p", "x"} }), "lnbc210n", nil, "public key"},
		{"a request for another amount", line(func(e *Event) { e.Tags[2] = Tag{"amount", "22000"} }), "lnbc210n", nil, "is of 21000"},
		{"two amounts in the request", line(func(e *Event) { e.Tags = append(e.Tags, Tag{"amount", "21000"}) }), "lnbc210n", nil, "2 amount tags"},
		{"an invoice of another amount", good, "lnbc220n", nil, "is of 22000"},
		{"an invoice without an amount", good, "lnbc", nil, "no amount"},
		{"an invoice of a test network", good, "lntb210n", nil, "want lnbc"},
		{"an invoice of a private network", good, "lnbcrt210n", nil, "want lnbc"},
		{"another person", good, "lnbc210n", func(e *Event) { e.Tags[0] = Tag{"p", someID} }, "p tag differs"},
		{"two people", good, "lnbc210n", func(e *Event) { e.Tags = append(e.Tags, Tag{"p", someKey}) }, "p tag differs"},
		{"another note", good, "lnbc210n", func(e *Event) { e.Tags[1] = Tag{"e", someKey} }, "e tag differs"},
		{"no note", good, "lnbc210n", func(e *Event) { e.Tags = e.Tags[2:]; e.Tags = append(e.Tags, Tag{"p", someKey}) }, "e tag differs"},
		{"an address that was not zapped", good, "lnbc210n", func(e *Event) { e.Tags = append(e.Tags, Tag{"a", "30023:x:y"}) }, "a tag differs"},
		{"another sender", good, "lnbc210n", func(e *Event) { e.Tags = append(e.Tags, Tag{"P", someKey}) }, "P tag"},
		{"two invoices", good, "lnbc210n", func(e *Event) { e.Tags = append(e.Tags, Tag{"bolt11", "x"}) }, "2 bolt11 tags"},
		{"white space changed behind the hash", good, "lnbc210n", func(e *Event) { e.Tags[3][1] += " " }, "description hash"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			receipt := &Event{Kind: KindZap, Tags: Tags{
				{"p", someKey},
				{"e", someID},
				{"bolt11", encodeInvoice(test.prefix, hashField(test.description)...)},
				{"description", test.description},
			}}
			if test.change != nil {
				test.change(receipt)
			}
			if zap, err := ParseZap(receipt); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %+v, %v, want ...%s...", zap, err, test.want)
			}
		})
	}
}

func TestRealReceipts(t *testing.T) {
	good, zaps := 0, 0
	for _, e := range realEvents(t) {
		if e.Kind != KindZap {
			continue
		}
		zaps++
		zap, err := ParseZap(e)
		switch {
		case err == nil:
			good++
			if zap.Sats <= 0 || zap.Sats > 1000 {
				t.Errorf("%s: %d sats", e.ID, zap.Sats)
			}
		case !strings.Contains(err.Error(), "description hash"):
			t.Errorf("%s: %v", e.ID, err)
		}
	}
	// Of the others 8 invoices name no hash, 2 the hash of something else.
	if good != 11 || zaps != 21 {
		t.Errorf("%d of %d receipts are good, want 11 of 21", good, zaps)
	}
}

func TestParseInvoiceReadsTheExamplesOfBOLT11(t *testing.T) {
	const (
		coffee  = "lnbc2500u1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpu9qrsgquk0rl77nj30yxdy8j9vdx85fkpmdla2087ne0xh8nhedh8w27kyke0lp53ut353s06fv3qfegext0eh0ymjpf39tuven09sam30g4vgpfna3rh"
		hashed  = "lnbc20m1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqhp58yjmdan79s6qqdhdzgynm4zwqd5d7xmw5fk98klysy043l2ahrqs9qrsgq7ea976txfraylvgzuxs8kgcw23ezlrszfnh8r6qtfpr6cxga50aj6txm9rxrydzd06dfeawfk6swupvz4erwnyutnjq7x39ymw6j38gp7ynn44"
		anysats = "lnbc1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdpl2pkx2ctnv5sxxmmwwd5kgetjypeh2ursdae8g6twvus8g6rfwvs8qun0dfjkxaq9qrsgq357wnc5r2ueh7ck6q93dj32dlqnls087fxdwk8qakdyafkq3yap9us6v52vjjsrvywa6rt52cm9r9zqt8r2t7mlcwspyetp5h2tztugp9lfyql"
	)
	inv, err := parseInvoice(coffee)
	if err != nil || inv.msats != 250_000_000 || inv.hasHash {
		t.Errorf("coffee: %+v, %v", inv, err)
	}
	shopping := "One piece of chocolate cake, one icecream cone, one pickle, one slice of swiss cheese, one slice of salami, one lollypop, one piece of cherry pie, one sausage, one cupcake, and one slice of watermelon"
	inv, err = parseInvoice(strings.ToUpper(hashed))
	if err != nil || inv.msats != 2_000_000_000 || inv.descriptionHash != sha256.Sum256([]byte(shopping)) {
		t.Errorf("hashed: %+v, %v", inv, err)
	}
	if _, err := parseInvoice(anysats); err == nil || !strings.Contains(err.Error(), "no amount") {
		t.Errorf("any amount: %v", err)
	}
}

func TestParseInvoiceAmount(t *testing.T) {
	good := map[string]int64{
		"1": 100_000_000_000, "21000000": 2_100_000_000_000_000_000, "20m": 2_000_000_000,
		"2500u": 250_000_000, "10n": 1000, "1n": 100, "10p": 1, "9678785340p": 967_878_534,
	}
	for s, want := range good {
		if got, err := parseInvoiceAmount(s); err != nil || got != want {
			t.Errorf("%s: %d, %v, want %d", s, got, err, want)
		}
	}
	for _, s := range []string{
		"", "m", "p", "0", "0p", "00p", "01", "-1", "+1", "1k", "1mm", "1.5m", "m1", "2500000001p", "21000001", "21000001000m",
		"9223372036854775808", "99999999999999999999999p", "１",
	} {
		if got, err := parseInvoiceAmount(s); err == nil {
			t.Errorf("%q was read as %d", s, got)
		}
	}
}

func TestParseInvoiceRefusesBrokenFields(t *testing.T) {
	hash := hashField("x")
	spoilt := append([]byte{}, hash...)
	spoilt[len(spoilt)-1] |= 1 // the last four bits are padding
	tests := []struct {
		name, text, want string
	}{
		{"cut in the signature", bech32.EncodeBytes("lnbc1n", make([]byte, 60)), "cut off"},
		{"a field without a length", encodeInvoice("lnbc1n", invoiceHash, 1), "cut off"},
		{"a field longer than the rest", encodeInvoice("lnbc1n", 13, 31, 31, 0), "cut off"},
		{"a hash with padding that is not zero", encodeInvoice("lnbc1n", spoilt...), "middle of a byte"},
		{"a wrong character", "lnbc2" + encodeInvoice("lnbc1n", hash...)[5:], "checksum"},
		{"very long", strings.Repeat("q", maxInvoice+1), "at most 4096"},
	}
	for _, test := range tests {
		if _, err := parseInvoice(test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want ...%s...", test.name, err, test.want)
		}
	}
	other := []byte{invoiceHash, 0, 1, 5}
	inv, err := parseInvoice(encodeInvoice("lnbc1n", append(other, hash...)...))
	if err != nil || inv.descriptionHash != sha256.Sum256([]byte("x")) {
		t.Errorf("a hash of another length before the right one: %+v, %v", inv, err)
	}
}

func FuzzParseInvoice(f *testing.F) {
	f.Add("lnbc210n", hashField("x"))
	f.Add("lnbc", []byte{13, 0, 1, 5})
	f.Fuzz(func(t *testing.T, prefix string, fields []byte) {
		for i := range fields {
			fields[i] &= 31
		}
		for _, text := range []string{prefix, encodeInvoice(prefix, fields...)} {
			if inv, err := parseInvoice(text); err == nil && inv.msats <= 0 {
				t.Errorf("%q asks for %d", text, inv.msats)
			}
		}
	})
}
