# fish understands the completion made for it, and completes with it.
skip_without fish
oplens help --completion fish >oplens.fish
try fish -n oplens.fish
for line in 'oplens re' 'oplens report --format m' 'oplens export --format p' 'oplens help exp'; do
  echo "$line -> $(fish --no-config -c "source oplens.fish; complete -C '$line'" | cut -f1 | xargs)"
done
