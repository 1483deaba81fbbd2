package relay

import (
	"errors"
	"reflect"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/netsafe"
)

func TestWhatARelaySaysOfItselfIsReadWithCare(t *testing.T) {
	server := testkit.StartHostile(t)
	tests := []struct {
		way  string
		want Info
		err  error
	}{
		{"info-good", Info{
			MaxLimit: 500, MaxSubscriptions: 20, MaxMessageLength: 65536,
		}, nil},
		{"info-odd", Info{}, nil},
		{"info-array", Info{}, netsafe.Protocol},
		{"info-endless", Info{}, netsafe.TooLarge},
		{"http-404", Info{}, netsafe.Status},
		{"redirect", Info{}, netsafe.Status},
	}
	for _, test := range tests {
		t.Run(test.way, func(t *testing.T) {
			got, err := FetchInfo(t.Context(), netsafe.New(netsafe.Policy{AllowPrivate: true}), server.At(test.way))
			if !errors.Is(err, test.err) {
				t.Fatalf("error %v, want %v", err, test.err)
			}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("%+v, want %+v", got, test.want)
			}
		})
	}
}

func FuzzParseInfo(f *testing.F) {
	f.Add([]byte(`{"name":"x","supported_nips":[1,"2"],"limitation":{"max_limit":1}}`))
	f.Add([]byte(`{"limitation":null,"supported_nips":{"a":1}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		info, err := parseInfo(data)
		if err == nil && (info.MaxLimit < 0 || info.MaxSubscriptions < 0 || info.MaxMessageLength < 0) {
			t.Errorf("%+v", info)
		}
	})
}
