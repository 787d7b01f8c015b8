# A program that left without closing its file: all it recorded is there.
record run.opl exit
try oplens info run.opl
oplens info --json run.opl | pretty | grep -E '"(state|cut|damage|spans|open_spans)"'
oplens dump run.opl | grep inference
