package app

import (
	"os"
	"strings"
	"time"
)

// localZone returns this computer's zone under its IANA name, by which models know it;
// time.Local where the name cannot be found out.
func localZone(getenv func(string) string) *time.Location {
	name := strings.TrimPrefix(getenv("TZ"), ":")
	if name == "" {
		// Where there is no such link, as on Windows, the zone has no name.
		name, _ = os.Readlink("/etc/localtime")
	}
	if _, below, found := strings.Cut(name, "zoneinfo/"); found {
		name = below
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" {
		return time.Local
	}
	now := time.Now()
	_, here := now.Zone()
	if _, there := now.In(zone).Zone(); there != here {
		return time.Local
	}
	return zone
}
