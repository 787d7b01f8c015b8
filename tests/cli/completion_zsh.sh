# zsh understands the completion made for it.
skip_without zsh
oplens help --completion zsh >_oplens
try zsh -n _oplens
