# --stats says on stderr how fast it went and how much memory it took.
. "$HERE/small_trace.sh"
numbers() { sed -E 's/[0-9][0-9.,]*/N/g; s/N (B|kB|MB)\b/SIZE/g; s/N (s|ms|us|ns)\b/TIME/g'; }

oplens report small.json --table averages --format csv --stats 2>&1 >out.csv | numbers
oplens report small.json --table averages --format csv | cmp - out.csv
oplens export small.json -o out.json --stats 2>&1 | numbers
