# What could not be kept is counted, and the reason is said.
export OPLENS_LIMIT=1M
record limit.opl many 500000
unset OPLENS_LIMIT
export OPLENS_RING=1M
record ring.opl many 500000
unset OPLENS_RING
oplens info limit.opl ring.opl | grep '  dropped  ' | sed 's/[0-9][0-9,]* because/N because/'
for reason in limit ring; do
  oplens info --json $reason.opl | python3 -c '
import json, sys
process = json.load(sys.stdin)["processes"][0]
print(sys.argv[1], "in" if process["dropped"][sys.argv[1]] else "not in", "what was dropped;",
      process["events"]["spans"] + process["events"]["dropped"], "kept or dropped")
' $reason
done
