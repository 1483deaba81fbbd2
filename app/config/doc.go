// Package config reads and writes the user's settings, knows where things lie on
// each system, and keeps secrets in the system's keyring.
//
// It promises that a secret is never written to the settings file and that a
// settings file it cannot understand is never overwritten. What the settings
// mean is left to the packages that use them.
package config
