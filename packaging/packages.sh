#!/bin/sh
# Builds the packages of this commit into dist/: deb, rpm and tar.gz for this machine's
# kind of processor, on Linux. The version is that of FyneApp.toml, every date that of the
# commit: two builds of a commit on one system give the same bytes.
set -eu
cd "$(dirname "$0")/.."
# shellcheck source=packaging/release.env
. packaging/release.env
arch=$(go env GOARCH)
name=bowerbird-$VERSION-linux-$arch
tree=dist/$name
rm -rf "$tree"
mkdir -p "$tree/bin" dist/pkgconfig

# libsecp256k1 goes into the program: its number changes from one system to the next.
sed 's/-lsecp256k1/-l:libsecp256k1.a/' "$(pkg-config --variable=libdir libsecp256k1)/pkgconfig/libsecp256k1.pc" >dist/pkgconfig/libsecp256k1.pc
# shellcheck disable=SC2086 # flags
PKG_CONFIG_PATH=$PWD/dist/pkgconfig CGO_ENABLED=1 go build $BUILD -tags "no_animations libsecp256k1" \
	-ldflags "$LDFLAGS" -o "$tree/bin/bowerbird" ./cmd/bowerbird
bin=$PWD/$tree/bin/bowerbird

share=$tree/share
mkdir -p "$share/applications" "$share/metainfo" "$share/doc/bowerbird" "$share/man/man1" \
	"$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
cp packaging/linux/bowerbird.desktop "$share/applications/"
sed "s/@VERSION@/$VERSION/; s/@DATE@/$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)/" packaging/linux/social.bowerbird.desktop.metainfo.xml \
	>"$share/metainfo/social.bowerbird.desktop.metainfo.xml"
cp README.md CHANGELOG.md "$share/doc/bowerbird/"
packaging/licences.sh >dist/licences
# What Debian's policy wants: its own copy of the Apache licence, and a changelog in its form.
mkdir -p dist/debian
packaging/licences.sh linux debian >dist/debian/copyright
printf 'bowerbird (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- %s  %s\n' \
	"$VERSION" "$MAINTAINER" "$(date -Rud "@$SOURCE_DATE_EPOCH")" | gzip -9n >dist/debian/changelog.gz
for size in 16 22 24 32 48 64 128 256 512; do
	mkdir -p "$share/icons/hicolor/${size}x$size/apps"
	rsvg-convert -w $size -h $size -o "$share/icons/hicolor/${size}x$size/apps/bowerbird.png" assets/icons/bowerbird.svg
done
mkdir -p "$share/icons/hicolor/scalable/apps"
cp assets/icons/bowerbird.svg "$share/icons/hicolor/scalable/apps/"

# A page of the manual for the program, and one for each command.
man() { # man COMMAND PAGE
	help2man --no-info --no-discard-stderr --version-string="$VERSION" --name="$("$bin" help ${1:+"$1"} | sed -n 1p)" \
		-o "$share/man/man1/$2.1" "$bin $1"
	# The name of a page has no spaces.
	sed -i "s,$bin,bowerbird,g; /^\.SH NAME/{n; s/^bowerbird [a-z]* /$2 /}" "$share/man/man1/$2.1"
	gzip -9n "$share/man/man1/$2.1"
}
man "" bowerbird
for command in $("$bin" __complete "" 2>/dev/null | sed -n 's/^\([a-z]*\)\t.*/\1/p'); do
	man "$command" "bowerbird-$command"
done
"$bin" completion bash >"$share/bash-completion/completions/bowerbird"
"$bin" completion zsh >"$share/zsh/site-functions/_bowerbird"
"$bin" completion fish >"$share/fish/vendor_completions.d/bowerbird.fish"
cp packaging/linux/install.sh "$tree/"
cp dist/licences "$tree/LICENSES"

find "$tree" -type d -exec chmod 755 {} + -o -perm /111 -exec chmod 755 {} + -o -exec chmod 644 {} +
find "$tree" dist/licences dist/debian -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
tar -C dist --sort=name --owner=0 --group=0 --numeric-owner -cf - "$name" | gzip -9n >"dist/$name.tar.gz"

# What the program is linked with, by the tools of both kinds of package; and what GLFW
# opens by name at run time, which they cannot see.
mkdir -p dist/shlibs/debian
echo "Source: bowerbird" >dist/shlibs/debian/control
depends=$(cd dist/shlibs && dpkg-shlibdeps -O "$bin" 2>/dev/null | sed 's/^shlibs:Depends=//' | tr ',' '\n' | sed 's/^ *\(.*\)/  - "\1"/')
requires=$(/usr/lib/rpm/elfdeps -R "$bin" | grep -v '^rtld' | sort -u | sed 's/.*/  - "&"/')
cat >dist/nfpm.yaml <<EOF
name: bowerbird
arch: $arch
version: $VERSION
mtime: $(date -u -d "@$SOURCE_DATE_EPOCH" +%FT%TZ)
section: net
maintainer: $MAINTAINER
description: |
  Nostr client that keeps your notes and tells what you missed
  Bowerbird keeps your Nostr notes on your computer and tells you what you
  missed, with every claim linked to the note behind it. It searches them
  without a network, and needs no language model.
license: MIT
contents:
  - src: $tree/bin/bowerbird
    dst: /usr/bin/bowerbird
  - src: $share
    dst: /usr/share
    type: tree
  - src: dist/debian/changelog.gz
    dst: /usr/share/doc/bowerbird/changelog.gz
    packager: deb
  - src: dist/debian/copyright
    dst: /usr/share/doc/bowerbird/copyright
    packager: deb
  - src: dist/licences
    dst: /usr/share/doc/bowerbird/copyright
    packager: rpm
deb:
  compression: none
rpm:
  compression: xz
  buildhost: bowerbird
  group: Applications/Internet
overrides:
  deb:
    depends:
$(printf '%s\n' "$depends" | sed 's/^/    /')
      - libx11-xcb1
      - libxcursor1
      - libxi6
      - libxinerama1
      - libxrandr2
      - libxrender1
      - libxxf86vm1
      - ca-certificates
    recommends:
      - xdg-utils
      - fonts-noto-core
      - fonts-noto-cjk
  rpm:
    depends:
$(printf '%s\n' "$requires" | sed 's/^/    /')
      - libX11-xcb.so.1()(64bit)
      - libXcursor.so.1()(64bit)
      - libXi.so.6()(64bit)
      - libXinerama.so.1()(64bit)
      - libXrandr.so.2()(64bit)
      - libXrender.so.1()(64bit)
      - libXxf86vm.so.1()(64bit)
      - ca-certificates
    recommends:
      - xdg-utils
      - google-noto-sans-fonts
      - google-noto-sans-cjk-fonts
EOF
for kind in deb rpm; do
	go run github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.4 package -f dist/nfpm.yaml -p $kind -t dist/
done
# Real xz, told that it is code of x86, makes the deb a fifth smaller than nfpm's.
deb=bowerbird_${VERSION}_$arch.deb
(
	cd dist
	ar x "$deb"
	[ "$arch" = amd64 ] && filter=--x86 || filter=
	xz -T1 ${filter:+"$filter"} --lzma2=preset=9e -f data.tar
	rm "$deb"
	ar rcD "$deb" debian-binary control.tar.gz data.tar.xz
	rm debian-binary control.tar.gz data.tar.xz
)
packaging/sums.sh
