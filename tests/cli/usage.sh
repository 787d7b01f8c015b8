# What is said to somebody who mistypes.
try oplens
try oplens nonsense
try oplens --nonsense
try oplens info
try oplens dump
try oplens info --nonsense run.opl
try oplens info -x run.opl
try oplens info --json=yes run.opl
try oplens dump --jso run.opl
try oplens info -- --json
