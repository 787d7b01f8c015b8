# `oplens export` writes a small trace in every format, and parts of it.
. "$HERE/small_trace.sh"

show oplens export small.json -o out.json
show python3 -m json.tool out.json /dev/null
show cat out.json
show oplens export small.json --format chrome --begin-end --category cpu_op -o -
show oplens export small.json -o out.json.gz
show sh -c 'gzip -dc out.json.gz | cmp - out.json'
show sh -c 'for f in small out; do oplens report $f.json --table averages --format csv -o $f.csv; done; cmp small.csv out.csv'
show oplens export small.json -o out.folded
show cat out.folded
show oplens export small.json --thread 3 -o out.speedscope.json
show cat out.speedscope.json
show oplens export small.json --table averages --from 0 --to 45us -o out.csv
show cat out.csv
show oplens export small.json -o out.nix
show oplens export small.json -o out.json --format nix
show oplens export small.json -o out.txt --table nix
show oplens export small.json
show oplens export small.json -o out.json --step 3
show oplens export small.json -o out.json --step 3-x
show oplens export small.json -o out.json --from soon
show oplens export small.json -o out.json --thread nix
show oplens export small.json -o out.json --category nix
show oplens export small.json -o /nonexistent/out.json
