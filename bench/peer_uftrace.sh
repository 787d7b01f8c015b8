#!/usr/bin/env bash
# peer_uftrace.sh - measures uftrace: peer_uftrace.sh PROGRAM DIRECTORY SPANS [--json]
set -euo pipefail

program=$1 work=$2 spans=$3 json=${4-}
runs=7
trap 'rm -rf "$work/uftrace-trace"' EXIT
trap 'exit 130' INT TERM HUP

count_calls() {
    uftrace report --no-pager -d "$work/uftrace-trace" -f call 2>/dev/null | awk '$2 == "attention1" { print $1 }'
}

uftrace record --no-pager --no-libcall --no-event -d "$work/uftrace-trace" \
    "$program" --spans "$spans" --runs "$runs" $json
[[ $json ]] && exit
echo "    calls in its trace: $(count_calls), made: $((spans * runs))"
