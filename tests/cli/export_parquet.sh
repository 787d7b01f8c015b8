# `oplens export -o FOLDER.parquet` writes each table of a trace as Parquet.
. "$HERE/small_trace.sh"
OPLENS_DUCKDB=/nonexistent try oplens export small.json -o tables.parquet
if ! oplens query small.json 'select 1' >/dev/null 2>&1; then
  echo "DuckDB is not installed"
  exit 77
fi

try oplens export small.json -o tables.parquet/
for table in span arg track averages; do test -s tables.parquet/$table.parquet || echo "$table is missing"; done
try find tables.parquet ! -name '*.parquet'
try oplens query small.json --allow-files --format csv "select name, kind, dur from 'tables.parquet/span.parquet' order by 1, 3"
try oplens query small.json --allow-files "from (from 'tables.parquet/span.parquet' except from span)" --format csv
try oplens export small.json --format parquet -o part --category kernel
try oplens query small.json --allow-files --format csv "select name from 'part/span.parquet'"
try oplens export small.json --table span -o span.csv --category kernel
try cut -d, -f2,4,6,7 span.csv
try oplens export small.json --table averages -o averages.parquet
try oplens query small.json --allow-files --format csv "select name, count from 'averages.parquet' order by 1"
try sh -c 'oplens export small.json --table nix -o nix.csv 2>&1 | grep own'
touch file
try oplens export small.json --format parquet -o file
