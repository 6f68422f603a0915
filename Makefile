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
RCPP := build/rcpp
SANITIZED := build/address/library/optbn/DESCRIPTION
SOURCES := DESCRIPTION NAMESPACE src/Makevars \
  $(shell find R inst -not -path 'inst/bin*') $(shell find src -name '*.cpp' -o -name '*.h')
WITH_OPTBN := R_LIBS=$(abspath $(LIBRARY))$(if $(R_LIBS),:$(R_LIBS))

# Data that are too large for the repository.
export OPTBN_SHARED ?= $(wildcard $(abspath ../shared))

.PHONY: help demo gallery readme install docs site owner clean
.PHONY: setup-run setup-test setup-all setup-docs setup-site
.PHONY: quick test test-all test-everything lint check check-valgrind checker promises same
.PHONY: test-core test-core-address test-core-thread test-r test-cases test-r-address test-older test-bench
.PHONY: test-fuzz test-fuzz-address fuzz planted-faults
.PHONY: bench bench-exact bench-local bench-scale replicate

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

demo: install ## learn a proved optimal network from real data and draw it
	@$(WITH_OPTBN) $(RSCRIPT) tools/demo.R

gallery: install ## every picture at several sizes on one page, build/gallery.html (KIND=words)
	@$(WITH_OPTBN) $(RSCRIPT) tools/gallery.R $(KIND)

readme: install ## write what README.md shows below its R code, and its picture
	@$(WITH_OPTBN) $(RSCRIPT) tools/readme.R

# ---- tests -------------------------------------------------------------------------------------
#
# A tier runs its stages one after the other, whatever fails, and ends with their seconds and
# counts. Each test belongs to one stage.

STAGE := MAKE=$(MAKE) tools/stage.sh

COUNT = COUNT=$(abspath build/counts/$(1))

define tier
@rm -rf build/stages build/counts && mkdir -p build/counts
@$(STAGE) $(1) && $(STAGE) install
@for stage in $(2); do $(STAGE) $$stage; done; tools/tally.sh $(2)
endef

quick: export OPTBN_QUICK = true
quick: ## after a change: the tests but those that begin other processes or take long
	$(call tier,setup-test,test-core test-r)

test: ## what a user runs: tests of the core and of the package, and some odd cases
	$(call tier,setup-test,test-core test-r test-fuzz)

test-all: ## and with all peers, databases, sanitizers, older packages, experiments
	@eval "$$(tools/postgres.sh start)"; trap 'tools/postgres.sh stop' EXIT; \
	  $(MAKE) --no-print-directory test-everything

test-everything: export OPTBN_REQUIRE_PEERS = true
test-everything:
	$(call tier,setup-all,lint test-core test-r test-fuzz test-core-address test-fuzz-address \
	  test-core-thread test-older test-bench test-cases)

test-core: install ## the core alone, as it is installed
	@$(MAKE) --no-print-directory -C tests/core -j$(CORES) plain PACKAGE=1 $(call COUNT,$@)

test-core-address: $(SANITIZED) ## and with sanitizers, on the objects of the package that has them
	@$(MAKE) --no-print-directory -C tests/core -j$(CORES) address PACKAGE=1 $(call COUNT,$@)

test-core-thread: setup-run
	@$(MAKE) --no-print-directory -C tests/core -j$(CORES) thread $(call COUNT,$@)

test-r: install ## the package (FILTER=score: one file)
	@$(WITH_OPTBN) $(RSCRIPT) tools/test.R test-r $(if $(FILTER),'$(FILTER)')

test-cases: install ## all cases where test-r tries a share of many like ones
	@$(WITH_OPTBN) OPTBN_ALL_CASES=true $(RSCRIPT) tools/test.R $@ \
	  "^($$(grep -lE 'share_of|all_cases' tests/testthat/test-*.R | sed 's/.*test-//; s/\.R//' | paste -sd '|'))$$"

test-r-address: $(SANITIZED) setup-all ## all tests of the package, with sanitizers (FILTER=score: one file)
	@tools/sanitized.sh run $(RSCRIPT) tools/test.R $@ $(if $(FILTER),'$(FILTER)')

test-fuzz: install ## the same few odd cases of each kind (tests/fuzz/main.R)
	@$(WITH_OPTBN) $(RSCRIPT) tests/fuzz/main.R share $@

test-fuzz-address: $(SANITIZED)
	@tools/sanitized.sh run $(RSCRIPT) tests/fuzz/main.R share $@

fuzz: $(SANITIZED) ## odd cases, with sanitizers, for MINUTES from SEED on; or one again (CASE='kind seed')
	@tools/sanitized.sh run $(RSCRIPT) tests/fuzz/main.R $(if $(CASE),again $(CASE),\
	  long $@ $(or $(MINUTES),10) $(or $(SEED),1))

# Debian's packages: lintr, and older ones of several processes and of plots where they are installed.
DEBIAN := /usr/lib/R/site-library
OLDER ?= $(if $(wildcard $(DEBIAN)/future.batchtools),$(DEBIAN))

test-older: install ## what depends on others, with the packages of another library (OLDER=folder)
	@$(if $(OLDER),R_LIBS=$(abspath $(LIBRARY)) R_LIBS_SITE=$(OLDER) R_LIBS_USER=$(OLDER) \
	  OPTBN_REQUIRE_PEERS= $(RSCRIPT) tools/test.R test-older 'parallel|plot',\
	  echo "Left out: no library of older packages (OLDER=folder)"; \
	  echo "0 passed, 0 failed" > build/counts/test-older)

test-bench: install ## tiny versions of the experiments in bench/
	@$(WITH_OPTBN) $(RSCRIPT) tools/test-bench.R

planted-faults: setup-run ## faults in the core, one at a time: an invariant or a test catches each (FAULT=word)
	@MAKE=$(MAKE) tools/planted-faults.sh "$(FAULT)"

lint: ## style, arrows between rooms of the core, retired words
	@R_LIBS_SITE=$(R_LIBS_SITE):$(DEBIAN) $(RSCRIPT) tools/lint.R

check: setup-all ## R CMD check --as-cran: 0 errors, 0 warnings, 0 notes or it fails (CXX=clang++)
	@MAKEFLAGS=-j$(CORES) $(RSCRIPT) tools/check.R

check-valgrind: install setup-all ## examples of the help pages under valgrind (FILTER=page)
	@$(WITH_OPTBN) $(RSCRIPT) tools/check-valgrind.R $(if $(FILTER),'$(FILTER)')

checker: build/check-proof build/check-scores ## the programs that check proofs, and scores from data
build/check-%: src/checker/check_%.cpp
	@mkdir -p $(@D)
	$(or $(CXX),c++) -std=c++17 -O2 -o $@ $< -lz

promises: install ## what texts and resolved issues promise, measured (QUICK=1; ONLY=name)
	@$(RSCRIPT) tools/peers.R
	@$(WITH_OPTBN):$(abspath build/peers) $(RSCRIPT) bench/promises.R $(if $(QUICK),quick) $(if $(ONLY),'$(ONLY)')

same: install ## do 200 problems have the answers that they had (UPDATE=1: take these; ONLY=name)
	@$(WITH_OPTBN) $(RSCRIPT) tests/same/main.R $(if $(UPDATE),update) $(if $(ONLY),'$(ONLY)')

# ---- benchmarks --------------------------------------------------------------------------------

bench: install ## print the benchmark tables beside other packages (QUICK=1: a smoke run)
	@$(RSCRIPT) tools/peers.R
	@$(WITH_OPTBN):$(abspath build/peers) $(RSCRIPT) bench/run.R $(if $(QUICK),quick)

bench-exact: install ## the exact methods on INSTANCES=folder of .jkl.gz files (LIMIT=60 seconds a run)
	@$(WITH_OPTBN) $(RSCRIPT) bench/exact-instances.R $(or $(INSTANCES),$(error name a folder: INSTANCES=...)) $(or $(LIMIT),60)
	@$(WITH_OPTBN) $(RSCRIPT) bench/k-best-instances.R $(INSTANCES) $(or $(LIMIT),60)
	@$(WITH_OPTBN) $(RSCRIPT) bench/exact-threads.R $(INSTANCES) $(or $(LIMIT),60)

bench-local: install ## trees and discretised tables on the data of DATA=folder
	@$(WITH_OPTBN) $(RSCRIPT) bench/local-scores.R $(or $(DATA),$(error name a folder: DATA=...)) $(if $(QUICK),quick)

bench-scale: setup-all install ## a table of PostgreSQL larger than memory, and two workers of a future plan
	@eval "$$(tools/postgres.sh start)" && trap 'tools/postgres.sh stop' EXIT && \
	  $(WITH_OPTBN) $(RSCRIPT) bench/scale-database.R $(if $(QUICK),quick)
	@$(WITH_OPTBN) $(RSCRIPT) bench/scale-workers.R $(if $(QUICK),quick)

replicate: install ## numbers and pictures of all texts again, and what differs (QUICK=1; ONLY=words; FORCE=words)
	@$(RSCRIPT) tools/peers.R replicate
	@$(WITH_OPTBN):$(abspath build/peers) QUICK='$(QUICK)' ONLY='$(ONLY)' FORCE='$(FORCE)' FACTOR='$(FACTOR)' \
	  $(RSCRIPT) tools/replicate.R

# ---- the package -------------------------------------------------------------------------------

docs: setup-docs ## write the Rcpp glue, NAMESPACE and man/
	$(RSCRIPT) -e 'Rcpp::compileAttributes()'
	@$(MAKE) --no-print-directory install
	$(WITH_OPTBN) $(RSCRIPT) -e 'roxygen2::roxygenise(load_code = roxygen2::load_installed)'

site: install setup-site ## the web site, in build/site: help by task, vignettes, articles (LAZY=1: what changed)
	@LAZY=$(LAZY) $(WITH_OPTBN) $(RSCRIPT) tools/site.R

owner: ## write what tools/owner.dcf says of the owner where it belongs (then: make docs)
	@$(RSCRIPT) tools/owner.R

install: $(INSTALLED) ## install the package into build/library

# R's own make does not track headers. Here the compiler notes what each object was made from
# (-MMD), and the objects that a change concerns are deleted first: all where the flags change.
$(INSTALLED): $(SOURCES) $(RCPP) | setup-run
	@mkdir -p $(LIBRARY)
	$(if $(filter src/Makevars,$?),@find src -name '*.o' -delete)
	@tools/stale-objects.sh
	@echo 'CXX17FLAGS += -MMD -MP' > build/Makevars
	@echo "Compiling and installing optbn into $(LIBRARY) (log: build/install.log)"
	@R_MAKEVARS_USER=$(abspath build/Makevars) MAKEFLAGS=-j$(CORES) \
	  $(R) CMD INSTALL --no-docs --library=$(LIBRARY) . > build/install.log 2>&1 || \
	  { grep -A5 -E '(error:|^ERROR|^Error)' build/install.log; exit 1; }

# The headers that objects are compiled with, another file only if R finds others.
$(RCPP): FORCE | setup-run
	@mkdir -p $(@D)
	@$(RSCRIPT) -e 'cat(system.file("include", package = "Rcpp"), format(packageVersion("Rcpp")), "\n")' > $@.now
	@cmp -s $@.now $@ || cp $@.now $@
FORCE:

$(SANITIZED): $(SOURCES) $(RCPP) tests/core/Makefile tools/sanitized.sh | setup-run
	@tools/sanitized.sh install

setup-run setup-test setup-all setup-docs setup-site: setup-%:
	@$(RSCRIPT) tools/setup.R $*

clean: ## remove what the other targets made
	rm -rf build tests/core/build inst/bin demo-network.png
	find src \( -name '*.o' -o -name '*.d' -o -name '*.so' -o -name '*.dll' \
	  -o -name '*.exe' \) -delete
