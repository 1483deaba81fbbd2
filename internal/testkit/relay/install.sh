#!/usr/bin/env bash
# Installs the relay that the tests run against into node_modules beside this
# file. Quick when that has been done for this Node and these packages.
# Works with Node 18 (Debian 12) and later; needs npm, python3, make, a C++
# compiler, and Node's headers (Debian: libnode-dev), because its SQLite part is
# compiled here and not fetched as a binary.
set -euo pipefail
cd "$(dirname "$0")"

need() {
	command -v "$1" >/dev/null 2>&1 || {
		echo "the test relay needs $1: apt-get install $2" >&2
		exit 1
	}
}
need node nodejs
need npm npm
need python3 python3
need make make
need g++ g++

stamp=node_modules/.installed
want="node $(node --version) $(cat package-lock.json install.sh | cksum)"
if [ "$(cat "$stamp" 2>/dev/null)" = "$want" ]; then
	exit 0
fi

# Headers of this very Node: without them they would be fetched from the network.
for dir in "$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")" /usr; do
	if [ -e "$dir/include/node/node.h" ]; then
		export npm_config_nodedir=$dir
		break
	fi
done
if [ -z "${npm_config_nodedir:-}" ]; then
	echo "the test relay needs Node's headers: apt-get install libnode-dev" >&2
	exit 1
fi
# Both for packages that would rather download a binary than be compiled.
export npm_config_build_from_source=true npm_config_omit_lockfile_registry_resolved=true

rm -f "$stamp"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "installing the test relay (about a minute, once)" >&2
if ! npm ci --no-audit --no-fund --loglevel=error >"$log" 2>&1; then
	cat "$log" >&2
	echo "the test relay could not be installed" >&2
	exit 1
fi
node -e 'new (require("better-sqlite3"))(":memory:")' # it loads, or we fail here
printf '%s' "$want" >"$stamp"
