# A file in a directory that cannot be read is skipped, and that is said; a file somebody named must be readable.
. "$HERE/small_trace.sh"
mkdir traces strays
cp small.json traces
echo "a note to myself" | tee traces/notes.json >strays/notes.json
: >traces/empty.csv

try oplens report traces --table averages --limit 1 --format csv -o out.csv
try cut -d, -f1-3 out.csv
try oplens report small.json traces/notes.json --table averages
try oplens report strays --table averages
try oplens export traces -o out.folded
try cat out.folded
