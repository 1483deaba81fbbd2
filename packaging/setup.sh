#!/usr/bin/env bash
# Installs the system packages that a target needs, where it may: as root, or
# with a sudo that asks nothing. Else it prints the exact line to run. It counts on
# nothing but Go and what a Debian without any choice made has (minbase).
#   setup.sh run    what `make run` uses
#   setup.sh test   what `make test` needs on top
#   setup.sh packages  what `make packages` and `make packages-test` need on top of run
#   setup.sh windows   what `make packages-windows` and its test need on top of run
set -euo pipefail

want=${1:?usage: setup.sh run|test|packages|windows}
missing=()  # cannot do without
helpful=()  # better with
need() { # need PROGRAM PACKAGE...
	command -v "$1" >/dev/null 2>&1 || missing+=("${@:2}")
}
library() { # library PKG-CONFIG-NAME PACKAGE
	pkg-config --exists "$1" 2>/dev/null || missing+=("$2")
}

command -v go >/dev/null 2>&1 || {
	echo "Go is not installed: see https://go.dev/doc/install (1.26 or newer)" >&2
	exit 1
}

need gcc gcc
# Debian only recommends the C library's headers to the compiler, so that one may be
# there without the other.
header() { # header NAME PACKAGE
	echo "#include <$1>" | gcc -E - >/dev/null 2>&1 || missing+=("$2")
}
if [ "$(uname)" = Linux ]; then
	header stdlib.h libc6-dev
fi
need pkg-config pkg-config
# On Linux the window is drawn with OpenGL and stands on X11.
if [ "$(uname)" = Linux ]; then
	library gl libgl1-mesa-dev
	library x11 libx11-dev
	library xcursor libxcursor-dev
	library xrandr libxrandr-dev
	library xinerama libxinerama-dev
	library xi libxi-dev
	library xxf86vm libxxf86vm-dev
fi
# Letters that the built-in font lacks: Chinese, Japanese, Korean, Arabic and more.
fonts() { # fonts SAMPLE-FILE PACKAGE
	[ -e "/usr/share/fonts/$1" ] || helpful+=("$2")
}
if [ "$(uname)" = Linux ]; then
	fonts opentype/noto/NotoSansCJK-Regular.ttc fonts-noto-cjk
	fonts truetype/noto/NotoSansArabic-Regular.ttf fonts-noto-core
fi
if ! pkg-config --exists libsecp256k1 2>/dev/null; then
	helpful+=(libsecp256k1-dev) # checks signatures four times as fast as pure Go
fi
if [ "$want" = test ]; then
	# One relay that the tests run against is a Node program whose SQLite part
	# is compiled from source.
	need make make
	need git git
	need g++ g++
	need python3 python3
	need node nodejs
	need npm npm
	# A display for the run of the real window.
	need Xvfb xvfb
	need openbox openbox
	need xdotool xdotool
	need import imagemagick
	need xclip xclip
	# A network of its own for the test of pictures.
	need ip iproute2
	need unshare util-linux
	# The bus over which a desktop is asked to show a notification.
	need dbus-daemon dbus-daemon
	[ -e /usr/lib/x86_64-linux-gnu/dri/swrast_dri.so ] || [ -e /usr/lib/aarch64-linux-gnu/dri/swrast_dri.so ] || helpful+=(libgl1-mesa-dri)
	# Node's headers: part of an upstream Node, a package of their own in Debian.
	if command -v node >/dev/null 2>&1; then
		headers=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")/include/node/node.h
		[ -e "$headers" ] || [ -e /usr/include/node/node.h ] || missing+=(libnode-dev)
	else
		missing+=(libnode-dev)
	fi
fi

if [ "$want" = packages ]; then
	need make make
	need git git
	library libsecp256k1 libsecp256k1-dev
	need help2man help2man
	need rsvg-convert librsvg2-bin
	need dpkg-shlibdeps dpkg-dev
	need rpm rpm
	need ar binutils
	need xz xz-utils
	need shellcheck shellcheck
	need desktop-file-validate desktop-file-utils
	need appstreamcli appstream
	need lintian lintian
	need debootstrap debootstrap
	need Xvfb xvfb
	need xdotool xdotool
	need import imagemagick
fi

if [ "$want" = windows ]; then
	need git git
	need zip zip
	need unzip unzip
	need x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64
	need makensis nsis
	need osslsigncode osslsigncode
	need rsvg-convert librsvg2-bin
	need icotool icoutils
	[ -x /usr/lib/wine/wine64 ] || missing+=(wine64)
	need Xvfb xvfb
	need xdotool xdotool
	need import imagemagick
fi

all=("${missing[@]}" "${helpful[@]}")
[ ${#all[@]} -gt 0 ] || exit 0
line="apt-get install -y --no-install-recommends ${all[*]}"

if command -v apt-get >/dev/null 2>&1; then
	if [ "$(id -u)" = 0 ]; then
		sudo=
	elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
		sudo="sudo -n"
	else
		sudo=none
	fi
	if [ "$sudo" != none ]; then
		echo "installing: ${all[*]}" >&2
		export DEBIAN_FRONTEND=noninteractive
		# shellcheck disable=SC2086 # several words
		if $sudo apt-get update -qq && $sudo $line -qq >/dev/null; then
			exit 0
		fi
		echo "the packages could not be installed" >&2
	fi
fi

if [ ${#missing[@]} = 0 ]; then
	echo "not needed, but better with:  sudo $line" >&2
	exit 0
fi
echo "this needs some packages of the system; install them with:" >&2
echo "  sudo $line" >&2
exit 1
