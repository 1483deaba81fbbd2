package tools

import (
	"context"
	"crypto/rand"
	_ "embed"
	"fmt"
	"io"
)

//go:embed random_uuid.md
var randomUUIDDoc string

// RandomUUIDArgs are the arguments of random_uuid: none.
type RandomUUIDArgs struct{}

// RandomUUIDResult is the answer of random_uuid.
type RandomUUIDResult struct {
	UUID string `json:"uuid"` // RFC 9562, version 4
}

func runRandomUUID(_ context.Context, env *Env, _ RandomUUIDArgs) (RandomUUIDResult, error) {
	random := env.Random
	if random == nil {
		random = rand.Reader
	}
	var b [16]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return RandomUUIDResult{}, fmt.Errorf("read random bytes: %w", err)
	}
	b[6] = b[6]&0x0f | 0x40 // version 4
	b[8] = b[8]&0x3f | 0x80 // variant of RFC 9562
	return RandomUUIDResult{fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])}, nil
}

// ForModel implements Result.
func (r RandomUUIDResult) ForModel(limit int) string {
	return Fit(limit, 0, func(_, _ int) any { return r })
}
