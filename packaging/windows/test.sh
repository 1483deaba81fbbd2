#!/bin/bash
# Installs the Windows package in dist under Wine, in a prefix of its own, runs what was
# installed and removes it. A picture of the window is left in OUT.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=packaging/release.env
. packaging/release.env
OUT=${OUT:-$PWD/dist/test}
mkdir -p "$OUT"
setup=$PWD/dist/bowerbird-$VERSION-windows-amd64-setup.exe
work=$(mktemp -d)
export WINEPREFIX=$work/wine WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml=" LIBGL_ALWAYS_SOFTWARE=1
xvfb=
end() {
	/usr/lib/wine/wineserver64 -k || true
	[ -z "$xvfb" ] || kill "$xvfb" || true
	rm -rf "$work"
}
trap end EXIT
say() { printf '\n== %s\n' "$*"; }
fail() {
	echo "FAILED: $*" >&2
	exit 1
}
wine() { timeout 300 /usr/lib/wine/wine64 "$@"; }
value() { wine reg query "$@" 2>/dev/null | tr -d '\r'; } # value KEY /ve, or KEY /v NAME

Xvfb -displayfd 3 -screen 0 1280x832x24 -nolisten tcp 3>"$work/display" 2>/dev/null &
xvfb=$!
until [ -s "$work/display" ]; do sleep 0.1; done
DISPLAY=:$(cat "$work/display")
export DISPLAY
wine wineboot -i >/dev/null 2>&1
x86_64-w64-mingw32-gcc -shared -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" packaging/windows/bcryptprimitives.c -ladvapi32
user=$WINEPREFIX/drive_c/users/$(id -un)
programs="$user/AppData/Local/Programs/Bowerbird"
menu="$user/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Bowerbird.lnk"
unset XDG_DATA_HOME XDG_CONFIG_HOME

say "installed silently, twice"
wine "$setup" /S || fail "the installer"
wine "$setup" /S || fail "the installer over itself"
for file in bowerbird.exe bowerbird-cli.exe README.md LICENSES.txt uninstall.exe; do
	[ -e "$programs/$file" ] || fail "no $file"
done
[ -e "$menu" ] || fail "no entry in the Start menu"
for scheme in nostr web+nostr; do
	value "HKCU\\Software\\Classes\\$scheme" /v "URL Protocol" | grep -q "URL Protocol" || fail "$scheme is not registered"
	value "HKCU\\Software\\Classes\\$scheme\\shell\\open\\command" /ve | grep -q 'Bowerbird\\bowerbird.exe" "%1"' || fail "$scheme opens something else"
done
value 'HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Bowerbird' /v DisplayVersion | grep "$VERSION" || fail "no entry for removal"
x86_64-w64-mingw32-objdump -p "$programs/bowerbird.exe" | grep "Subsystem.*Windows GUI" || fail "the window has a console"
x86_64-w64-mingw32-objdump -p "$programs/bowerbird-cli.exe" | grep "Subsystem.*Windows CUI" || fail "the terminal's has none"

say "in a terminal"
cli() { wine "$programs/bowerbird-cli.exe" "$@" </dev/null; }
[ "$(cli --version | tr -d '\r')" = "bowerbird version $VERSION" ] || fail "another version"
go run ./internal/worldgen -events 2000 >"$work/notes.jsonl" 2>/dev/null || fail "worldgen"
cli import "Z:$work/notes.jsonl" | grep "2000 stored" || fail "the notes were not imported"
(cd "$user/AppData/Local/bowerbird" && find . -type f -exec sha256sum {} +) | sort >"$work/before"
cli stats | grep "events by" || fail "the notes were not read"
(cd "$user/AppData/Local/bowerbird" && find . -type f -exec sha256sum {} +) | sort | diff "$work/before" - || fail "reading changed the notes"

say "the sample, in a folder with a space and an umlaut"
sample() { cli --data 'C:\Grüne Notizen' --sample "$@"; }
sample ask "What did I miss since yesterday?" >"$OUT/digest-windows.txt"
grep -q '^Sources' "$OUT/digest-windows.txt" || fail "a digest without sources"

say "the window"
/usr/lib/wine/wine64 "$programs/bowerbird.exe" --data 'C:\Grüne Notizen' --sample &
program=$!
until id=$(xdotool search --onlyvisible --name '^Bowerbird' 2>/dev/null); do
	kill -0 "$program" 2>/dev/null || fail "the program ended without a window"
	sleep 1
done
sleep "${SETTLE:-20}" # it is drawn
import -window root "$OUT/windows.png"
xdotool getwindowname "${id%%$'\n'*}"

say "removed silently: neither while it runs nor with its notes"
wine reg add 'HKCU\Software\Microsoft\Windows\CurrentVersion\Run' /v social.bowerbird.desktop /d bowerbird.exe >/dev/null # as the program does
remove() { wine "$programs/uninstall.exe" /S "_?=$(wine winepath -w "$programs" | tr -d '\r')"; }
remove || true
[ -e "$programs/bowerbird.exe" ] || fail "removed while it ran"
/usr/lib/wine/wineserver64 -k
wait "$program" || true
remove || fail "the uninstaller"
[ ! -e "$programs/bowerbird.exe" ] || fail "the program was left"
[ ! -e "$menu" ] || fail "the entry in the Start menu was left"
! value 'HKCU\Software\Classes\nostr\shell\open\command' /ve | grep bowerbird || fail "nostr is still registered"
! value 'HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Bowerbird' /v DisplayVersion | grep "$VERSION" || fail "the entry for removal is left"
! value 'HKCU\Software\Microsoft\Windows\CurrentVersion\Run' /v social.bowerbird.desktop | grep bowerbird || fail "it would still be started at login"
[ -d "$user/AppData/Local/bowerbird" ] || fail "the notes were removed too"
say "all passed; look at the picture in $OUT"
