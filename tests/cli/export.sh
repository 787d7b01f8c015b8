# `oplens export` writes a small trace in every format, and parts of it.
. "$HERE/small_trace.sh"

try oplens export small.json -o out.json
try python3 -m json.tool out.json /dev/null
try cat out.json
try oplens export small.json --format chrome --begin-end --category cpu_op -o -
try oplens export small.json -o out.json.gz
try sh -c 'gzip -dc out.json.gz | cmp - out.json'
try sh -c 'for f in small out; do oplens report $f.json --table averages --filter "name ~ aten" --format csv | cut -d, -f1-5 >$f.csv; done; cmp small.csv out.csv'
try oplens export small.json -o out.folded
try cat out.folded
try oplens export small.json --thread 3 -o out.speedscope.json
try cat out.speedscope.json
try oplens export small.json --table averages --from 0 --to 45us -o out.csv
try cat out.csv
try oplens export small.json -o out.nix
try oplens export small.json -o out.json --format nix
try sh -c 'oplens export small.json -o out.txt --table nix 2>&1 | cut -d";" -f1' # the tables grow in number
try oplens export small.json
try oplens export small.json -o out.json --step 3
try oplens export small.json -o out.json --step 3-x
try oplens export small.json -o out.json --from soon
try oplens export small.json -o out.json --thread nix
try oplens export small.json -o out.json --category nix
try oplens export small.json -o out.json --category op,nix
try oplens export small.json -o /nonexistent/out.json
