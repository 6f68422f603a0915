# What a developer of optbn does, by name. `make` alone lists it.
#
# Everything made goes to build/ (and objects to src/); the package itself is installed into
# build/library only. Packages that it needs and the machine lacks are installed as
# tools/setup.R says.

R ?= R
RSCRIPT ?= Rscript
CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)

LIBRARY := build/library
INSTALLED := $(LIBRARY)/optbn/DESCRIPTION
SOURCES := DESCRIPTION NAMESPACE src/Makevars \
  $(shell find R inst) $(shell find src -name '*.cpp' -o -name '*.h')
COUNTS := $(patsubst %,tests/core/build/%.count,plain address thread) \
  build/counts/test-r build/counts/test-bench
WITH_OPTBN := R_LIBS=$(abspath $(LIBRARY))$(if $(R_LIBS),:$(R_LIBS))

.PHONY: help demo test test-r test-core test-bench check bench bench-exact bench-local bench-scale docs install clean
.PHONY: setup-run setup-test setup-docs

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

demo: install ## learn a proved optimal network from real data and draw it
	@$(WITH_OPTBN) $(RSCRIPT) tools/demo.R

test: setup-test ## run the tests of the package and of the core; ends with their counts
	@rm -f $(COUNTS)
	@$(MAKE) --no-print-directory --keep-going -j$(CORES) test-core test-r test-bench; \
	  tools/tally.sh $(COUNTS)

test-core: install ## run the tests of the C++ core alone, as it is installed and under sanitizers
	@$(MAKE) --no-print-directory -C tests/core -j$(CORES) PACKAGE=1

test-r: setup-test install ## run the tests of the package (FILTER=score: of one file)
	@$(WITH_OPTBN) $(RSCRIPT) tools/test.R $(FILTER)

test-bench: setup-test install ## tiny versions of the experiments in bench/
	@$(WITH_OPTBN) $(RSCRIPT) tools/test-bench.R

check: setup-test ## R CMD check --as-cran: 0 errors, 0 warnings, 0 notes or it fails
	@MAKEFLAGS=-j$(CORES) $(RSCRIPT) tools/check.R

bench: install ## print the benchmark tables beside other packages (QUICK=1: a smoke run)
	@$(RSCRIPT) tools/peers.R
	@$(WITH_OPTBN):$(abspath build/peers) $(RSCRIPT) bench/run.R $(if $(QUICK),quick)

bench-exact: install ## the exact methods on INSTANCES=folder of .jkl.gz files (LIMIT=60 seconds a run)
	@$(WITH_OPTBN) $(RSCRIPT) bench/exact-instances.R $(or $(INSTANCES),$(error name a folder: INSTANCES=...)) $(or $(LIMIT),60)
	@$(WITH_OPTBN) $(RSCRIPT) bench/k-best-instances.R $(INSTANCES) $(or $(LIMIT),60)
	@$(WITH_OPTBN) $(RSCRIPT) bench/exact-threads.R $(INSTANCES) $(or $(LIMIT),60)

bench-local: install ## trees and discretised tables on the data of DATA=folder
	@$(WITH_OPTBN) $(RSCRIPT) bench/local-scores.R $(or $(DATA),$(error name a folder: DATA=...)) $(if $(QUICK),quick)

bench-scale: setup-test install ## a table of PostgreSQL larger than memory, and two workers of a future plan
	@eval "$$(tools/postgres.sh start)" && trap 'tools/postgres.sh stop' EXIT && \
	  $(WITH_OPTBN) $(RSCRIPT) bench/scale-database.R $(if $(QUICK),quick)
	@$(WITH_OPTBN) $(RSCRIPT) bench/scale-workers.R $(if $(QUICK),quick)

docs: setup-docs ## write the Rcpp glue, NAMESPACE and man/
	$(RSCRIPT) -e 'Rcpp::compileAttributes()'
	@$(MAKE) --no-print-directory install
	$(WITH_OPTBN) $(RSCRIPT) -e 'roxygen2::roxygenise(load_code = roxygen2::load_installed)'

install: $(INSTALLED) ## install the package into build/library

# A changed header may concern any object, and R's own make does not track headers.
$(INSTALLED): $(SOURCES) | setup-run
	@mkdir -p $(LIBRARY)
	$(if $(filter %.h %/Makevars,$?),@find src -name '*.o' -delete)
	@echo "Compiling and installing optbn into $(LIBRARY) (log: build/install.log)"
	@MAKEFLAGS=-j$(CORES) $(R) CMD INSTALL --no-docs --library=$(LIBRARY) . > build/install.log 2>&1 || \
	  { grep -A5 -E '(error:|^ERROR|^Error)' build/install.log; exit 1; }

setup-run setup-test setup-docs: setup-%:
	@$(RSCRIPT) tools/setup.R $*

clean: ## remove what the other targets made
	rm -rf build tests/core/build demo-network.png
	find src \( -name '*.o' -o -name '*.so' -o -name '*.dll' \) -delete
