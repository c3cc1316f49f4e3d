# The short way to everything. CMake does the work: see CMakeLists.txt for the options that CMAKE_ARGS can set,
# for example  make CMAKE_ARGS='-DWEFT_NATIVE=OFF -DWEFT_CUDA=OFF'.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory

BUILD ?= build
PREFIX ?= /usr/local
DESTDIR ?=
CMAKE_ARGS ?=
BENCH_ARGS ?=
LAB_ARGS ?=
FUZZ_SECONDS ?= 60
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

# Where scripts/setup puts a newer CMake when the system's own is too old.
export PATH := $(CURDIR)/build/tools/bin:$(PATH)

# $(call compile,DIR,ARGS[,TARGETS]): configures DIR when it is new or when there are arguments, then builds it.
# The configure log is shown only when something is wrong; its last word, the summary, always.
define compile
@if $(if $(strip $(2)),true,[ ! -f $(1)/build.ninja ]); then \
    mkdir -p $(1); \
    cmake -G Ninja -S . -B $(1) $(2) > $(1)/configure.log 2>&1 || { cat $(1)/configure.log; exit 1; }; \
    ! grep -A4 '^CMake Warning' $(1)/configure.log; \
    sed -n 's/^-- \(weft [0-9].*\)/\1/p' $(1)/configure.log; \
fi
@cmake --build $(1) -j $(JOBS) $(if $(3),--target $(3))
endef

# The tests of a folder. Many wait for others, the network or the disk: twice as many as there are cores keep these busy.
run_tests = ctest --test-dir $(1) --output-on-failure --no-label-summary -j $$(( 2 * $(JOBS) ))

# One folder serves all. Where there is nvcc but no GPU, `make run` does without CUDA, which takes minutes to compile and
# could not be used; `make test` then adds it in a hurry, to see that it compiles, and `make` in full. Nothing else is compiled a second time,
# and a folder that has CUDA keeps it.
cuda_is = $(shell sed -n 's/^WEFT_CUDA:STRING=//p' $(BUILD)/CMakeCache.txt 2>/dev/null)
if_new = $(if $(wildcard $(BUILD)/build.ninja),,-DWEFT_CUDA=GPU)
check_cuda = $(if $(filter-out GPU,$(cuda_is)),,-DWEFT_CUDA=CHECK)
add_cuda = $(if $(filter GPU CHECK,$(cuda_is)),-DWEFT_CUDA=AUTO)

VALGRIND := valgrind;-q;--error-exitcode=99;--leak-check=full
VALGRIND := $(VALGRIND);--show-leak-kinds=definite;--errors-for-leak-kinds=definite

.PHONY: all build setup run programs quick test slow coverage bench benchmark bench-peers lab install package-build packages packages-test wheel docs fuzz sanitize \
    sanitize-quick sanitize-python sanitize-gpu valgrind format help clean
.DEFAULT_GOAL := build

all: build

build: setup ## build everything: library, programs, tests, benchmarks (the default)
	$(call compile,$(BUILD),$(add_cuda) $(CMAKE_ARGS),all weft_bench)

setup:
	@scripts/setup

run: setup ## build the program and nothing else, then show it at work on small graphs
	$(call compile,$(BUILD),$(if_new) $(CMAKE_ARGS),weft)
	@WEFT=$(BUILD)/weft scripts/demo

programs: setup ## build the programs weft and weft-lab, and nothing else
	$(call compile,$(BUILD),$(if_new) $(CMAKE_ARGS),weft weft-lab)

quick: build ## build, then run the tests that take a few seconds at most: under a minute in all
	@$(call run_tests,$(BUILD)) -LE long

# What the tests need comes first, and the folder is configured again: plug-ins are built for an MPI that has just come.
test: setup ## build, then run every test: what continuous integration runs first
	@scripts/setup --test
	$(call compile,$(BUILD),-DWEFT_TESTS=ON $(check_cuda) $(CMAKE_ARGS))
	@$(call run_tests,$(BUILD))

slow: ## everything that can be tested, for hours: every test, sanitizers, valgrind, fuzzing, packages; ends with a table
	@FUZZ_SECONDS=$(if $(filter command environment,$(firstword $(origin FUZZ_SECONDS))),$(FUZZ_SECONDS),300) scripts/slow

coverage: ## run every test with counters in lines and branches, and write docs/COVERAGE.md
	@scripts/setup --test --coverage
	$(call compile,build-coverage,-DWEFT_COVERAGE=ON -DWEFT_CUDA=OFF -DWEFT_BENCH=OFF)
	@scripts/coverage build-coverage docs/COVERAGE.md

bench: build ## build, then run the benchmarks (BENCH_ARGS=... is passed on)
	@if [ -x bench/run ]; then WEFT=$(BUILD)/weft BUILD=$(BUILD) bench/run $(BENCH_ARGS); else \
	    shopt -s nullglob; \
	    for b in $(BUILD)/bench/bench_*; do echo "== $${b##*/}"; "$$b" $(BENCH_ARGS); done; \
	fi

benchmark: bench

bench-peers: build ## time igraph, NetworKit, NetworkX and GraphBLAS beside Weft (BENCH_ARGS=... is passed on)
	@WEFT=$(BUILD)/weft python3 bench/peers.py --venv $(BUILD)/peers-venv $(BENCH_ARGS)

# A flag given twice is refused: what LAB_ARGS says takes the place of these.
comma := ,
unless_said = $(if $(filter --$(1) --$(1)=%,$(LAB_ARGS)),,--$(1) $(2))

lab: programs ## run every ladder of the lab, minutes in all, and write the report to build/lab.html (LAB_ARGS=... is passed on)
	@$(BUILD)/weft lab all $(call unless_said,sizes,documents) $(call unless_said,blocks,128$(comma)256$(comma)512$(comma)1024) $(call unless_said,patience,0.3) \
	    $(call unless_said,json,$(BUILD)/lab.json) $(call unless_said,report,$(BUILD)/lab.html) $(LAB_ARGS)

install: build ## install under PREFIX (/usr/local), below DESTDIR if given
	@DESTDIR='$(DESTDIR)' cmake --install $(BUILD) --prefix '$(PREFIX)' --strip
	@if [ -z '$(DESTDIR)' ] && [ "$$(id -u)" = 0 ] && command -v ldconfig > /dev/null; then ldconfig; fi

package-build: setup ## build in build-package/ what packages take: for any machine of this kind, every common GPU; installed below it
	$(call compile,build-package,-DWEFT_NATIVE=OFF -DWEFT_CUDA=$(or $(WEFT_CUDA),AUTO) -DWEFT_CUDA_ARCHS=portable -DWEFT_TESTS=OFF -DWEFT_BENCH=OFF \
	    -DCMAKE_INSTALL_PREFIX=/usr $(CMAKE_ARGS))
	@DESTDIR='$(CURDIR)/build-package/root' cmake --install build-package --strip > /dev/null
	@build-package/root/usr/bin/weft --version

# The date in them is the commit's, so that the same sources give the same packages.
packages: package-build ## build the Debian packages in build/packages/, with CUDA where nvcc is (WEFT_CUDA=OFF: without)
	@scripts/setup --packages
	@export SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct 2>/dev/null || date +%s)}; \
	rm -rf build-package/packages $(BUILD)/packages; mkdir -p $(BUILD)/packages; \
	cpack --config build-package/CPackConfig.cmake > build-package/cpack.log 2>&1 || { cat build-package/cpack.log; exit 1; }
	@cp build-package/packages/*.deb $(BUILD)/packages; ls -sh1 $(BUILD)/packages

packages-test: packages ## install the packages in a fresh Debian root, use them, remove them, see that nothing is left
	@tests/packages/fresh_root.sh $(BUILD)/packages

wheel: setup ## build the wheel of the Python package in build/wheels/, with CUDA where nvcc is (WEFT_CUDA=OFF: without)
	@scripts/wheel

docs: setup ## write the API reference of the Python package to build/reference/, a static site, and follow its links
	$(call compile,$(BUILD),$(if_new) $(CMAKE_ARGS),weft_python_package)
	@BUILD=$(BUILD) scripts/reference

fuzz: ## run each fuzz target for FUZZ_SECONDS (60); a crash stops it and its input stays in build-fuzz/
	@scripts/setup --fuzz
	$(call compile,build-fuzz,-DCMAKE_C_COMPILER=clang -DWEFT_FUZZ=ON)
	@scratch=$$(mktemp -d); trap 'rm -rf "$$scratch"' EXIT; shopt -s nullglob; \
	for t in build-fuzz/fuzz/fuzz_*; do \
	    name=$${t##*/}; mkdir "$$scratch/$$name"; dict=; \
	    if [ -d tests/fuzz/corpus/$$name ]; then cp -r tests/fuzz/corpus/$$name/. "$$scratch/$$name"; fi; \
	    if [ -f tests/fuzz/$$name.dict ]; then dict=-dict=tests/fuzz/$$name.dict; fi; \
	    echo "== $$name, $(FUZZ_SECONDS) s"; \
	    $$t $$dict -max_total_time=$(FUZZ_SECONDS) -timeout=20 -verbosity=0 -print_final_stats=1 \
	        -artifact_prefix=build-fuzz/$$name- "$$scratch/$$name"; \
	done

sanitize: ## run the tests under ASan+UBSan, then under TSan
	@scripts/setup --sanitize
	$(call compile,build-asan,-DWEFT_SANITIZE=address -DWEFT_BENCH=OFF)
	@$(call run_tests,build-asan)
	$(call compile,build-tsan,-DWEFT_SANITIZE=thread -DWEFT_BENCH=OFF -DCMAKE_C_COMPILER=clang)
	@$(call run_tests,build-tsan)

# One build for two questions: what clang warns of is an error, and the short tests run under ASan and UBSan. To optimise what UBSan adds takes
# three times as long as the rest of the compilation, and more than it saves: `make sanitize` does that.
sanitize-quick: ## compile with clang, warnings as errors, and run the short tests under ASan+UBSan
	@scripts/setup --sanitize
	$(call compile,build-clang,-DCMAKE_C_COMPILER=clang -DWEFT_SANITIZE=address -DWEFT_WERROR=ON -DWEFT_CUDA=OFF -DWEFT_BENCH=OFF \
	    -DWEFT_LONG_TESTS=OFF -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_FLAGS_DEBUG=-O0 -g1")
	@$(call run_tests,build-clang) -LE long

sanitize-python: ## run the tests of the Python package, many damaged arrays and hostile calls, with the extension under ASan+UBSan
	@scripts/setup --sanitize
	$(call compile,build-python-asan,-DCMAKE_C_COMPILER=clang -DWEFT_SANITIZE=address -DWEFT_PYTHON=ON -DWEFT_CUDA=OFF -DWEFT_BENCH=OFF \
	    -DWEFT_TESTS=OFF -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_FLAGS_DEBUG=-O1 -g1",weft_python_package)
	@WEFT_BINARY_DIR=$(CURDIR)/build-python-asan WEFT_HAMMER_ROUNDS=100000 tests/python/test_python.sh

sanitize-gpu: build ## run what the GPU serves on small graphs under compute-sanitizer's four tools
	@scripts/sanitize-gpu $(BUILD) $(JOBS)

valgrind: ## run the test executables under valgrind, built without native instructions
	@scripts/setup --valgrind
	$(call compile,build-valgrind,-DCMAKE_BUILD_TYPE=RelWithDebInfo -DWEFT_NATIVE=OFF -DWEFT_CUDA=OFF -DWEFT_BENCH=OFF \
	    "-DWEFT_TEST_LAUNCHER=$(VALGRIND)")
	@OMP_NUM_THREADS=2 $(call run_tests,build-valgrind) -LE shell

format: ## format every source in place (clang-format)
	@git ls-files -co --exclude-standard -- '*.c' '*.h' '*.cu' '*.cuh' | xargs -r clang-format -i

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | \
	    while IFS=$$'\t' read -r target text; do printf '  make %-14s %s\n' "$$target" "$$text"; done

clean: ## remove everything that was built
	@rm -rf $(BUILD) build build-fuzz build-asan build-tsan build-clang build-python-asan build-valgrind build-coverage build-package
