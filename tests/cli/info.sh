# What is inside a recording of everything.
record run.opl
try oplens info run.opl
LEVEL=1 record plain.opl
try oplens info plain.opl
