#!/bin/sh
# Writes what the program of this system is made of, as CycloneDX, into dist/.
set -eu
cd "$(dirname "$0")/.."
# shellcheck source=packaging/release.env
. packaging/release.env
mkdir -p dist
out=dist/bowerbird-$VERSION-$(go env GOOS).cdx.json
GOFLAGS="-buildvcs=false -tags=no_animations" CGO_ENABLED=1 go run github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.9.0 \
	app -json -licenses -noserial -assert-licenses -main cmd/bowerbird -output "$out" .
packaging/sums.sh
