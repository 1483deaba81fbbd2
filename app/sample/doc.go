// Package sample turns the hand-written texts of assets/sample into the sample that the
// program shows to a person who has no account yet: about 60 people and 2,000 signed
// events in the ten days up to a given clock.
//
// Every event passes ndb's Verify, every reply names its thread and the people
// it answers, every zap receipt passes ndb's ParseZap. The same options give the
// same events, byte for byte. Nothing is read from the clock, the network or the
// machine's randomness.
//
// Storing the events is left to ndb, and showing them to others.
package sample
