# try.bash - what every script of this folder may use.

# try COMMAND...: shows the command, what it printed, what it complained about, and how it ended.
try() {
  local out err status
  out=$(mktemp -p "${TMPDIR:-/tmp}") err=$(mktemp -p "${TMPDIR:-/tmp}")
  printf '$ %s\n' "$*"
  "$@" >"$out" 2>"$err"
  status=$?
  cat "$out"
  sed 's/^/! /' "$err"
  [ "$status" -eq 0 ] || echo "exit $status"
  echo
  rm -f "$out" "$err"
}

show() { try "$@"; }

# record FILE [ARGUMENT...]: runs the sample and records it.
record() {
  local file=$1
  shift
  OPLENS_OUTPUT=$file OPLENS_LEVEL=${LEVEL:-2} sample "$@"
}

# pretty: JSON from stdin, laid out; a complaint when it is none.
pretty() { python3 -m json.tool --no-ensure-ascii; }

# skip_without COMMAND: ends the test as skipped where the machine does not have it.
skip_without() {
  command -v "$1" >/dev/null && return
  echo "$1 is not installed"
  exit 77
}

# at_terminal COLUMNS [--pause SECONDS] COMMAND...: runs it at a terminal of its own.
at_terminal() { "$HERE/at_terminal" "$@"; }
