# Start here. `make run` and `make test` do everything on a fresh Debian machine, with its set-up.
BUILD ?= build
MESON_FLAGS ?=
# Fastest for a whole build. While you work on one file, `meson setup build` is faster.
UNITY = --unity on --unity-size 20
# Limits of tests hold for an idle machine.
TEST = meson test --print-errorlogs --no-rebuild --timeout-multiplier 4
FUZZ_BUILD ?= build/fuzzing
SECONDS ?= 60

.PHONY: all package release-check run test sanitized bench fuzz kill-matrix docs clients-report picture site format prose lint setup packages packages-of-run clients clean

all: $(BUILD)/build.ninja
	ninja -C $(BUILD) splitproof splitproof-proxy splitproof-mutants.so splitproof-self-test

# Makes all packages in the folder `package` of the build folder. The checksum of each is in a file next to it. The archive, the
# npm package and the image have static programs. The folder's libcurl is built once, from the network.
package: $(BUILD)/build.ninja
	@.ci/install-dependencies package
	packaging/libcurl $(BUILD)/libcurl
	meson configure $(BUILD) -Dstatic_libcurl=$(abspath $(BUILD))/libcurl
	ninja -C $(BUILD) splitproof splitproof-proxy splitproof-mutants.so splitproof-self-test \
	  packaging/splitproof packaging/splitproof-self-test
	packaging/deb $(BUILD) $(BUILD)/package
	packaging/archive $(BUILD)/packaging $(BUILD)/package
	packaging/npm $(BUILD)/packaging $(BUILD)/package

# Tries each package of `make package` in a bare root: Debian 11, Debian 12, and a root with nothing else. It needs root and the
# network.
release-check:
	@.ci/install-dependencies release-check
	tests/package/release_check.sh $(BUILD) .

# Needs only the packages of the programs. `make test` adds the tests to the same build folder.
run: $(BUILD)/build.ninja
	ninja -C $(BUILD) splitproof
	$(BUILD)/splitproof run

test: $(BUILD)/build.ninja | clients
	@.ci/with-tests $(BUILD)
	ninja -C $(BUILD)
	$(TEST) -C $(BUILD)
	@.ci/summary $(BUILD)

# Runs the tests of code that reads foreign bytes or uses sockets, under AddressSanitizer and UndefinedBehaviorSanitizer.
sanitized: | setup
	@test -e $(BUILD)/sanitized/build.ninja || CC=clang CXX=clang++ CXX_LD=lld meson setup $(BUILD)/sanitized -Dtests=foreign \
	  -Dfuzz=true -Doptimization=0 -Db_sanitize=address,undefined -Db_lundef=false -Db_staticpic=false $(UNITY) $(MESON_FLAGS)
	ninja -C $(BUILD)/sanitized meson-test-prereq
	$(TEST) -C $(BUILD)/sanitized
	@.ci/summary $(BUILD)/sanitized

# Measures costs, prints them, and writes them into tests/bench/README.md.
bench: $(BUILD)/build.ninja | packages
	@.ci/with-tests $(BUILD)
	ninja -C $(BUILD) tests/bench/bench tests/bench/check_speed tests/bench/long_answers tests/bench/over_http tests/bench/plan_speed \
	  tests/cost/costs splitproof splitproof-mutants.so splitproof-proxy
	.ci/bench-page $(BUILD)

# Writes the tables of mutants in docs/data, and a page with all tables in the build folder. It takes a few minutes.
kill-matrix: all | packages
	@.ci/with-tests $(BUILD)
	ninja -C $(BUILD) tests/mutants/kill_matrix
	mkdir -p $(BUILD)/docs
	SPLITPROOF_MUTANTS=$(BUILD)/splitproof-mutants.so $(BUILD)/tests/mutants/kill_matrix $(BUILD)/docs/kill-matrix.md
	.ci/kill-matrix-data $(BUILD)/docs/kill-matrix.md

# Makes long pages in the build folder and writes their tables into docs/data. A page whose streams are missing is left out
# (77).
docs: all
	for page in rules losses self-test broken-streams providers; do \
	  .ci/$$page-page $(BUILD)/splitproof $(BUILD)/docs || [ $$? = 77 ] || exit 1; \
	done
	tests/bench/simulate_shards.py --write

# Tests the clients in harness/clients, which are installed from the network, and prints a table of their causes. Then it writes
# the tables in contracts/clients.
clients-report: $(BUILD)/build.ninja
	@.ci/with-tests $(BUILD)
	ninja -C $(BUILD) splitproof tests/clients/upstream_readings
	.ci/clients-report $(BUILD)/splitproof $(BUILD)/clients
	.ci/client-tables $(BUILD)/splitproof $(BUILD)/tests/clients/upstream_readings $(BUILD)/clients

# Writes the finding in README.md and the picture of the page, docs/report.png. It needs chromium.
picture: $(BUILD)/build.ninja
	ninja -C $(BUILD) splitproof
	.ci/picture $(BUILD)/splitproof

# Builds the site in the build folder, and checks its links.
site: all | packages
	.ci/site $(BUILD)/splitproof $(BUILD)/site

# Runs each fuzz target for SECONDS. Findings are left in fuzz/findings.
fuzz: setup
	@test -e $(FUZZ_BUILD)/build.ninja || CC=clang CXX=clang++ CXX_LD=lld meson setup $(FUZZ_BUILD) -Dfuzz=true \
	  -Dbuildtype=debugoptimized -Db_sanitize=address,undefined -Db_lundef=false $(MESON_FLAGS)
	ninja -C $(FUZZ_BUILD) fuzz-targets
	fuzz/run $(FUZZ_BUILD) $(SECONDS)

# Checks the format of every file.
format:
	git ls-files -z '*.cpp' '*.hpp' '*.c' '*.h' | xargs -0 clang-format --dry-run --Werror

# Checks the prose. .ci/prose-patterns.txt has the patterns, and `.ci/prose --show PATH` prints each place.
prose:
	@.ci/prose --limits

# Checks the format, the prose, and runs clang-tidy with the checks of `.clang-tidy`. TIDY is a pattern of paths. clang-tidy
# reads the files of a room together, which is faster. It does not read mutants, which the build makes of other files. Files
# that the build makes must exist first.
TIDY ?= (proxy|harness|tests|fuzz|splitproof[^/]*)/
lint: format prose | packages
	@test -e $(BUILD)/lint/build.ninja || CC=clang CXX=clang++ meson setup $(BUILD)/lint -Db_pch=false -Dfuzz=true $(UNITY)
	ninja -C $(BUILD)/lint -t targets all | sed -n 's/\(\.[ch]pp\): CUSTOM_COMMAND.*/\1/p' | xargs ninja -C $(BUILD)/lint
	run-clang-tidy -quiet -p $(BUILD)/lint -checks=-bugprone-suspicious-include \
	  '^$(CURDIR)/($(BUILD)/lint/(?!harness/mutants/))?$(TIDY)'

$(BUILD)/build.ninja: | packages-of-run
	meson setup $(BUILD) -Dtests=none $(UNITY) $(MESON_FLAGS)

# Installs the packages for the build, and the browser and the official clients for the tests. Tests install nothing themselves.
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
