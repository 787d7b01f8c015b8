# Recordings that were cut or changed after they were closed.
record whole.opl
size=$(stat -c %s whole.opl)
for length in 1 7 8 100 4095 4096 5000 $((size - 1)); do
  head -c $length whole.opl >cut.opl
  echo "cut to $length of its bytes" | sed "s/$((size - 1))/all but one/"
  try oplens info --json cut.opl | grep -v '^{'
done

# flip FILE OFFSET: changes one bit.
flip() {
  python3 -c '
import sys
with open(sys.argv[1], "r+b") as file:
    file.seek(int(sys.argv[2]))
    byte = file.read(1)[0]
    file.seek(int(sys.argv[2]))
    file.write(bytes([byte ^ 4]))
' "$@"
}
for offset in 9 100 4096 $((4096 + 64 + 40)) $((size - 200)); do
  cp whole.opl flipped.opl
  flip flipped.opl $offset
  echo "byte $offset changed" | sed "s/$((size - 200))/in a chunk/"
  oplens info flipped.opl >text 2>err
  echo "exit $?"
  cat err
  grep -E '^flipped|  damaged' text | sed 's, ([0-9]* in all),,' # how many depends on the length of our path
  oplens dump flipped.opl >text 2>err
  echo "exit $?"
  cat err
done

printf '\2' | dd of=whole.opl bs=1 seek=8 conv=notrunc status=none
try oplens info whole.opl
