# Which oplens this is.
try oplens --version
