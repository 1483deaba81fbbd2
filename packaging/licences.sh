#!/bin/sh
# Prints the licence of Bowerbird and those of everything that is linked into it. The text
# of the Apache licence, which many share, is printed once; not for Debian, which has it.
#   licences.sh [GOOS [debian]]
set -eu
cd "$(dirname "$0")/.."
section() { printf '\n%s\n%s\n\n' "================================================================" "$1"; }
whole="at the end of this file"
[ -z "${2:-}" ] || whole="in /usr/share/common-licenses/Apache-2.0"
modules=$(CGO_ENABLED=1 GOOS=${1:-linux} go list -deps -tags no_animations -f '{{with .Module}}{{if .Version}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./cmd/bowerbird | LC_ALL=C sort -u)
cat LICENSE
section "Go"
cat "$(go env GOROOT)/LICENSE"
echo "$modules" | while read -r path version dir; do
	section "$path $version"
	find "$dir" -maxdepth 1 -type f \( -iname 'licen[cs]e*' -o -iname 'copying*' -o -iname 'notice*' \) | LC_ALL=C sort | xargs -d '\n' \
		sed -E "/^ *Apache License\$/,/END OF TERMS AND CONDITIONS/{/^ *Apache License\$/s|.*|Apache License, Version 2.0: the text is $whole.|p; d}"
done
section "Inter, the typeface of the window"
cat assets/fonts/Inter-LICENSE.txt
if [ "${1:-linux}" = linux ]; then
	section "libsecp256k1"
	cat /usr/share/doc/libsecp256k1-dev/copyright
fi
if [ -z "${2:-}" ]; then
	section "Apache License"
	cat "$(go list -m -f '{{.Dir}}' github.com/spf13/cobra)/LICENSE.txt"
fi
