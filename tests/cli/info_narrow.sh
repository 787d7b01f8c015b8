# A table that has to fit a narrow terminal.
record run.opl
COLUMNS=60 try oplens info run.opl
