# Traces of other tools have an overview too.
cat >trace.json <<'EOF'
{"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 7, "tid": 7, "ts": 10.000, "dur": 5.000, "args": {"External id": 1}},
{"ph": "X", "cat": "kernel", "name": "add_kernel", "pid": 0, "tid": 7, "ts": 17.000, "dur": 2.000, "args": {"External id": 1}},
{"ph": "X", "cat": "cpu_op", "name": "aten::mul", "pid": 7, "tid": 7, "ts": 20.000, "dur": -1.000},
{"ph": "E", "pid": 7, "tid": 9, "ts": 21.000},
EOF
try oplens info trace.json
try oplens report trace.json --table info --format csv
oplens info --json trace.json | pretty
