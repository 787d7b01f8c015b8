# `oplens export -o x.prof` writes what Python's pstats reads: the same profile again, or the spans of a trace.
. "$HERE/small_trace.sh"

cp "$HERE/../data/resnet18.prof" first.prof
try oplens export first.prof -o again.prof
try python3 - first.prof again.prof <<'P'
import marshal, pstats, sys
first, second = (marshal.load(open(path, "rb")) for path in sys.argv[1:])
print("the same dict:", first == second)
first, second = (pstats.Stats(path) for path in sys.argv[1:])
print("the same totals:", (first.total_calls, first.prim_calls, first.total_tt) ==
      (second.total_calls, second.prim_calls, second.total_tt))
print("the same callees:", not first.calc_callees() and not second.calc_callees() and
      first.all_callees == second.all_callees)
P
try oplens export small.json -o small.prof
try python3 -c 'import pstats; pstats.Stats("small.prof").sort_stats("cumtime").print_stats().print_callers()' | sed "/small.prof$/d"
