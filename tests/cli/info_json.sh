# The same for programs.
record run.opl
oplens info --json run.opl | pretty
