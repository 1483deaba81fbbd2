package bech32

import (
	"bytes"
	"strings"
	"testing"
)

// The example of LUD-01, of more than 90 characters.
func TestACodeIsReadAndWritten(t *testing.T) {
	const (
		code = "LNURL1DP68GURN8GHJ7UM9WFMXJCM99E3K7MF0V9CXJ0M385EKVCENXC6R2C35XVUKXEFCV5MKVV34X5EKZD3EV56NYD3HXQURZEPEXEJXXEPNXSCRVWFNV9NXZCN9XQ6XYEFHVGCXXCMYXYMNSERXFQ5FNS"
		url  = "https://service.com/api?q=3fc3645b439ce8e7f2553a69e5267081d96dcd340693afabe04be7b0ccd178df"
	)
	prefix, values, err := Decode(code)
	if err != nil || prefix != "lnurl" {
		t.Fatal(prefix, err)
	}
	if data, err := Bytes(values); err != nil || string(data) != url {
		t.Errorf("%q, %v", data, err)
	}
	if got := EncodeBytes("lnurl", []byte(url)); got != strings.ToLower(code) {
		t.Error(got)
	}
}

func TestBitsThatFillNoByteAreRefusedOrPadded(t *testing.T) {
	for _, test := range []struct {
		values, padded []byte
		whole          bool
	}{
		{nil, nil, true},
		{[]byte{31}, []byte{0xf8}, false},
		{[]byte{31, 28}, []byte{0xff, 0}, true},
		{[]byte{31, 29}, []byte{0xff, 0x40}, false},
		{[]byte{0, 0, 0}, []byte{0, 0}, false},
	} {
		if got := PaddedBytes(test.values); !bytes.Equal(got, test.padded) {
			t.Errorf("%v padded is %x, want %x", test.values, got, test.padded)
		}
		if _, err := Bytes(test.values); (err == nil) != test.whole {
			t.Errorf("%v: %v", test.values, err)
		}
	}
}
