// Package sample turns the hand-written texts of assets/sample into the sample that the
// program shows to a person who has no account yet: about 60 people and 2,000 signed
// events, nearly all of them in the ten days up to a given clock.
//
// Every event passes ndb's Verify, every reply names its thread and the people it
// answers, and every zap receipt passes ndb's ParseZap. The same options make the same
// events, byte for byte. Nothing is read from the clock, the network or the machine's
// randomness.
//
// Storing and showing the events is left to others.
package sample
