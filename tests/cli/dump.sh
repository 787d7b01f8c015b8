# Every record, one per line.
record run.opl
try oplens dump run.opl
