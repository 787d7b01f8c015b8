# What level 1 and a choice of categories leave out.
LEVEL=1 record plain.opl
try oplens dump plain.opl
OPLENS_CATEGORIES=kernel,memory record chosen.opl
try oplens dump chosen.opl
