# The J-Machine: `make help` lists the targets.
# Sources are found by folder; objects and programs go to build/ (or BUILD=dir).

BUILD ?= build
PREFIX ?= /usr/local
CC = gcc
OBJCOPY ?= objcopy
OPT ?= -O2 -g -DJM_TAIL_CALLS
WARN = -std=c11 -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes
CPPFLAGS += -I. -I$(BUILD)/gen -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -MMD -MP
# The same objects go into programs and into the shared library.
PIC = -fPIC -fno-semantic-interposition
CFLAGS += -pthread $(OPT) $(PIC) $(WARN) $(SAN)
LDFLAGS += $(SAN)
LDLIBS = -lelf -lz -ljansson -lm

# Commands are shown by name only; V=1 shows them in full.
V ?= 0
Q = $(if $(filter 0,$(V)),@)
say = $(if $(filter 0,$(V)),@printf '  %-6s %s\n' $(1) $(2))

# Layers; each is a library of its own inside the one that is installed.
ISA_SRC := $(wildcard emu/core/*.c emu/isa/*.c)
NET_SRC := $(filter-out net/model/%,$(wildcard net/*.c net/*/*.c))
ASM_SRC := $(wildcard asm/*/*.c)
MODEL_SRC := $(wildcard net/model/*.c net/model/*/*.c)
EMU_SRC := $(wildcard emu/node/*.c emu/node/*/*.c emu/machine/*.c emu/machine/*/*.c emu/debug/*/*.c)
LIB_SRC := $(ISA_SRC) $(NET_SRC) $(ASM_SRC) $(EMU_SRC)
obj = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

GEN = $(BUILD)/gen
# Each library twice: NAME.a for others, one object in which the names of PUBLIC alone are
# global; and its objects as they are, for jm and the tests.
PUBLIC = jm_ net_ asm_
LIBRARIES = $(patsubst %,$(BUILD)/%.a,libjm libjnet libjasm libjmodel)
LIBJM = $(BUILD)/inside/libjm.a
LIBNET = $(BUILD)/inside/libjnet.a
LIBASM = $(BUILD)/inside/libjasm.a
LIBMODEL = $(BUILD)/inside/libjmodel.a
KERNEL = $(BUILD)/libkernel.a

# Programs: tools/<name>.c is the main of <name>; tools/<name>/*.c belong to it,
# tools/host/*.c to every one.
TOOLS := $(patsubst tools/%.c,%,$(wildcard tools/*.c))

.PHONY: all lib tools programs man
.DEFAULT_GOAL = all
.DELETE_ON_ERROR:
all: lib tools programs man ## build everything (the default)
	@:
lib: $(LIBRARIES)
tools: $(TOOLS:%=$(BUILD)/%)

# Missing headers are reported in one sentence before the first file is compiled. Objects
# older than the stamp are compiled again: those of earlier Makefiles are not
# position-independent.
HEADERS = $(BUILD)/libraries-found
$(HEADERS): tools/deps.sh
	@tools/deps.sh headers $(CC)
	@mkdir -p $(@D) && touch $@

$(BUILD)/obj/%.o: %.c $(HEADERS)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

# The dispatcher's operands would otherwise be paired in vector registers for the few
# instructions that store two of them, at the cost of all others.
$(BUILD)/obj/emu/node/exec.o: CFLAGS += -fno-tree-slp-vectorize

# The functions of the vector cycle are forced inline into one. With a sanitizer's checks
# gcc takes minutes to compile it, so there the compiler may keep them separate.
PLANE_STEPS = $(patsubst %,$(BUILD)/obj/net/plane/%.o,plain sse2 avx2 avx512)
$(PLANE_STEPS): CFLAGS += $(if $(SAN),-Dalways_inline=unused)
# Tracking the locations of variables took half of the compile time. -g1 keeps line
# numbers.
$(PLANE_STEPS): CFLAGS += $(if $(findstring -g,$(OPT)),-g1)

# Fuzzers trace comparisons in the code that reads an input. The code that runs every cycle
# never sees the input, and tracing it would cost most of their speed.
CYCLE_SRC := $(filter-out %/savefile.c,$(wildcard emu/core/*.c emu/isa/*.c emu/node/*.c \
    emu/node/plain/*.c emu/machine/*.c emu/machine/run/*.c \
    $(patsubst %,net/%/*.c,create graph messages plane wormhole)))
$(call obj,$(CYCLE_SRC)): CFLAGS += $(if $(findstring fuzzer,$(SAN)),-fno-sanitize-coverage=trace-cmp)

$(LIBJM): $(call obj,$(LIB_SRC))
$(LIBNET): $(call obj,$(wildcard emu/core/*.c) $(NET_SRC))
$(LIBASM): $(call obj,$(ISA_SRC) $(ASM_SRC))
# The models are a library of their own because only they need GSL.
$(LIBMODEL): $(call obj,$(MODEL_SRC))
$(LIBJM) $(LIBNET) $(LIBASM) $(LIBMODEL):
	@mkdir -p $(@D)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
$(LIBRARIES): $(BUILD)/%.a: $(BUILD)/inside/%.a
	$(call say,AR,$@)
	$(Q)$(LD) -r --whole-archive $< -o $(<:.a=.o)
	$(Q)$(OBJCOPY) -w $(PUBLIC:%=--keep-global-symbol='%*') $(<:.a=.o)
	$(Q)rm -f $@ && $(AR) rcs $@ $(<:.a=.o) && rm $(<:.a=.o)

comma := ,
# The shared library, for other languages: all of libjm and tools/front.
SHARED = $(BUILD)/libjm.so.1
SHARED_SRC = $(LIB_SRC) $(wildcard tools/front/*.c tools/jm/options/*.c) \
    $(patsubst %,tools/jm/%.c,setup program stats/stats trace/trace_filter) \
    $(patsubst %,tools/host/%.c,json_out memory numbers option_rows word_list)
$(SHARED): $(call obj,$(SHARED_SRC)) $(BUILD)/obj/gen/embedded.o tools/front/symbols.map
	$(call say,LD,$@)
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-soname,libjm.so.1 -Wl,-Bsymbolic $(if $(SAN),,-Wl$(comma)-z$(comma)defs) \
	    -Wl,--version-script=tools/front/symbols.map $(filter %.o,$^) -o $@ $(LDLIBS)
# Tables and structures for the Python package.
$(BUILD)/python/jmachine/_tables.py: $(GEN)/mkpython
	@mkdir -p $(@D)
	$(call say,GEN,$@)
	$(Q)$< >$@
.PHONY: python
python: $(SHARED) $(BUILD)/python/jmachine/_tables.py ## build the shared library and the Python package (BUILD/python)
	@cp tools/python/jmachine/*.py $(BUILD)/python/jmachine

.SECONDEXPANSION:
HOST_OBJ = $(call obj,$(wildcard tools/host/*.c))
jm_OBJ = $(call obj,tools/jm.c $(wildcard tools/jm/*.c tools/jm/*/*.c)) $(jm_EXTRA) $(HOST_OBJ)
jm_EXTRA = $(BUILD)/obj/gen/embedded.o $(BUILD)/obj/gen/version.o $(call obj,$(wildcard tools/exp/*.c tools/exp/*/*.c tools/report/*.c tools/report/*/*.c tools/model/*.c tools/net/*.c)) $(LIBMODEL)
$(BUILD)/jm $(BUILD)/jm-mpi: LDLIBS += -lgsl -lgslcblas -lreadline
$(TOOLS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/obj/tools/%.o $$(call obj,$$(wildcard tools/%/*.c tools/%/*/*.c)) $$($$*_EXTRA) $(HOST_OBJ) $$(if $$(filter jm,$$*),$(LIBJM),$(BUILD)/libjasm.a)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) $^ -o $@ $(LDLIBS)

# jm-mpi is jm with MPI, for mpirun; it is built if mpicc and its headers are there. Only
# ranks.c differs.
MPICC := $(shell command -v mpicc >/dev/null && printf '\043include <mpi.h>\n' | \
    mpicc -fsyntax-only -x c - 2>/dev/null && command -v mpicc)
MPI_OBJ = $(BUILD)/obj/tools/exp/run/ranks_mpi.o
$(MPI_OBJ): tools/exp/run/ranks.c | $(HEADERS)
	@mkdir -p $(@D)
	$(call say,MPICC,$<)
	$(Q)OMPI_CC="$(CC)" $(MPICC) $(CPPFLAGS) -DJM_MPI $(CFLAGS) -c $< -o $@
$(BUILD)/jm-mpi: $(BUILD)/jm $(MPI_OBJ)
	$(call say,MPICC,$@)
	$(Q)OMPI_CC="$(CC)" $(MPICC) $(LDFLAGS) $(filter-out %/run/ranks.o,$(jm_OBJ)) $(MPI_OBJ) $(LIBJM) -o $@ $(LDLIBS)
$(if $(MPICC),$(eval tools: $(BUILD)/jm-mpi))

# Generators run during the build; tools/gen/<name>.c is the main of one.
GENERATORS = $(patsubst tools/gen/%.c,$(BUILD)/gen/%,$(wildcard tools/gen/*.c))
$(GENERATORS): $(GEN)/%: $(BUILD)/obj/tools/gen/%.o $(call obj,$(ISA_SRC))
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) $^ -o $@ $(LIBS_$*)
# Generators that list options and names read the tables of all programs.
ROWS_OBJ = $(call obj,$(wildcard tools/gen/rows/*.c) tools/model/options.c tools/exp/plan/setting_rows.c tools/host/numbers.c tools/host/word_list.c)
$(GEN)/mkman $(GEN)/mkcompletion $(GEN)/mkattributes: $(ROWS_OBJ) $(LIBJM)
$(GEN)/mkattributes: $(call obj,tools/host/option_rows.c)
$(GEN)/mksyntax: $(call obj,tools/mdpas/answers/words.c tools/host/memory.c tools/host/host.c)
$(GEN)/mkpython: $(LIBJM)
LIBS_mkpython = $(LDLIBS)
LIBS_mkman = $(LDLIBS)
LIBS_mkattributes = $(LDLIBS)
LIBS_mkcompletion = $(LDLIBS)

# Manual pages and completion: templates with rows of these tables.
MAN = $(patsubst tools/man/%.in,$(BUILD)/man/%,$(wildcard tools/man/*.in))
COMPLETION = $(patsubst tools/%.in,$(BUILD)/%,$(wildcard tools/completion/*.in))
man: $(MAN) $(COMPLETION) syntax
# How editors colour MDP assembly.
SYNTAX = $(BUILD)/editors/mdp.vim $(BUILD)/editors/mdp.tmLanguage.json
.PHONY: syntax
syntax: $(SYNTAX)
$(BUILD)/editors/mdp.vim: KIND = vim
$(BUILD)/editors/mdp.tmLanguage.json: KIND = vscode
# The extension for VS Code, as a folder that the editor loads.
CODE = $(BUILD)/editors/vscode
CODE_FILES = $(patsubst tools/editors/vscode/%,$(CODE)/%,$(wildcard tools/editors/vscode/*.js*)) \
    $(CODE)/package.json $(CODE)/syntaxes/mdp.tmLanguage.json $(CODE)/copyright
CODE_FILES := $(filter-out %.in,$(CODE_FILES))
syntax: $(CODE_FILES)
$(CODE)/package.json: tools/editors/vscode/package.json.in $(GEN)/mkattributes
	@mkdir -p $(@D)
	$(call say,GEN,$@)
	$(Q)$(GEN)/mkattributes $< >$@
$(CODE)/syntaxes/%: $(BUILD)/editors/%
	@mkdir -p $(@D)
	$(Q)cp $< $@
$(CODE)/copyright: tools/copyright
	@mkdir -p $(@D)
	$(Q)cp $< $@
$(CODE)/%: tools/editors/vscode/%
	@mkdir -p $(@D)
	$(Q)cp $< $@
# npm fetches vsce, which packs it.
.PHONY: vsix
vsix: $(CODE_FILES) ## pack the extension for VS Code, BUILD/editors/mdp.vsix (needs npm)
	cd $(CODE) && npx --yes @vscode/vsce@3 package --skip-license --allow-missing-repository --no-dependencies -o $(abspath $(BUILD))/editors/mdp.vsix
$(SYNTAX): $(GEN)/mksyntax
	@mkdir -p $(@D)
	$(call say,GEN,$@)
	$(Q)$< $(KIND) >$@
$(MAN): $(BUILD)/man/%: tools/man/%.in $(GEN)/mkman
	@mkdir -p $(@D)
	$(call say,MAN,$@)
	$(Q)$(GEN)/mkman $< >$@
$(COMPLETION): $(BUILD)/completion/%: tools/completion/%.in $(GEN)/mkcompletion
	@mkdir -p $(@D)
	$(call say,GEN,$@)
	$(Q)$(GEN)/mkcompletion $< >$@

$(GEN)/mdp.inc: $(GEN)/mkinc
	$(call say,GEN,$@)
	$(Q)$< >$@

# The kernel: an archive of its own, also carried inside jm with the include files.
KERNEL_INC := $(wildcard kernel/*.inc)
KERNEL_OBJ := $(patsubst kernel/%.s,$(BUILD)/kernel/%.o,$(wildcard kernel/*.s))
$(KERNEL_OBJ): $(BUILD)/kernel/%.o: kernel/%.s $(GEN)/mdp.inc $(BUILD)/mdpas
	@mkdir -p $(@D)
	$(call say,AS,$<)
	$(Q)$(BUILD)/mdpas -MD -MP -I kernel -I $(GEN) -l $(@:.o=.lst) -o $@ $<
$(KERNEL): $(KERNEL_OBJ)
	@mkdir -p $(@D)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcsD $@ $^
PAGE = $(wildcard tools/report/draw/*.gp tools/report/page.html tools/report/page.css tools/report/page.js)
# The programs that experiments run; applications include lib/app.inc.
APPLICATIONS := $(patsubst programs/%/,%,$(sort $(dir $(shell grep -l 'lib/app\.inc' programs/*/*.s))))
EXPERIMENT_ELF = $(patsubst %,$(BUILD)/programs/%.elf,snakes wire $(APPLICATIONS))
$(GEN)/embedded.c: $(KERNEL) $(GEN)/mdp.inc $(KERNEL_INC) $(EXPERIMENT_ELF) $(PAGE) $(GEN)/mkembed Makefile
	$(call say,GEN,$@)
	$(Q)$(GEN)/mkembed $(filter-out %/mkembed Makefile,$^) >$@
$(BUILD)/obj/gen/%.o: $(GEN)/%.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

# The version contains a digest of the sources that results depend on. Every make computes
# it and rewrites the file only if it has changed, so that nothing is relinked needlessly.
RESULTS_FROM = emu/core emu/isa emu/node emu/machine net asm kernel $(patsubst %,programs/%,snakes wire lib $(APPLICATIONS)) \
    tools/gen/mkinc.c tools/exp/run tools/exp/models tools/exp/result/result.c $(wildcard tools/exp/plan/*setting* tools/exp/plan/models.def)
.PHONY: reckon
$(GEN)/version.c: reckon
	@mkdir -p $(@D)
	@new=$@.$$$$; tools/version.sh $(RESULTS_FROM) >$$new && \
	    if cmp -s $$new $@; then rm $$new; else mv $$new $@; fi

# MDP programs: programs/<name>/*.s, linked with the kernel, is <name>.elf.
PROGRAMS := $(sort $(patsubst programs/%/,%,$(dir $(wildcard programs/*/*.s))))
PROGRAM_OBJ := $(patsubst %.s,$(BUILD)/%.o,$(wildcard programs/*/*.s))
program_obj = $(patsubst %.s,$(BUILD)/%.o,$(wildcard programs/$(1)/*.s))
programs: $(PROGRAMS:%=$(BUILD)/programs/%.elf)
$(PROGRAM_OBJ): $(BUILD)/programs/%.o: programs/%.s $(GEN)/mdp.inc $(BUILD)/mdpas
	@mkdir -p $(@D)
	$(call say,AS,$<)
	$(Q)$(BUILD)/mdpas -MD -MP -I programs -I kernel -I $(GEN) -l $(@:.o=.lst) -o $@ $<
$(PROGRAMS:%=$(BUILD)/programs/%.elf): $(BUILD)/programs/%.elf: $$(call program_obj,$$*) $(KERNEL) $(BUILD)/mdpld
	$(call say,LD,$@)
	$(Q)$(BUILD)/mdpld -M $(@:.elf=.map) -o $@ $(filter %.o,$^) $(KERNEL)

# Tests: tests/<area>/*.c is one Criterion program, under a sanitizer with tests/leaks.c;
# that of net links only the network. tests/<area>/test_*.sh are scripts; tests/bench and
# tests/fuzz hold benchmarks and fuzzers.
ALL_AREAS := $(sort $(patsubst tests/%/,%,$(dir $(wildcard tests/*/test_*.c))))
AREAS = $(ALL_AREAS)
# The lint is one of the tests if this is a git work tree and clang is installed, but not
# under a sanitizer. It and the browser test start first, as they take longest.
HAS_LINT = command -v clang && command -v clang-format && git rev-parse --is-inside-work-tree
SCRIPTS := $(if $(SAN),,$(if $(shell ($(HAS_LINT)) 2>/dev/null),tools/lint.sh)) \
    $(wildcard tests/web/test_*.sh) \
    $(filter-out tests/web/%,$(wildcard tests/*/test_*.sh tests/recorded/*.cases))
test_lib = $(or $(test_lib_$(1)),$(LIBJM))
test_lib_exp = $(LIBMODEL) $(LIBJM)
test_lib_report = $(test_lib_exp)
test_lib_net = $(LIBNET)
test_lib_memory = $(LIBMODEL) $(LIBJM)
test_lib_model = $(LIBMODEL) $(LIBNET)
test_libs_net = -lm
# The tests of memory decide which request of the libraries fails.
test_libs_memory = $(patsubst %,-Wl$(comma)--wrap=%,malloc calloc realloc aligned_alloc \
    strdup strndup free open_memstream tmpfile) -lgsl -lgslcblas $(LDLIBS)
comma := ,
test_libs_model = -lgsl -lgslcblas -lm
test_src = $(wildcard tests/$(1)/*.c)
# Sources that tests use besides their own.
test_kernel = tools/exp/run/costs.c $(wildcard tools/host/*.c) tests/emu/rig.c
test_memory = tests/net/ring.c tests/emu/rig.c tests/emu/traffic.c tests/emu/jam.c
test_debug = tests/emu/rig.c tests/emu/traffic.c
test_exp = $(filter-out %/ranks_mpi.c,$(wildcard tools/host/*.c tools/jm/*.c tools/jm/*/*.c tools/exp/*.c tools/exp/*/*.c tools/report/*.c tools/report/*/*.c)) gen/embedded.c gen/version.c
test_report = $(test_exp)
test_libs_exp = -lgsl -lgslcblas -lreadline $(LDLIBS)
test_libs_report = $(test_libs_exp)
$(AREAS:%=$(BUILD)/test-%): $(BUILD)/test-%: $$(call obj,$$(call test_src,$$*) $$(test_$$*) $(if $(SAN),tests/leaks.c)) $$(call test_lib,%)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) $^ -o $@ -lcriterion $(or $(test_libs_$*),$(LDLIBS))

BENCHES := $(patsubst tests/bench/%.c,$(BUILD)/%,$(wildcard tests/bench/bench_*.c))
bench_model_EXTRA = $(LIBMODEL)
$(BUILD)/bench_model: LDLIBS += -lgsl -lgslcblas
$(BENCHES): $(BUILD)/%: $(BUILD)/obj/tests/bench/%.o $$($$*_EXTRA) $(LIBJM)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) $^ -o $@ $(LDLIBS)

# The fuzzers: with clang libFuzzer programs, with any compiler replays of the corpus.
FUZZERS := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_SECONDS ?= 60
fuzz_net_EXTRA = $(call obj,tests/net/twins.c tests/net/reference.c)
fuzz_exp_EXTRA = $(call obj,tools/exp/options.c net/model/interval.c gen/embedded.c gen/version.c $(wildcard tools/host/*.c $(addprefix tools/exp/,plan/*.c result/*.c measure/*.c tables/*.c)))
$(BUILD)/fuzz_exp $(BUILD)/replay-fuzz_exp: LDLIBS += -lgsl -lgslcblas
$(FUZZERS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/obj/tests/fuzz/%.o $$($$*_EXTRA) $(LIBJM)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -fsanitize=fuzzer $^ -o $@ $(LDLIBS)
REPLAYS = $(FUZZERS:%=$(BUILD)/replay-%)
$(REPLAYS): $(BUILD)/replay-%: $(call obj,tests/fuzz/%.c tests/fuzz/replay.c) $$($$*_EXTRA) $(LIBJM)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) $^ -o $@ $(LDLIBS)

-include $(shell find $(BUILD)/obj $(BUILD)/kernel $(BUILD)/programs -name '*.d' 2>/dev/null)

include tools/web/web.mk

# ---- what people call --------------------------------------------------------------
# Each installs what it needs first (tools/deps.sh), then builds in a make of its own:
# nothing may be compiled before the compiler is there.

.PHONY: help deb demo test same test-browser test-editors quick micro thesis thesis-full papers papers-full pictures bench bench-counts lint format asan tsan fuzz install uninstall docs golden size check-all stress clean
JOBS = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))
SUBMAKE = $(MAKE) --no-print-directory $(JOBS)

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' Makefile
	@echo "Variables: BUILD=dir CC=compiler AR=ar LD=ld OBJCOPY=objcopy PREFIX=dir DESTDIR=dir V=1 T=tests FUZZ_SECONDS=n STRESS_RUNS=n"
	@echo "OLD=bench.json (bench) OLD=dir (same) GOLDEN=renew (tests) TEST_JOBS=n (tests at a time)"

demo: ## build, then run a greeting and the load of the thesis on an 8x8x8 machine
	@tools/deps.sh build
	+@$(SUBMAKE) all
	@BUILD=$(BUILD) tools/demo.sh

# T chooses tests: an area (its program and its scripts) or a script, by any of its names.
T ?=
T_NAMES = $(basename $(patsubst tests/%,%,$(T:%/=%)))
T_AREAS = $(if $(T),$(filter $(T_NAMES),$(AREAS)),$(AREAS))
T_SCRIPTS = $(if $(T),$(sort $(foreach t,$(T_NAMES),\
    $(filter tests/$t/% tests/$t.% %/$t.sh %/$t.cases,$(SCRIPTS)))),$(SCRIPTS))
TEST_PROGRAMS = $(T_AREAS:%=$(BUILD)/test-%) docs $(if $(SAN),,python) $(GENERATORS) \
    $(if $(filter tests/fuzz/%,$(T_SCRIPTS)),$(REPLAYS)) $(WEB_FOR_TESTS)

# Warnings are errors in tests. Other compilers may warn about more (make test WERROR=);
# under sanitizers gcc knows less about values and warns falsely.
WERROR = $(if $(SAN),,-Werror)
.PHONY: test-programs
test-programs: CFLAGS += $(WERROR)
test-programs: all $(TEST_PROGRAMS) # builds all that the tests need, runs none

# Areas named by T whose programs this target does not run.
T_LEFT_OUT = $(filter $(T_NAMES),$(filter-out $(AREAS),$(ALL_AREAS)))
test: ## build and run all tests; T=net: one area, T=test_run_save: one script
	@$(if $(T_LEFT_OUT),echo "make: left out here: the test program of $(T_LEFT_OUT)" >&2)
	@$(if $(strip $(T_AREAS)$(T_SCRIPTS)),,$(if $(T_LEFT_OUT),,echo "make: no test is called $(T)" >&2;) exit 2)
	@tools/deps.sh test
	+@$(SUBMAKE) test-programs
	@BUILD=$(BUILD) CC="$(CC)" tools/runtests.sh $(T_AREAS) $(T_SCRIPTS)

same: ## compare the output of this build with that of OLD, another build's folder
	@$(if $(OLD),,echo "make: which build? make same OLD=dir" >&2; exit 2)
	+@$(SUBMAKE) test-programs T=recorded
	@BUILD=$(BUILD) python3 tests/recorded/recorded.py --against "$(OLD)" $(wildcard tests/recorded/*.cases)

QUICK = $(patsubst %,tests/%.sh,cli/test_mdpas cli/test_run_output cli/test_run_options \
    debug/test_sessions programs/test_programs)
quick: ## run the tests for every save, in BUILD/quick (half a minute)
	+@$(SUBMAKE) test BUILD=$(BUILD)/quick T_SCRIPTS="$(QUICK)" \
	    T_AREAS="$(filter-out net isa exp model,$(AREAS))"

test-browser: ## run all tests, also those in a browser, which is installed if missing
	@tools/deps.sh browser
	+@$(SUBMAKE) test

test-editors: ## test the language server in Neovim (installed if missing) and the debug adapter
	@tools/deps.sh editors
	@! command -v npm >/dev/null || npm install --silent --no-audit --no-fund \
	    --prefix $(BUILD)/npm @vscode/debugadapter-testsupport@1 @vscode/debugprotocol@1 typescript@5 || true
	+@$(SUBMAKE) test T="test_lsp test_editors test_extension test_dap test_adapter recorded/dap $(patsubst tests/%.cases,%,$(wildcard tests/recorded/lsp*.cases))"

micro: ## print the micro-benchmarks of programs/bench on a machine of 512 nodes
	@tools/deps.sh build
	+@$(SUBMAKE) all
	@$(BUILD)/jm run --mesh 8x8x8 programs/bench/bench.s

# Continues a sweep that was stopped. The report includes failed runs (status 1).
exp_run = mkdir -p "$(1)" && $(BUILD)/jm exp run $(3) $(2) --resume --out "$(1)"; status=$$?; \
    if [ $$status -le 1 ]; then $(BUILD)/jm exp report --out "$(1)" \
    $$(test -e $(WEB)/index.html && echo --site ../web) || status=$$?; fi; exit $$status

thesis: ## run short versions of the thesis's experiments (minutes); report in BUILD/thesis
	@tools/deps.sh thesis
	+@$(SUBMAKE) tools
	@$(call exp_run,$(BUILD)/thesis,--quick,all)

thesis-full: ## the same with as many runs as the thesis (a day); continues after a stop
	@tools/deps.sh thesis
	+@$(SUBMAKE) tools
	@$(call exp_run,$(BUILD)/thesis-full,--full,all)

papers: ## run short versions of the experiments on other networks (minutes); report in BUILD/papers
	@tools/deps.sh thesis
	+@$(SUBMAKE) tools
	@$(call exp_run,$(BUILD)/papers,--quick,papers)

papers-full: ## the same with longer simulations
	@tools/deps.sh thesis
	+@$(SUBMAKE) tools
	@$(call exp_run,$(BUILD)/papers-full,--full,papers)

pictures: ## renew the pictures of README.md and of the manual
	@tools/deps.sh web && tools/deps.sh pictures
	+@$(SUBMAKE) all web
	@BUILD=$(BUILD) tools/pictures.sh

bench: ## measure speed; OLD=bench.json compares with an earlier build
	@tools/deps.sh bench
	+@$(SUBMAKE) all $(BENCHES)
	@BUILD=$(BUILD) tools/bench.sh $(BENCHES)
	@tools/benchtable.sh $(BUILD)/bench.json $(OLD) >$(BUILD)/bench.md
	@$(if $(OLD),cat,echo "table:") $(BUILD)/bench.md
	@BUILD=$(BUILD) tools/bench-sizes.sh
	+@$(SUBMAKE) bench-counts

bench-counts: ## count host instructions and cache misses with valgrind: the same on every host
	@tools/deps.sh counts
	+@$(SUBMAKE) $(BUILD)/jm $(BUILD)/mdpas $(BUILD)/mdpld $(BUILD)/bench_net $(BUILD)/programs/snakes.elf $(BUILD)/programs/radix.elf
	@BUILD=$(BUILD) tools/bench-counts.sh tests/bench/counts-before.tsv

# Replaces the text between two marks of a page by the last table of make bench; the top
# README gets the rows that tests/bench/key-figures.txt names.
put_figures = sed -e '/<!-- figures -->/,/<!-- end of figures -->/{/<!-- figures -->/r $(1)' \
    -e '/<!--/!d}' $(2) >$(BUILD)/page.new && cat $(BUILD)/page.new >$(2)
.PHONY: bench-readme
bench-readme: $(BUILD)/bench.md # copies the table of the last make bench to the READMEs
	@$(call put_figures,$<,tests/bench/README.md)
	@{ head -2 $<; grep -F -f tests/bench/key-figures.txt $<; } >$(BUILD)/key-figures.md
	@$(call put_figures,$(BUILD)/key-figures.md,README.md)

lint: ## check the house rules: layers, sizes, formats, both compilers, no globals
	@tools/deps.sh lint
	+@$(SUBMAKE) all
	@BUILD=$(BUILD) tools/lint.sh

format: ## format the C sources
	@tools/deps.sh lint
	@git ls-files '*.c' '*.h' | xargs clang-format -i

asan: ## run all tests under the address and undefined-behaviour sanitizers
	@tools/deps.sh test
	+@LSAN_OPTIONS="suppressions=$(CURDIR)/tests/leaks.supp:print_suppressions=0" \
	    $(SUBMAKE) test BUILD=$(BUILD)/asan OPT='-O1 -g1' \
	    SAN='-fsanitize=address,undefined -fno-sanitize-recover=all'

# Criterion's test processes cannot start under this sanitizer; the programs can.
tsan: ## run the tests of the programs under the thread sanitizer
	@tools/deps.sh test
	+@$(SUBMAKE) test BUILD=$(BUILD)/tsan OPT='-O1 -g1' SAN=-fsanitize=thread AREAS=

fuzz: ## run every fuzzer for FUZZ_SECONDS (60) and print its rate; new inputs are added to the corpus
	@tools/deps.sh fuzz
	+@$(SUBMAKE) tools programs
	+@$(SUBMAKE) BUILD=$(BUILD)/fuzz CC=clang OPT='-O1 -g' \
	    SAN='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all' \
	    lib $(FUZZERS:%=$(BUILD)/fuzz/%)
	@BUILD=$(BUILD)/fuzz JM=$(BUILD)/jm FUZZ_SECONDS=$(FUZZ_SECONDS) tools/fuzz.sh $(FUZZERS)

# The checks that CI leaves out: hours on two cores. test_web and test_report need the
# browser that tools/deps.sh installs, test_m32 the 32-bit libraries.
check-all: ## run every check: lint, all tests, sanitizers, fuzzers (hours)
	@tools/deps.sh nightly
	+@$(SUBMAKE) web
	+@$(SUBMAKE) test
	+@$(SUBMAKE) lib BUILD=$(BUILD)/clang CC=clang
	+@$(SUBMAKE) asan
	+@$(SUBMAKE) tsan
	+@$(SUBMAKE) fuzz FUZZ_SECONDS=75

STRESS_RUNS ?= 500
stress: ## overflow the queues under STRESS_RUNS (500) random configurations
	+@$(SUBMAKE) all
	@BUILD=$(BUILD) tests/kernel/stress.sh 1 $(STRESS_RUNS)
	@BUILD=$(BUILD) tests/snakes/stress.sh 1 $(STRESS_RUNS)

size: ## count the lines of the sources, room by room
	@tools/size.sh

golden: ## renew the expected outputs of the tests (T=...); review the difference
	+@$(SUBMAKE) test-programs
	@BUILD=$(BUILD) CC="$(CC)" GOLDEN=renew tools/runtests.sh $(T_AREAS) $(T_SCRIPTS)

docs: $(BUILD)/docs/stamp ## write the reference pages to BUILD/docs
$(BUILD)/docs/stamp: $(GEN)/mkdocs
	@mkdir -p $(@D)
	$(call say,DOCS,$(@D))
	$(Q)$(GEN)/mkdocs $(@D) && touch $@

# Headers keep their folders below include/jm: they include each other by these paths.
PUBLIC_HEADERS = emu/jm.h $(wildcard emu/debug/*.h) $(wildcard emu/isa/*.h emu/isa/*.def) \
    $(patsubst %,emu/core/%.h,inputs outfile printable status suggest word) \
    asm/asm.h asm/assembler/index.h asm/assembler/warnings.def $(foreach r,assembler disassembler linker,asm/$r/$r.h) \
    $(patsubst %,asm/objects/%,archive.h bytes.h object.h relocs.def) \
    $(wildcard emu/node/interface.*) tools/front/front.h
D = $(DESTDIR)$(PREFIX)
BASH_DIR = share/bash-completion/completions
ZSH_DIR = share/zsh/site-functions
VIM_DIR = share/vim/vimfiles
CODE_DIR = share/jm/vscode
EXAMPLES_DIR = $(DOC_DIR)/examples
EXAMPLES = $(wildcard programs/README.md programs/*/*.s programs/*/*.inc programs/*/README.md programs/*/expected.txt)
DOC_DIR = share/doc/jm
PYTHON_DIR = lib/python3/dist-packages
install: all docs python ## install programs, library, headers, manual, completion, examples (PREFIX, DESTDIR)
	install -d $(addprefix $(D)/,bin lib/pkgconfig lib/jm share/man/man1 $(BASH_DIR) $(ZSH_DIR))
	install -m 755 $(TOOLS:%=$(BUILD)/%) $(wildcard $(BUILD)/jm-mpi) $(D)/bin
	install -m 644 $(BUILD)/libjm.a $(SHARED) $(D)/lib
	install -D -m 644 -t $(D)/$(PYTHON_DIR)/jmachine $(BUILD)/python/jmachine/*.py
	install -m 644 $(KERNEL) $(GEN)/mdp.inc $(KERNEL_INC) $(D)/lib/jm
	for h in $(PUBLIC_HEADERS); do install -D -m 644 $$h $(D)/include/jm/$$h || exit 1; done
	install -m 644 $(MAN) $(D)/share/man/man1
	install -m 644 $(BUILD)/completion/jm $(D)/$(BASH_DIR)
	for p in $(filter-out jm,$(TOOLS)); do ln -sf jm $(D)/$(BASH_DIR)/$$p || exit 1; done
	install -m 644 $(BUILD)/completion/_jm $(D)/$(ZSH_DIR)
	install -D -m 644 $(BUILD)/editors/mdp.vim $(D)/$(VIM_DIR)/syntax/mdp.vim
	install -D -m 644 tools/editors/ftdetect.vim $(D)/$(VIM_DIR)/ftdetect/mdp.vim
	for f in $(CODE_FILES:$(CODE)/%=%); do install -D -m 644 $(CODE)/$$f $(D)/$(CODE_DIR)/$$f || exit 1; done
	install -D -m 644 tools/editors/neovim.lua $(D)/share/jm/neovim.lua
	install -D -m 644 -t $(D)/$(DOC_DIR)/manual $(wildcard tools/docs/*.md tools/docs/*.webp) $(BUILD)/docs/*.md
	install -D -m 644 tools/copyright $(D)/$(DOC_DIR)/copyright
	for f in $(EXAMPLES:programs/%=%); do \
	    install -D -m 644 programs/$$f $(D)/$(EXAMPLES_DIR)/$$f || exit 1; done
	sed -e 's|@PREFIX@|$(PREFIX)|' -e "s|@VERSION@|$$(sed -n 's/.*JM_VERSION "\(.*\)"/\1/p' emu/jm.h)|" \
	    tools/jm.pc.in >$(D)/lib/pkgconfig/jm.pc

uninstall: ## remove what install installs
	rm -f $(addprefix $(D)/bin/,$(TOOLS) jm-mpi) $(D)/lib/libjm.a $(D)/lib/pkgconfig/jm.pc
	rm -rf $(D)/lib/jm $(D)/include/jm $(D)/lib/libjm.so.1 $(D)/$(PYTHON_DIR)/jmachine
	rm -f $(addprefix $(D)/share/man/man1/,$(notdir $(MAN)))
	rm -f $(addprefix $(D)/$(BASH_DIR)/,$(TOOLS)) $(D)/$(ZSH_DIR)/_jm
	rm -f $(D)/$(VIM_DIR)/syntax/mdp.vim $(D)/$(VIM_DIR)/ftdetect/mdp.vim
	rm -rf $(D)/share/jm $(D)/share/doc/jm

# The folder is emptied first, so that no file of an earlier package remains.
DEB = $(BUILD)/jm.deb
deb: ## build a Debian package, BUILD/jm.deb
	@tools/deps.sh build
	+@$(SUBMAKE) all
	@rm -rf $(BUILD)/deb
	+@$(SUBMAKE) install DESTDIR=$(BUILD)/deb PREFIX=/usr >/dev/null
	@rm -f $(BUILD)/deb/usr/bin/jm-mpi # it is for the MPI of one machine
	@tools/deb.sh $(BUILD)/deb $(DEB)

clean: ## remove everything generated
	rm -rf $(BUILD)
