#!/usr/bin/env bash
# Puts Vega-Lite's example specifications and the data that they name into
# node_modules beside this file, for the tests of tools/chartspec and ui/chart.
# Version 2.0.0 is the last that ships its examples. Nothing of the packages is
# run. Quick when that has been done.
set -euo pipefail
cd "$(dirname "$0")"

specs=vega-lite@2.0.0 data=vega-datasets@1.11.0
stamp=node_modules/.installed
want="$specs $data $(cksum <install.sh)"
if [ "$(cat "$stamp" 2>/dev/null)" = "$want" ]; then
	exit 0
fi
command -v npm >/dev/null 2>&1 || {
	echo "the examples of Vega-Lite need npm: apt-get install npm" >&2
	exit 1
}
rm -rf node_modules
mkdir -p node_modules/specs node_modules/data
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && npm pack --silent "$specs" "$data" >/dev/null)
tar -xzf "$work"/vega-lite-*.tgz -C "$work" package/examples/specs package/LICENSE
cp "$work"/package/examples/specs/*.json "$work"/package/LICENSE node_modules/specs/
tar -xzf "$work"/vega-datasets-*.tgz -C "$work" package/data
find "$work"/package/data -name '*.json' -size -2000k -exec cp {} node_modules/data/ \;
find "$work"/package/data -name '*.csv' -size -2000k -exec cp {} node_modules/data/ \;
printf '%s' "$want" >"$stamp"
