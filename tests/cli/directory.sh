# A directory stands for the recordings in it.
mkdir traces empty
record traces/b.opl many 2
record traces/a.opl many 1
echo notes >traces/readme.txt
try oplens info traces
try oplens dump traces
try oplens info empty
try oplens dump empty/
OPLENS_OUTPUT=empty/ sample many 3
oplens dump empty | wc -l
