// Package config reads and writes the user's settings, knows where files belong on each
// system, and keeps secrets in the system's keyring.
//
// A secret is never written to the settings file, and a settings file that cannot be
// understood is never overwritten. What the settings mean is left to the packages that
// use them.
package config
