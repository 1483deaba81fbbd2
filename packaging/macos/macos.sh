#!/bin/sh
# Builds Bowerbird.app and a disk image of it into dist/, on macOS with its developer tools,
# for that machine's kind of processor or that of GOARCH. Signed if CODESIGN_ID names an identity of the
# keychain; sent to Apple's notary if NOTARY_PROFILE names a profile of notarytool.
set -eu
cd "$(dirname "$0")/../.."
# shellcheck source=packaging/release.env
. packaging/release.env
name=bowerbird-$VERSION-macos-$(go env GOARCH)
work=dist/macos
app=$work/image/Bowerbird.app
rm -rf "$work"
mkdir -p "$app/Contents/MacOS" "$app/Contents/Resources" "$work/bowerbird.iconset"

# shellcheck disable=SC2086 # flags
MACOSX_DEPLOYMENT_TARGET=12.0 CGO_ENABLED=1 go build $BUILD -tags no_animations -ldflags "$LDFLAGS" \
	-o "$app/Contents/MacOS/bowerbird" ./cmd/bowerbird
sed "s/@VERSION@/${VERSION%%-*}/" packaging/macos/Info.plist >"$app/Contents/Info.plist"
plutil -lint "$app/Contents/Info.plist"
for size in 16 32 128 256 512; do
	sips -z $size $size assets/icons/bowerbird.png --out "$work/bowerbird.iconset/icon_${size}x$size.png" >/dev/null
done
iconutil -c icns -o "$app/Contents/Resources/bowerbird.icns" "$work/bowerbird.iconset"
packaging/licences.sh darwin >"$app/Contents/Resources/LICENSES.txt"

if [ -n "${CODESIGN_ID:-}" ]; then
	codesign --force --options runtime --timestamp --entitlements packaging/macos/entitlements.plist --sign "$CODESIGN_ID" "$app"
else
	echo "not signed: $app (CODESIGN_ID is not set)" >&2
	codesign --force --sign - "$app" # without any signature, macOS starts nothing on arm64
fi
codesign --verify --strict "$app"
ln -s /Applications "$work/image/Applications"
hdiutil create -quiet -ov -volname Bowerbird -srcfolder "$work/image" -format UDZO "dist/$name.dmg"
if [ -n "${CODESIGN_ID:-}" ] && [ -n "${NOTARY_PROFILE:-}" ]; then
	codesign --timestamp --sign "$CODESIGN_ID" "dist/$name.dmg"
	xcrun notarytool submit "dist/$name.dmg" --keychain-profile "$NOTARY_PROFILE" --wait
	xcrun stapler staple "dist/$name.dmg"
else
	echo "not notarised: dist/$name.dmg" >&2
fi
packaging/sums.sh
