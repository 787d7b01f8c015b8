#!/usr/bin/env python3
"""What an ONNX Runtime profile's nodes took, by name and by type: how often, nanoseconds. ort_sums.py PROFILE.json.gz"""
import collections, gzip, json, sys

sums = collections.defaultdict(lambda: [0, 0])
for event in json.load(gzip.open(sys.argv[1])):
    for key in (("name", event["name"]), ("type", event["args"].get("op_name"))) if event["cat"] == "Node" else ():
        sums[key][0] += 1
        sums[key][1] += event["dur"] * 1000
for (key, name), (count, total) in sorted(sums.items()):
    print(f"{key}\t{name}\t{count}\t{total}")
