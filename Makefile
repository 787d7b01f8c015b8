# The two commands most people need are `make demo` and `make test`; both install what is missing.

BUILD := build/gcc

.PHONY: all demo test check bench bless format install clean

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD)

$(BUILD)/build.ninja:
	@tools/setup build
	@tools/configure gcc

demo: all
	@tools/demo $(BUILD)

test:
	@tools/setup build test
	@tools/setup query || echo "DuckDB could not be installed: tests of SQL are skipped"
	@tools/run-tests

check:
	@tools/setup build test check
	@tools/check-style

bench: all
	@tools/setup bench
	@meson setup --reconfigure $(BUILD) >/dev/null && ninja -C $(BUILD)
	@bench/run $(BUILD)

bless: all
	@tools/setup test
	@ninja -C $(BUILD)
	@tests/cli/run --bless $(BUILD)

format:
	@tools/setup check
	@git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format -i

install: all
	@meson install -C $(BUILD)

clean:
	@rm -rf build
