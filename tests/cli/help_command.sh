# `oplens help` says how a command is used.
try sh -c 'oplens help report >a; oplens report --help | cmp - a'
try oplens help nonsense
try oplens help --completion tcsh
