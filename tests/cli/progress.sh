# What takes more than a second shows a bar at a terminal, and wipes it; nowhere else.
export TERM=xterm
python3 - <<'P'
event = '{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 7, "tid": 70, "ts": 1.000, "dur": 40.250}'
with open("large.json", "w") as file:
    file.write("[" + event)
    for _ in range(120):
        file.write((",\n" + event) * 10000)
    file.write("]")
P
seen() { # what of a bar is in what was printed
  if grep -q '\\rreading large.json .*\\e\[K'; then echo "a bar"; else echo "no bar"; fi
}

first=$(at_terminal 80 --pause 1.3 oplens report large.json --table averages --format csv -o out.csv)
echo "a long reading: $(seen <<<"$first")"
[ "${first%'\r\e[K'}" != "$first" ] && echo "its line is wiped at the end"
echo "without a terminal: $(oplens report large.json --table averages --format csv -o out.csv 2>&1 | seen)"
echo "a dumb terminal: $(TERM=dumb at_terminal 80 --pause 1.3 oplens report large.json --table averages -o out.csv | seen)"
. "$HERE/small_trace.sh"
echo "a short reading: $(at_terminal 80 oplens report small.json --table averages | seen)"
