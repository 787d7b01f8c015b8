#!/usr/bin/env bash
# peer_lttng.sh - measures LTTng-UST: peer_lttng.sh PROGRAM DIRECTORY SPANS [--json]
#
# Uses the session daemon that runs already, or one of its own that it ends afterwards. As root the
# daemon is the system's; as anyone else it lives in DIRECTORY. Needs no kernel module.
set -euo pipefail

program=$1 work=$2 spans=$3 json=${4-}
runs=7
session=oplens-bench-$$
export LTTNG_HOME=$work/lttng-home
export LTTNG_UST_REGISTER_TIMEOUT=-1 # wait for the daemon, however busy it is
mkdir -p "$LTTNG_HOME"
daemon_pid=
wait_pages() { compgen -G '/dev/shm/lttng-ust-wait-*' || true; }
wait_pages_before=$(wait_pages)

control() { lttng --no-sessiond "$@" >>"$work/lttng.log" 2>&1; }

# In a session of its own, so that ^C reaches us first.
start_daemon() {
    setsid lttng-sessiond --no-kernel >>"$work/lttng.log" 2>&1 &
    daemon_pid=$!
    for _ in {1..100}; do
        control list && return
        sleep 0.05
    done
    return 1
}

end_daemon() {
    kill "$daemon_pid" 2>/dev/null || true
    wait "$daemon_pid" || true
}

# The whole trace goes, and the daemon if it is ours, with the pages in shared memory that came with it.
tidy_up() {
    trap '' INT TERM HUP
    control destroy --no-wait "$session" || true
    if [[ $daemon_pid ]]; then
        end_daemon
        [[ $wait_pages_before ]] || rm -f $(wait_pages)
    fi
    rm -rf "$work/lttng-trace" "$LTTNG_HOME" "$work/lttng.log"
}
trap tidy_up EXIT
trap 'exit 130' INT TERM HUP

# Buffers large enough that the consumer, on the other core, keeps up.
start_session() {
    control create "$session" --output "$work/lttng-trace"
    control enable-channel -u -s "$session" --subbuf-size 4M --num-subbuf 8 spans
    control enable-event -u -s "$session" -c spans 'attention1:*'
    control start "$session"
}

count_events() {
    if command -v babeltrace2 >/dev/null; then
        babeltrace2 "$work/lttng-trace" 2>/dev/null | wc -l
    elif command -v babeltrace >/dev/null; then
        babeltrace "$work/lttng-trace" 2>/dev/null | wc -l
    fi
}

control list || start_daemon
start_session
"$program" --spans "$spans" --runs "$runs" $json
control stop "$session"
control destroy "$session"
[[ $json ]] && exit
found=$(count_events || true)
echo "    events in its trace: ${found:-not counted (no babeltrace)}, written: $((2 * spans * runs))"
