#!/bin/sh
# Writes dist/SHA256SUMS of the packages that are there.
set -eu
cd "$(dirname "$0")/../dist"
find . -maxdepth 1 -type f \( -name '*.deb' -o -name '*.rpm' -o -name '*.tar.gz' -o -name '*.exe' -o -name '*.zip' \) -printf '%f\n' |
	LC_ALL=C sort | xargs -d '\n' sha256sum >SHA256SUMS
cat SHA256SUMS
