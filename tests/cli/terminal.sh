# At a terminal: tables and help fit its width, mistakes are bold unless NO_COLOR is set.
. "$HERE/small_trace.sh"
export TERM=xterm
widest() { grep "^[┌│ ]" | python3 -c 'import sys; print("lines are at most", max(len(line.rstrip("\n")) for line in sys.stdin), "wide")'; }

at_terminal 70 oplens report small.json --table averages | widest
at_terminal 44 oplens report small.json --table averages | widest
COLUMNS=52 at_terminal 90 oplens report small.json --table averages | widest
at_terminal 60 oplens report --help | sed -n '/Options/,/Examples/p' | NO_COLOR= widest
try at_terminal 80 oplens report small.json --table nix --format nix
NO_COLOR=1 try at_terminal 80 oplens report small.json --table nix --format nix
TERM=dumb try at_terminal 80 oplens report small.json --table nix --format nix
try oplens report small.json --table nix --format nix
