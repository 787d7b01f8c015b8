# Help, for oplens and for every command there is.
try oplens --help
try oplens -h
try oplens help
for command in $(oplens --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
  try oplens "$command" --help
done
try oplens info -h
