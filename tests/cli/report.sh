# `oplens report` makes tables of a small trace, and answers mistakes with what would have been right.
. "$HERE/small_trace.sh"

try oplens report small.json --table averages --format csv
try oplens report small.json --table averages --sort -count,name --limit 1 --format markdown
try oplens report small.json --table averages --filter 'name ~ /^aten/ and (cpu_total >= 30us or count = 9)' --format json
try oplens report . --table averages --filter 'name = aten::relu' --format csv
try oplens report small.json --table averages --sort self_cuda_time_total --limit 1 --format csv
try oplens report small.json --table averages --top-level --group-by stack:1 --format csv
try oplens report small.json --table averages --group-by colour
try oplens report small.json --table kernels --format csv
try oplens report small.json --table labels --format csv
try oplens report small.json --table averages --format csv -o out.csv
try cat out.csv
try sh -c 'oplens report small.json --table nix 2>&1 | cut -d";" -f1' # the tables grow in number
try oplens report small.json --table averages --sort nix
try oplens report small.json --table averages --filter 'count > 5ms'
try oplens report small.json --table averages --limit many
try oplens report small.json --table averages --format nix
try oplens report --table averages
try oplens report missing.json --table averages
try oplens report small.json -x
try oplens report small.json -o
