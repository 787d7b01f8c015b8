# Names may be any bytes; nothing of them reaches a terminal as a command.
OPLENS_OUTPUT=run.opl bash -c 'exec -a "$(printf "sample\033[31m\nred")" sample many 1'
try oplens info run.opl
oplens info --json run.opl | pretty | grep command
oplens info run.opl | LC_ALL=C grep -c "$(printf '\033')"
