#!/bin/sh
# Installs the packages in dist, runs what was installed and removes it: the deb in a
# clean Debian (ROOT, made by debootstrap if it is not there), the tar.gz in a folder with
# spaces and umlauts; and reads the rpm. Pictures of the window are left in OUT. As root.
set -eu
cd "$(dirname "$0")/.."
# shellcheck source=packaging/release.env
. packaging/release.env
work=$(mktemp -d)
ROOT=${ROOT:-$work/debian}
OUT=${OUT:-$PWD/dist/test}
mkdir -p "$OUT"
deb=$(echo dist/bowerbird_"$VERSION"_*.deb)
rpm=$(echo dist/bowerbird-"$VERSION"-*.rpm)
tgz=$(echo dist/bowerbird-"$VERSION"-linux-*.tar.gz)

say() { printf '\n== %s\n' "$*"; }
fail() {
	echo "FAILED: $*" >&2
	exit 1
}
xvfb=
end() {
	[ -z "$xvfb" ] || kill "$xvfb" 2>/dev/null || true
	for on in tmp/.X11-unix proc; do
		mountpoint -q "$ROOT/$on" && umount "$ROOT/$on"
	done
	rm -rf --one-file-system "$work"
}
trap end EXIT

shellcheck -x packaging/*.sh packaging/linux/install.sh
say "what the packages hold"
dpkg-deb -I "$deb"
tree=${tgz%.tar.gz}
desktop-file-validate "$tree/share/applications/bowerbird.desktop"
appstreamcli validate --no-net "$tree/share/metainfo/social.bowerbird.desktop.metainfo.xml"
lintian --allow-root --fail-on error "$deb" >"$OUT/lintian.txt" || fail "lintian, see $OUT/lintian.txt"
dpkg-deb -c "$deb" | awk '$1 !~ /^d/ {print $6}' | sed 's,^\.,,' | sort >"$work/in-deb"
rpm -qlp "$rpm" 2>/dev/null | sort >"$work/in-rpm"
comm -23 "$work/in-deb" "$work/in-rpm" | grep -v /changelog.gz && fail "in the deb, not in the rpm"
[ -z "$(rpm -qp --scripts "$rpm" 2>/dev/null)" ] || fail "the rpm runs scripts"
rpm -qp --requires "$rpm" 2>/dev/null

# window PICTURE PROGRAM...: the window of PROGRAM, seen on a display.
window() {
	picture=$1
	shift
	"$@" &
	program=$!
	until id=$(DISPLAY=:$display xdotool search --onlyvisible --name Bowerbird 2>/dev/null); do
		kill -0 "$program" 2>/dev/null || fail "the program ended without a window"
		sleep 1
	done
	sleep "${SETTLE:-15}" # the sample is made and drawn
	DISPLAY=:$display import -window root "$OUT/$picture.png"
	DISPLAY=:$display xdotool getwindowname "$id"
	kill "$(DISPLAY=:$display xdotool getwindowpid "$id")"
	wait "$program" || true
}
Xvfb -displayfd 3 -screen 0 1280x832x24 -nolisten tcp 3>"$work/display" 2>/dev/null &
xvfb=$!
until [ -s "$work/display" ]; do sleep 0.1; done
display=$(cat "$work/display")

say "the deb in a clean Debian"
[ -e "$ROOT/etc/debian_version" ] || debootstrap --variant=minbase bookworm "$ROOT" >"$OUT/debootstrap.log"
mkdir -p "$ROOT/tmp/.X11-unix"
mount --bind /tmp/.X11-unix "$ROOT/tmp/.X11-unix"
mount -t proc proc "$ROOT/proc"
cp /etc/resolv.conf "$ROOT/etc/" 2>/dev/null || true
cp "$deb" "$ROOT/tmp/bowerbird.deb"
inside() { chroot "$ROOT" env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME=/home/ada LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive DISPLAY=:"$display" LIBGL_ALWAYS_SOFTWARE=1 "$@"; }
# Recommended packages are left out: it must run with what it depends on.
inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends /tmp/bowerbird.deb >"$OUT/apt.log" 2>&1 || fail "apt, see $OUT/apt.log"
mkdir -p "$ROOT/home/ada"
# GLFW opens libraries by name at run time. What the program names must be there, but for
# other ways to draw (GLES, Vulkan, OSMesa) than the one used.
strings -n 6 "$tree/bin/bowerbird" | grep -oE '^lib(X|GL\.|GLX).*\.so\.[0-9]+$' | sort -u >"$work/named"
while read -r library; do
	inside ldconfig -p | grep -q "$library " || fail "$library is not installed"
done <"$work/named"
[ "$(inside bowerbird --version)" = "bowerbird version $VERSION" ] || fail "another version"
inside bowerbird doctor
inside bowerbird --sample ask "What did I miss since yesterday?" >"$OUT/digest.txt"
grep -q '^Sources' "$OUT/digest.txt" || fail "a digest without sources"
window deb inside bowerbird --sample
inside apt-get purge -y -qq bowerbird >>"$OUT/apt.log" 2>&1
sed 's,^,'"$ROOT"',' "$work/in-deb" | while read -r file; do
	[ ! -e "$file" ] || fail "$file was left"
done
[ -n "$(find "$ROOT/home/ada" -name '*.sst' -o -name MANIFEST | head -1)" ] || fail "the notes were removed too"

say "the tar.gz in a folder of the user's own"
home="$work/Ada Grün \"2\" \$x"
mkdir -p "$home"
tar -C "$home" -xzf "$tgz"
HOME=$home sh "$home/${tree#dist/}/install.sh"
desktop-file-validate "$home/.local/share/applications/bowerbird.desktop"
grep '^Exec=' "$home/.local/share/applications/bowerbird.desktop"
HOME=$home "$home/.local/bin/bowerbird" --sample ask "What did I miss since yesterday?" | grep -q '^Sources' || fail "no digest"
window tgz env HOME="$home" DISPLAY=:"$display" LIBGL_ALWAYS_SOFTWARE=1 "$home/.local/bin/bowerbird" --sample
HOME=$home sh "$home/${tree#dist/}/install.sh" --remove
[ -z "$(find "$home/.local" -type f -path '*bowerbird*' ! -path '*/share/bowerbird/*' | head -1)" ] || fail "files were left"
say "all passed; look at the pictures in $OUT"
