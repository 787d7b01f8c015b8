# Several files, one of which is not there.
record a.opl many 10
record b.opl many 20
try oplens info a.opl b.opl missing.opl
oplens info --json a.opl b.opl | pretty
oplens dump a.opl b.opl | sort | uniq -c | sort -n | sed 's/start_ns=[0-9]* dur_ns=[0-9]*/TIMES/' | wc -l
