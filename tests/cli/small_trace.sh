# small_trace.sh - two operators, two kernels that overlap on one stream, an arrow, a counter, and a name to escape.
cat >small.json <<'J'
{"schemaVersion": 1, "traceEvents": [
{"ph": "M", "pid": 7, "tid": 0, "ts": 0, "name": "process_name", "args": {"name": "python"}},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 7, "tid": 70, "ts": 1.000, "dur": 40.250},
{"ph": "X", "cat": "cpu_op", "name": "aten::relu", "pid": 7, "tid": 70, "ts": 50, "dur": 9.001},
{"ph": "X", "cat": "cpu_op", "name": "aten::relu", "pid": 7, "tid": 70, "ts": 60, "dur": 11},
{"ph": "X", "cat": "user_annotation", "name": "a \"quoted\", name", "pid": 7, "tid": 70, "ts": 0, "dur": 100},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 3, "ts": 20, "dur": 30},
{"ph": "X", "cat": "kernel", "name": "copy", "pid": 0, "tid": 3, "ts": 40, "dur": 30},
{"ph": "s", "cat": "ac2g", "name": "ac2g", "id": 1, "pid": 7, "tid": 70, "ts": 2},
{"ph": "f", "bp": "e", "cat": "ac2g", "name": "ac2g", "id": 1, "pid": 0, "tid": 3, "ts": 20},
{"ph": "C", "name": "load", "pid": 7, "tid": 0, "ts": 5, "args": {"cpu": 0.5}}
]}
J
