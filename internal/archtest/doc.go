// Package archtest holds the project to its structure: who may import whom, what
// must not be reached from where, and which calls are forbidden.
package archtest
