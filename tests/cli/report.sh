# `oplens report` makes tables of a small trace, and answers mistakes with what would have been right.
. "$HERE/small_trace.sh"

show oplens report small.json --table averages --format csv
show oplens report small.json --table averages --sort -count,name --limit 1 --format markdown
show oplens report small.json --table averages --filter 'name ~ /^aten/ and (cpu_total >= 30us or count = 9)' --format json
show oplens report . --table averages --filter 'name = aten::relu' --format csv
show oplens report small.json --table averages --format csv -o out.csv
show cat out.csv
show oplens report small.json --table nix
show oplens report small.json --table averages --sort nix
show oplens report small.json --table averages --filter 'count > 5ms'
show oplens report small.json --table averages --limit many
show oplens report small.json --table averages --format nix
show oplens report --table averages
show oplens report missing.json --table averages
show oplens report small.json -x
show oplens report small.json -o
