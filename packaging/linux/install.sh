#!/bin/sh
# Installs Bowerbird for this user, without administrator rights, or removes it again.
# Notes and settings are never touched: `bowerbird data remove` deletes them.
#   ./install.sh [FOLDER]            into FOLDER, by default ~/.local
#   ./install.sh --remove [FOLDER]
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
remove=
if [ "${1:-}" = --remove ]; then
	remove=yes
	shift
fi
to=${1:-$HOME/.local}
case $to in
/*) ;;
*) to=$PWD/$to ;;
esac

cd "$here"
find bin share -type f | while read -r file; do
	if [ -n "$remove" ]; then
		rm -f -- "$to/$file"
	else
		mkdir -p -- "$to/${file%/*}"
		# A program that runs cannot be written over, but it can be replaced.
		cp -p -- "$file" "$to/$file.new"
		mv -f -- "$to/$file.new" "$to/$file"
	fi
done
if [ -n "$remove" ]; then
	rmdir -- "$to/share/doc/bowerbird" 2>/dev/null || true
	echo "Bowerbird was removed from $to. Your notes and settings are still there."
	exit
fi

# A desktop may not have the folder in its PATH: the entry names the program in full, with
# what the rules of desktop entries treat specially in a quoted string written out.
desktop=$to/share/applications/bowerbird.desktop
program=$(printf %s "$to/bin/bowerbird" | sed 's/[\\"`$]/\\\\&/g; s/%/%%/g')
awk -v exec="$(printf %s "$program" | sed 's/\\/\\\\/g')" '
	/^Exec=/ {print "Exec=\"" exec "\" %u"; next}
	/^TryExec=/ {next}
	{print}' share/applications/bowerbird.desktop >"$desktop"

# The links to notes (nostr:) that the entry names.
update-desktop-database "$to/share/applications" 2>/dev/null || true

echo "Bowerbird is installed: $to/bin/bowerbird"
case :$PATH: in
*:"$to/bin":*) ;;
*) echo "To run it in a terminal as bowerbird, add $to/bin to your PATH." ;;
esac
