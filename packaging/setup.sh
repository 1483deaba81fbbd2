#!/usr/bin/env bash
# Installs the system packages that a target needs, where it may: as root, or
# with a sudo that asks nothing. Else it prints the exact line to run.
#   setup.sh run    what `make run` uses
#   setup.sh test   what `make test` needs on top
set -euo pipefail

want=${1:?usage: setup.sh run|test}
missing=()
need() { # need PROGRAM PACKAGE...
	command -v "$1" >/dev/null 2>&1 || missing+=("${@:2}")
}

command -v go >/dev/null 2>&1 || {
	echo "Go is not installed: see https://go.dev/doc/install (1.26 or newer)" >&2
	exit 1
}

need gcc gcc libc6-dev
need pkg-config pkg-config
if ! pkg-config --exists libsecp256k1 2>/dev/null; then
	missing+=(libsecp256k1-dev)
fi
if [ "$want" = test ]; then
	# The relays that the tests run against are a Node program whose SQLite part
	# is compiled from source.
	need make make
	need git git
	need g++ g++
	need python3 python3
	need node nodejs
	need npm npm
	# Node's headers: part of an upstream Node, a package of their own in Debian.
	if command -v node >/dev/null 2>&1; then
		headers=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")/include/node/node.h
		[ -e "$headers" ] || [ -e /usr/include/node/node.h ] || missing+=(libnode-dev)
	else
		missing+=(libnode-dev)
	fi
fi

[ ${#missing[@]} -gt 0 ] || exit 0
line="apt-get install -y --no-install-recommends ${missing[*]}"

if command -v apt-get >/dev/null 2>&1; then
	if [ "$(id -u)" = 0 ]; then
		sudo=
	elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
		sudo="sudo -n"
	else
		sudo=none
	fi
	if [ "$sudo" != none ]; then
		echo "installing: ${missing[*]}" >&2
		export DEBIAN_FRONTEND=noninteractive
		if $sudo apt-get update -qq && $sudo $line -qq >/dev/null; then
			exit 0
		fi
		echo "the packages could not be installed" >&2
	fi
fi

if [ "$want" = run ]; then
	# Not needed to run: without libsecp256k1, signatures are checked in pure Go,
	# which is right but about four times slower.
	echo "for faster signature checks, install:  sudo $line" >&2
	exit 0
fi
echo "the tests need these packages; install them with:" >&2
echo "  sudo $line" >&2
exit 1
