// Package e2e holds tests that run the built program as a person would, over real
// relays and a scripted model server on loopback. `make e2e` builds and runs it.
package e2e
