# bash completes commands, options, tables, formats, lists and files.
. "$HERE/small_trace.sh"
mkdir "a folder"
. <(oplens help --completion bash)
complete -p oplens

# at WORD...: what the last word may become.
at() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _oplens
  printf '%s ->' "$*"
  printf ' [%s]' "${COMPREPLY[@]}"
  echo
}

at oplens ''
at oplens re
at oplens --v
at oplens report --ta
at oplens report small.json --table aver
at oplens report small.json --table = aver
at oplens report --format ''
at oplens report --limit ''
at oplens report sm
at oplens report 'a f'
at oplens report -o sm
at oplens export --format p
at oplens export --category op,ker
at oplens help ex
at oplens help --completion ''
at oplens nonsense ''
