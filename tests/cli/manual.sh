# The manual page is sound, and knows every command, option and exit status.
skip_without groff
oplens help --man >oplens.1
try groff -man -ww -z -Tutf8 oplens.1
groff -man -Tascii -P-cbou oplens.1 >page.txt
for command in $(oplens --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
  grep -q "^   oplens $command$" page.txt || echo "$command is missing"
  for option in $(oplens "$command" --help | grep -oE '^  (-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | grep -v help); do
    sed -n "/^   oplens $command$/,/^   oplens/p" page.txt | grep -q -- "$option" || echo "$command $option is missing"
  done
  oplens "$command" --help | grep -q '^Examples:' || echo "$command has no examples"
done
sed -n '/^EXIT STATUS/,/^SEE ALSO/p' page.txt | tr -s " "
