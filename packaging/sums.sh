#!/bin/sh
# Writes dist/SHA256SUMS of the packages that are there, and signs it with GPG_KEY, if set.
set -eu
cd "$(dirname "$0")/../dist"
sum=sha256sum
command -v sha256sum >/dev/null || sum="shasum -a 256" # macOS
set --
for file in *.deb *.rpm *.tar.gz *.exe *.zip *.dmg *.cdx.json; do
	[ ! -f "$file" ] || set -- "$@" "$file"
done
$sum "$@" >SHA256SUMS
cat SHA256SUMS
rm -f SHA256SUMS.asc
if [ -n "${GPG_KEY:-}" ]; then
	gpg --batch --local-user "$GPG_KEY" --armor --detach-sign SHA256SUMS
else
	echo "not signed: SHA256SUMS (GPG_KEY is not set)" >&2
fi
