#!/bin/sh
# Builds the packages of HEAD in two folders, each with an empty cache, and compares them
# byte by byte.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for clone in a another-place; do
	git clone -q . "$work/$clone"
	(cd "$work/$clone" && GOCACHE=$PWD/dist/cache packaging/packages.sh >/dev/null)
done
cd "$work"
cmp a/dist/bowerbird-*-linux-*/bin/bowerbird another-place/dist/bowerbird-*-linux-*/bin/bowerbird
diff a/dist/SHA256SUMS "another-place/dist/SHA256SUMS"
cat a/dist/SHA256SUMS
