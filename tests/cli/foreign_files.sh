# Files that are not recordings, or no files at all.
printf 'hello\n' >text.txt
printf '{"traceEvents": []}' >trace.json
printf 'hello\n' | gzip -n >text.gz
: >empty.opl
mkfifo fifo
for command in info dump; do
  for file in text.txt trace.json text.gz /proc/self/exe empty.opl fifo /dev/null missing.opl text.txt/run.opl; do
    try oplens $command $file
  done
done
oplens info --json text.txt 2>/dev/null | pretty
