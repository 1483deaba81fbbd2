// Package netsafe holds the only dialer and HTTP client of the program that may
// reach the network.
//
// It promises that a connection goes to no address that the Policy refuses: the
// check stands after name resolution and at each redirect, so a name that
// resolves to a private address reaches nothing. It sends no cookies and no
// Referer, ignores the proxy variables of the environment, needs TLS 1.2 or
// later, and reads no more of a header or a body than it was told to.
// Every failure is an *Error whose Kind a caller can act on.
//
// What is asked of whom, and when to try again, is left to the callers.
package netsafe
