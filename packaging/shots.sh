#!/usr/bin/env bash
# Draws the gallery in docs/screenshots: the window's screens without a display, in a
# network of their own in which made-up relays stand, and the program in a real
# terminal on a display of its own. The latter needs Xvfb, xterm and ImageMagick's
# import and convert.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$PWD/bin/bowerbird
out=$PWD/docs/screenshots
mkdir -p "$out"
data=$(mktemp -d)
trap 'kill "${xterm:-}" "${xvfb:-}" 2>/dev/null || true; rm -rf "$data"' EXIT

for program in unshare ip Xvfb xterm import convert tput; do
	command -v "$program" >/dev/null || {
		echo "the gallery needs $program: apt-get install util-linux iproute2 xvfb xterm imagemagick ncurses-bin fonts-noto-cjk fonts-dejavu-core" >&2
		exit 1
	}
done

CGO_ENABLED=0 go build -o "$data/shots" ./internal/shots
LC_ALL=en_GB.UTF-8 unshare --map-root-user --net sh -c 'ip link set lo up && exec "$@"' _ "$data/shots" -out "$out"

Xvfb -displayfd 3 -screen 0 972x1388x24 -nolisten tcp 3>"$data/display" 2>/dev/null &
xvfb=$!
until [ -s "$data/display" ]; do sleep 0.1; done
DISPLAY=:$(cat "$data/display")
export DISPLAY

# shot NAME COMMAND...: what the terminal shows when the command has ended.
shot() {
	local name=$1
	shift
	rm -f "$data/done"
	xterm -u8 -geometry 118x80+0+0 -fa 'DejaVu Sans Mono' -fs 10 -bg '#F6F5F2' -fg '#1B1E26' -b 14 +sb \
		-e bash -c 'clear; tput civis; "$@" 2>/dev/null; touch '"$data/done"'; sleep 60' _ "$@" &
	xterm=$!
	until [ -e "$data/done" ]; do sleep 0.1; done
	sleep 0.5 # the last lines are being drawn
	# Without the frame and the empty rows below the text.
	import -window root png:- | convert - -shave 1x1 -trim +repage -bordercolor '#F6F5F2' -border 14 "$out/$name.png"
	kill "$xterm"
	wait "$xterm" 2>/dev/null || true
}

"$bin" --data "$data" --sample stats >/dev/null # the sample is made
shot digest-terminal "$bin" --data "$data" --sample ask "What did I miss since yesterday?"
shot chart-terminal "$bin" --data "$data" --sample ask "Top hashtags this week, as a chart"
