#!/bin/sh
# Builds the packages for Windows of this commit into dist/, with the cross-compiler of
# mingw: an installer and a zip. bowerbird.exe is the window, bowerbird-cli.exe the same
# program for terminals: Windows tells the two apart by a number in the file. Both exes and
# the installer are signed if SIGN_PFX names a PKCS#12 file (its password in SIGN_PASS).
set -eu
cd "$(dirname "$0")/../.."
# shellcheck source=packaging/release.env
. packaging/release.env
name=bowerbird-$VERSION-windows-amd64
work=dist/windows
tree=dist/$name
rm -rf "$work" "$tree"
mkdir -p "$work" "$tree"

for size in 16 24 32 48 64 256; do
	rsvg-convert -w $size -h $size -o "$work/$size.png" assets/icons/bowerbird.svg
done
icotool -c -o "$work/bowerbird.ico" "$work"/[1-6]?.png -r "$work/256.png"
cp packaging/windows/bowerbird.rc packaging/windows/bowerbird.manifest "$work/"
numbers=$(echo "${VERSION%%-*}" | tr . ,),0
x86_64-w64-mingw32-windres -I "$work" -D "NUMBERS=$numbers" -D "VERSION=\\\"$VERSION\\\"" "$work/bowerbird.rc" "$work/resource.o"

# shellcheck disable=SC2086 # flags
CGO_ENABLED=1 GOOS=windows GOARCH=amd64 CC=x86_64-w64-mingw32-gcc go build $BUILD -tags no_animations \
	-ldflags "$LDFLAGS -H windowsgui -extldflags '$PWD/$work/resource.o'" -o "$tree/bowerbird.exe" ./cmd/bowerbird
cp "$tree/bowerbird.exe" "$tree/bowerbird-cli.exe"
header=$(od -An -tu4 -j60 -N4 "$tree/bowerbird.exe")
printf '\003' | dd of="$tree/bowerbird-cli.exe" bs=1 seek=$((header + 92)) conv=notrunc status=none
cp README.md CHANGELOG.md "$tree/"
packaging/licences.sh windows >"$tree/LICENSES.txt"

sign() {
	if [ -z "${SIGN_PFX:-}" ]; then
		echo "not signed: $1 (SIGN_PFX is not set)" >&2
		return
	fi
	osslsigncode sign -pkcs12 "$SIGN_PFX" -pass "${SIGN_PASS:-}" -n Bowerbird -h sha256 ${SIGN_TIME:+-ts "$SIGN_TIME"} \
		-in "$1" -out "$1.signed"
	mv "$1.signed" "$1"
}
sign "$tree/bowerbird.exe"
sign "$tree/bowerbird-cli.exe"
find "$tree" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
rm -f "dist/$name.zip"
(cd dist && find "$name" | LC_ALL=C sort | zip -9 -X -q "$name.zip" -@)
makensis -V2 -NOCD -DVERSION="$VERSION" -DNUMBERS="$(echo "$numbers" | tr , .)" -DTREE="$tree" -DICON="$work/bowerbird.ico" \
	-DOUT="dist/$name-setup.exe" packaging/windows/installer.nsi
sign "dist/$name-setup.exe"
packaging/sums.sh
