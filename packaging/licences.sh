#!/bin/sh
# Prints the licence of Bowerbird and those of everything that is linked into it.
#   licences.sh [GOOS]
set -eu
cd "$(dirname "$0")/.."
section() { printf '\n%s\n%s\n\n' "================================================================" "$1"; }
cat LICENSE
section "Go"
cat "$(go env GOROOT)/LICENSE"
CGO_ENABLED=1 GOOS=${1:-linux} go list -deps -tags no_animations -f '{{with .Module}}{{if .Version}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./cmd/bowerbird |
	sort -u | while read -r path version dir; do
	section "$path $version"
	find "$dir" -maxdepth 1 -type f \( -iname 'licen[cs]e*' -o -iname 'copying*' -o -iname 'notice*' \) | sort | xargs -d '\n' cat
done
section "Inter, the typeface of the window"
cat assets/fonts/Inter-LICENSE.txt
if [ "${1:-linux}" = linux ]; then
	section "libsecp256k1"
	cat /usr/share/doc/libsecp256k1-dev/copyright
fi
