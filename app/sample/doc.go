// Package sample makes up parts of Nostr: people with keys, and the signed
// events that they would have sent.
//
// [Make] turns the hand-written texts of assets/sample into the sample that the
// program shows to a person who has no account yet: about 60 people and 2,000
// events in the ten days up to a given clock. [MakeWorld] and [WriteJSONL] make
// test worlds of any size out of made-up words, with facts planted in them to
// measure a digest by.
//
// Every event passes ndb's Verify, every reply names its thread and the people
// it answers, every zap receipt passes ndb's ParseZap. The same options give the
// same events, byte for byte. Nothing is read from the clock, the network or the
// machine's randomness.
//
// All keys are throwaway: each is the SHA-256 of a public label, so anyone can
// compute it. None may ever be used for a real account.
//
// Storing the events is left to ndb, and showing them to others.
package sample
