# `oplens export -o FOLDER` finds names that viewers look for.
. "$HERE/small_trace.sh"
mkdir logs
try oplens export small.json -o logs
try oplens export small.json -o logs/ --format folded
try oplens export small.json -o missing/
try ls logs
