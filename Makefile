# The front door. `make run` and `make test` do everything on a fresh Debian machine, set-up included.
BUILD ?= build
MESON_FLAGS ?=
# Quickest for all of it. Where one file is worked on, `meson setup build` is quicker.
UNITY = --unity on --unity-size 20
FUZZ_BUILD ?= build/fuzzing
SECONDS ?= 60

.PHONY: all package run test sanitized bench fuzz kill-matrix docs format prose lint setup packages packages-of-run clients clean

all: $(BUILD)/build.ninja
	ninja -C $(BUILD) splitproof splitproof-proxy splitproof-mutants.so splitproof-self-test

# A Debian package, and a package for npm where there is npm, in the folder `package` of the build folder, each with its
# checksum in a file beside it.
package: all | packages
	packaging/deb $(BUILD) $(BUILD)/package
	@! command -v npm >/dev/null || packaging/npm $(BUILD) $(BUILD)/package

# Needs only the packages of the programs. `make test` adds the tests to the same build folder.
run: $(BUILD)/build.ninja
	ninja -C $(BUILD) splitproof
	$(BUILD)/splitproof run

test: $(BUILD)/build.ninja | clients
	@.ci/with-tests $(BUILD)
	ninja -C $(BUILD)
	meson test -C $(BUILD) --print-errorlogs --no-rebuild
	@.ci/summary $(BUILD)

# The tests of what reads foreign bytes or uses sockets, under AddressSanitizer and UndefinedBehaviorSanitizer.
sanitized: | setup
	@test -e $(BUILD)/sanitized/build.ninja || CC=clang CXX=clang++ CXX_LD=lld meson setup $(BUILD)/sanitized -Dtests=foreign \
	  -Dfuzz=true -Doptimization=0 -Db_sanitize=address,undefined -Db_lundef=false -Db_staticpic=false $(UNITY) $(MESON_FLAGS)
	ninja -C $(BUILD)/sanitized meson-test-prereq
	meson test -C $(BUILD)/sanitized --print-errorlogs --no-rebuild
	@.ci/summary $(BUILD)/sanitized

# Measures what things cost, prints it, and writes it into docs/performance.md.
bench: $(BUILD)/build.ninja | packages
	@.ci/with-tests $(BUILD)
	ninja -C $(BUILD) tests/bench/bench tests/bench/check_speed tests/bench/long_answers tests/bench/over_http \
	  tests/cost/costs splitproof splitproof-mutants.so splitproof-proxy
	.ci/bench-page $(BUILD)

# Writes the tables of docs/kill-matrix.md, and all of them to a page in the build folder. It takes a few minutes.
kill-matrix: all | packages
	@.ci/with-tests $(BUILD)
	ninja -C $(BUILD) tests/mutants/kill_matrix
	mkdir -p $(BUILD)/docs
	SPLITPROOF_MUTANTS=$(BUILD)/splitproof-mutants.so $(BUILD)/tests/mutants/kill_matrix \
	  $(BUILD)/docs/kill-matrix.md docs/kill-matrix.md

# Makes the long pages in the build folder and writes their summaries into docs/: of the contracts, of what providers sent,
# and of what clients do with broken streams. A page whose streams are missing is left out (77).
docs: all
	for page in obligations losses self-test odd-streams provider-conformance; do \
	  .ci/$$page-page $(BUILD)/splitproof $(BUILD)/docs || [ $$? = 77 ] || exit 1; \
	done

# Runs both fuzz targets for SECONDS each; what they find is left in fuzz/findings.
fuzz: setup
	@test -e $(FUZZ_BUILD)/build.ninja || CC=clang CXX=clang++ CXX_LD=lld meson setup $(FUZZ_BUILD) -Dfuzz=true \
	  -Dbuildtype=debugoptimized -Db_sanitize=address,undefined -Db_lundef=false $(MESON_FLAGS)
	ninja -C $(FUZZ_BUILD) fuzz-targets
	fuzz/run $(FUZZ_BUILD) $(SECONDS)

# Is every file formatted?
format:
	git ls-files -z '*.cpp' '*.hpp' '*.c' '*.h' | xargs -0 clang-format --dry-run --Werror

# Is the prose plain? .ci/prose-patterns.txt lists what it looks for; `.ci/prose --show PATH` names each place.
prose:
	@.ci/prose --limits

# The format, the prose, and what clang-tidy finds: `.clang-tidy` says what it looks for. TIDY is a pattern of paths. The files of a
# room are read together, which is quicker; mutants, which the build makes of other files, are not. Files that the build makes
# have to be there first.
TIDY ?= (proxy|harness|tests|fuzz|splitproof[^/]*)/
lint: format prose | packages
	@test -e $(BUILD)/lint/build.ninja || CC=clang CXX=clang++ meson setup $(BUILD)/lint -Db_pch=false -Dfuzz=true $(UNITY)
	ninja -C $(BUILD)/lint -t targets all | sed -n 's/\(\.[ch]pp\): CUSTOM_COMMAND.*/\1/p' | xargs ninja -C $(BUILD)/lint
	run-clang-tidy -quiet -p $(BUILD)/lint -checks=-bugprone-suspicious-include \
	  '^$(CURDIR)/($(BUILD)/lint/(?!harness/mutants/))?$(TIDY)'

$(BUILD)/build.ninja: | packages-of-run
	meson setup $(BUILD) -Dtests=none $(UNITY) $(MESON_FLAGS)

# Packages that the build needs, and the browser and the official clients that tests ask. Tests install nothing themselves.
setup: packages clients

packages:
	@.ci/install-dependencies develop

packages-of-run:
	@.ci/install-dependencies run

clients: packages
	@.ci/install-dependencies chromium chromium-driver || echo "splitproof: the test of the page is skipped"
	@.ci/install-clients

clean:
	rm -rf build
