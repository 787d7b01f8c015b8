# Every record as an object; each line by itself is JSON.
record run.opl
oplens dump --json run.opl >lines
cat lines
python3 -c 'import json; print(sum(1 for line in open("lines") if json.loads(line)), "objects")'
