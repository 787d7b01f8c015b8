# Output that cannot be written is not success.
record run.opl
full() { "$@" >/dev/full; }
try full oplens info run.opl
try full oplens info --json run.opl
try full oplens dump run.opl
try full oplens --help
try full oplens --version
