# foldout: two commands for newcomers, `make demo` and `make test`; they first install the packages they need.
# Everything else is for developers. `make install` installs into PREFIX.
PREFIX ?= /usr/local
BUILD ?= build
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PYTHON ?= /usr/bin/python3
CMAKE_FLAGS ?=

# The revision from which `make check` counts changed files; empty: see tools/tidy.py.
BASE ?=

.PHONY: help setup setup-test setup-check setup-mpi build mpi demo test fast check format-check tidy-changed install bench measuring reproduce claims format tidy asan \
  asan-python tsan fuzz robust mutants docs web clean

help:
	@echo "make demo      fit a map of rendered faces, embed new ones, write a page to explore them: demo/index.html"
	@echo "make test      build everything and run all tests"
	@echo "make check     all tests, warnings as errors, format, clang-tidy on what changed, sanitizers"
	@echo "make build     the library, the tool $(BUILD)/bin/foldout and the Python package $(BUILD)/python"
	@echo "make install   library, headers, CMake package, tool, manual page, Python package into PREFIX=$(PREFIX)"
	@echo "make reproduce tables, figures and claims of the papers: reproduction/*.md; NAME=…, QUICK=1 (README.md)"
	@echo "make bench     speed compared with scikit-learn;   make claims   all claims of the project, measured"
	@echo "make mpi       foldout-mpi, which fits and transforms on many machines: builds and tests it in $(BUILD)-mpi"
	@echo "make web       the program of the explorer page, from web/ (needs npm)"
	@echo "make format | tidy | asan | asan-python | tsan | fuzz | robust | mutants | docs | clean"

# Installs the system packages once per machine; lists them if there is no apt.
setup:
	@tools/setup.sh

# The same with a browser, with clang-format and clang-tidy, and with MPI, PETSc and SLEPc.
setup-test setup-check setup-mpi:
	@tools/setup.sh $(@:setup-%=%)

$(BUILD)/CMakeCache.txt: | setup
	cmake -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=$(PREFIX) \
	  -DFOLDOUT_BUILD_TESTS=OFF $(CMAKE_FLAGS)

build: setup $(BUILD)/CMakeCache.txt
	cmake --build $(BUILD) -j $(JOBS)

demo: build
	$(BUILD)/bin/foldout_demo demo
	@echo "open demo/index.html in a browser"

test: setup-test
	cmake -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=$(PREFIX) \
	  -DFOLDOUT_BUILD_TESTS=ON $(CMAKE_FLAGS)
	cmake --build $(BUILD) -j $(JOBS)
	cd $(BUILD) && ctest --output-on-failure -j $(JOBS)

# The tests that take seconds, for the edit-compile-test loop.
fast: setup
	cmake -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=Release -DFOLDOUT_BUILD_TESTS=ON $(CMAKE_FLAGS)
	cmake --build $(BUILD) -j $(JOBS)
	cd $(BUILD) && ctest --output-on-failure -j $(JOBS) -L fast

# What continuous integration runs: about 40 minutes on two cores.
check: setup-check
	$(MAKE) format-check
	$(MAKE) test CMAKE_FLAGS="$(CMAKE_FLAGS) -DFOLDOUT_WARNINGS_AS_ERRORS=ON"
	$(MAKE) tidy-changed
	$(MAKE) asan

install: build
	cmake --install $(BUILD) --prefix $(PREFIX)

bench: setup
	cmake -S . -B $(BUILD)-bench -G Ninja -DCMAKE_BUILD_TYPE=Release -DFOLDOUT_BUILD_TESTS=OFF -DFOLDOUT_BUILD_BENCH=ON
	cmake --build $(BUILD)-bench -j $(JOBS)
	$(BUILD)-bench/bin/foldout_bench --benchmark_min_time=0.2
	$(PYTHON) bench/peers.py $(BUILD)-bench/bin/foldout
	$(PYTHON) bench/l1_bench.py $(BUILD)-bench/bin/foldout
	PYTHONPATH=$(BUILD)-bench/python $(PYTHON) bench/python_peers.py --umap
	$(BUILD)-bench/bin/foldout_map_time
	$(PYTHON) bench/instructions.py $(BUILD)-bench/bin/foldout

# What the papers' and the project's claims are measured with: the tool, the package, benchmarks and a test.
measuring: setup
	cmake -S . -B $(BUILD)-bench -G Ninja -DCMAKE_BUILD_TYPE=Release -DFOLDOUT_BUILD_TESTS=ON -DFOLDOUT_BUILD_BENCH=ON
	cmake --build $(BUILD)-bench -j $(JOBS) --target foldout_cli foldout_demo foldout_bench foldout_fit_time \
	  foldout_l1_time foldout_map_time test_l1 l1_codes foldout_package

REPRODUCE = FOLDOUT_TOOL=$(BUILD)-bench/bin/foldout PYTHONPATH=$(BUILD)-bench/python:. $(PYTHON) -m reproduce

# Tables, figures and claims of the papers; NAME=sparse_table1, NAME=sparse or nothing for all; QUICK=1: in minutes, without data.
NAME ?=
QUICK ?=
reproduce: measuring
	$(REPRODUCE) $(NAME) $(if $(QUICK),--quick)

# The claims of the project itself.
claims: measuring
	$(REPRODUCE) project $(if $(QUICK),--quick)

format: setup-check
	files=$$(git ls-files '*.cpp' '*.h') && clang-format -i $$files

format-check: setup-check
	files=$$(git ls-files '*.cpp' '*.h') && clang-format --dry-run -Werror $$files

# On all sources, and on those that changed (BASE=revision: since then).
tidy tidy-changed: setup-check
	cmake --preset tidy
	$(PYTHON) tools/tidy.py build-tidy --jobs $(JOBS) $(if $(filter tidy-changed,$@),--changed --base "$(BASE)")

# The fast tests under the address and undefined-behaviour sanitizers, and under the thread sanitizer.
asan tsan: setup
	cmake --preset $@
	cmake --build --preset $@ -j $(JOBS)
	ctest --preset $@ -j $(JOBS)

# foldout-mpi, with tests on several ranks of this machine (docs/scale_out.md).
mpi: setup-mpi
	cmake -S . -B $(BUILD)-mpi -G Ninja -DCMAKE_BUILD_TYPE=Release -DFOLDOUT_MPI=ON -DFOLDOUT_BUILD_TESTS=ON \
	  -DFOLDOUT_BUILD_PYTHON=OFF $(CMAKE_FLAGS)
	cmake --build $(BUILD)-mpi -j $(JOBS) --target foldout_cli foldout_mpi
	cd $(BUILD)-mpi && ctest --output-on-failure -L mpi

# Hard data and random requests for an hour (ROBUST="--seconds 600" for less), then every failing call of the system, and leaks in Python.
ROBUST ?= --cases 1000000 --seconds 3600
robust: build
	$(PYTHON) tests/robust/robust_test.py $(BUILD)/bin/foldout --jobs $(JOBS) $(ROBUST)
	cmake -S . -B $(BUILD) -DFOLDOUT_BUILD_TESTS=ON
	cmake --build $(BUILD) -j $(JOBS) --target foldout_faults
	$(PYTHON) tests/robust/faults_test.py $(BUILD)/bin/foldout $(BUILD)/lib/libfoldout_faults.so
	PYTHONPATH=$(BUILD)/python:python/tests FOLDOUT_LEAK_REPEATS=1000 $(PYTHON) python/tests/run.py test_memory

# The tests of the Python package with an instrumented library, under the address and undefined-behaviour sanitizers.
asan-python: setup
	cmake --preset asan -DFOLDOUT_BUILD_PYTHON=ON
	cmake --build --preset asan -j $(JOBS) --target foldout_package foldout_cli
	ctest --preset asan -R '^python\.'

# Which errors would no test detect? See tools/mutants.py.
mutants: setup
	$(PYTHON) tools/mutants.py --build $(BUILD)-mutants --jobs $(JOBS)

# Every parser on mutated input, for SECONDS seconds each, under the sanitizers.
SECONDS ?= 60
fuzz:
	@tools/setup.sh fuzz
	cmake -S . -B $(BUILD)-fuzz -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER=clang++ \
	  -DCMAKE_C_COMPILER=clang -DFOLDOUT_BUILD_FUZZ=ON -DFOLDOUT_BUILD_TESTS=OFF -DFOLDOUT_BUILD_APPS=OFF \
	  -DFOLDOUT_SANITIZE=fuzzer-no-link,address,undefined -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g1"
	cmake --build $(BUILD)-fuzz -j $(JOBS)
	tools/fuzz.sh $(BUILD)-fuzz/bin $(SECONDS)

# The option tables and the pictures of docs/, generated by the tool itself; a test checks the tables.
docs: build
	$(PYTHON) tools/method_tables.py $(BUILD)/bin/foldout --write
	cmake --build $(BUILD) --target foldout_pictures -j $(JOBS)
	$(BUILD)/bin/foldout_pictures docs/pictures

# The program of the explorer page, which is kept in the repository; only those who change web/ need npm.
web:
	cd web && npm ci --no-audit --no-fund && npm run build

clean:
	rm -rf $(BUILD) $(BUILD)-* demo reproduction
