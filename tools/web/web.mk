# The machine in a browser: the same sources, compiled to WebAssembly, behind one static
# page. README.md here says what stands in for what a browser does not have. Included by
# the top Makefile.

WEB = $(BUILD)/web
WEB_OBJ = $(BUILD)/obj-web
BARE = $(BUILD)/obj-bare
BARE_CPP = -Itools/web/bare/include
WEB_CC = clang-14 --target=wasm32-wasi -msimd128
WEB_CPP = -I. -I$(GEN) -Itools/web/wasm/include $(BARE_CPP) -D_POSIX_C_SOURCE=200809L \
    -D_XOPEN_SOURCE=700 -MMD -MP
WEB_CFLAGS = -std=c11 -O3 -Wall -Wextra
WEB_MEMORY = 536870912 # bytes that a machine may take in a page
WEB_STACK = 1048576

# libelf, zlib, threads and files are not there; tools/web/bare and tools/web/wasm are.
NO_BARE = asm/objects/elf_%
NO_WEB = $(NO_BARE) emu/core/outfile.c emu/core/pipes.c emu/debug/talk/files.c emu/machine/team.c
BARE_SRC = $(wildcard tools/web/bare/*.c)
WEB_JM = $(wildcard tools/jm/options/*.c tools/jm/stats/*.c tools/jm/trace/*.c) \
    $(patsubst %,tools/jm/%.c,run setup program) \
    $(patsubst %,tools/host/%.c,json_out memory numbers option_rows progress word_list) \
    $(patsubst %,tools/mdpas/%.c,lsp/text answers/lexemes answers/words)
WEB_SRC = $(filter-out $(NO_WEB),$(LIB_SRC)) $(WEB_JM) $(BARE_SRC) \
    $(wildcard tools/web/*.c tools/web/wasm/*.c)
WEB_OBJECTS = $(patsubst %.c,$(WEB_OBJ)/%.o,$(WEB_SRC)) $(WEB_OBJ)/gen/embedded.o $(WEB_OBJ)/gen/version.o
WEB_EXPORTS = malloc free $(shell grep -owhE 'web_[a-z]+' tools/web/web.h tools/web/wasm/files.h | sort -u)

$(WEB_OBJ)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,WASM,$<)
	$(Q)$(WEB_CC) $(WEB_CPP) $(WEB_CFLAGS) -c $< -o $@

# The kernel as objects that a machine without libelf reads: an assembler for this host
# with the same stand-in makes them.
$(BARE)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(BARE_CPP) $(CFLAGS) -c $< -o $@
BARE_MDPAS = $(BARE)/mdpas
$(BARE_MDPAS): $(patsubst %.c,$(BARE)/%.o,$(filter-out $(NO_BARE),$(ISA_SRC) $(ASM_SRC)) tools/web/bare/objects.c tools/web/bare/server.c tools/mdpas.c $(wildcard tools/mdpas/*.c)) $(filter-out %/values.o %/rpc.o,$(HOST_OBJ))
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) $^ -o $@
BARE_KERNEL_OBJ = $(patsubst kernel/%.s,$(BARE)/kernel/%.o,$(wildcard kernel/*.s))
$(BARE_KERNEL_OBJ): $(BARE)/kernel/%.o: kernel/%.s $(KERNEL_INC) $(GEN)/mdp.inc $(BARE_MDPAS)
	@mkdir -p $(@D)
	$(call say,AS,$<)
	$(Q)$(BARE_MDPAS) -I kernel -I $(GEN) -o $@ $<
$(BARE)/libkernel.a: $(BARE_KERNEL_OBJ)
	$(Q)rm -f $@ && $(AR) rcSD $@ $^
$(BARE)/gen/embedded.c: $(BARE)/libkernel.a $(GEN)/mdp.inc $(KERNEL_INC) $(GEN)/mkembed
	@mkdir -p $(@D)
	$(call say,GEN,$@)
	$(Q)$(GEN)/mkembed $(filter-out %/mkembed,$^) >$@
$(BARE)/gen/version.c: $(GEN)/version.c
	@mkdir -p $(@D)
	$(Q)cp $< $@
$(WEB_OBJ)/gen/%.o: $(BARE)/gen/%.c
	@mkdir -p $(@D)
	$(Q)$(WEB_CC) $(WEB_CPP) $(WEB_CFLAGS) -c $< -o $@

$(WEB)/jm.wasm: $(WEB_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(WEB_CC) -mexec-model=reactor -O2 -Wl,--strip-all,--max-memory=$(strip $(WEB_MEMORY)) \
	    -Wl,-z,stack-size=$(WEB_STACK),--allow-undefined-file=tools/web/imports.txt \
	    $(WEB_EXPORTS:%=-Wl,--export=%) $^ -o $@

# The same without a browser, with 32-bit pointers: for the tests.
M32_OBJ = $(BUILD)/obj-m32
M32_SRC = $(filter-out $(NO_BARE),$(LIB_SRC)) $(WEB_JM) $(BARE_SRC) tests/web/run32.c \
    $(filter-out $(WEB_JM) $(addprefix tools/host/,rpc.c values.c),$(wildcard tools/host/*.c))
$(M32_OBJ)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC32,$<)
	$(Q)$(CC) -m32 -msse2 -mfpmath=sse $(CPPFLAGS) $(BARE_CPP) -pthread -O1 -Dalways_inline=unused -std=c11 -c $< -o $@
$(M32_OBJ)/gen/%.o: $(BARE)/gen/%.c
	@mkdir -p $(@D)
	$(Q)$(CC) -m32 $(CPPFLAGS) -std=c11 -c $< -o $@
$(BUILD)/run32: $(patsubst %.c,$(M32_OBJ)/%.o,$(M32_SRC)) $(M32_OBJ)/gen/embedded.o $(M32_OBJ)/gen/version.o
	$(call say,LD,$@)
	$(Q)$(CC) -m32 -pthread $^ -o $@ -lm

# The page: data, the worker as text, then the scripts in the order of their use.
WEB_SCRIPTS = $(patsubst %,tools/web/page/%.js,$(WEB_PARTS))
WEB_PARTS = machine flat view charts inspect stories source colours run display node files link tale page
WEB_TEXTS = $(wildcard programs/*/*.s programs/*/*.inc)
$(WEB)/jm.js: $(WEB)/jm.wasm $(WEB_TEXTS) tools/web/page/worker.js $(WEB_SCRIPTS) $(GEN)/mkweb
	$(call say,GEN,$@)
	$(Q){ echo '"use strict";'; $(GEN)/mkweb bytes WASM $(WEB)/jm.wasm && \
	    $(GEN)/mkweb text FILES $(WEB_TEXTS) && \
	    $(GEN)/mkweb text WORKER tools/web/page/worker.js && cat $(WEB_SCRIPTS); } >$@
$(WEB)/index.html: tools/web/page/index.html tools/web/page/page.css
	@mkdir -p $(@D)
	$(call say,GEN,$@)
	$(Q)sed -e '/@STYLE@/{r tools/web/page/page.css' -e 'd}' $< >$@

# The manual: chapters of tools/docs, and the reference pages. Its name in a browser is
# that of the page's heading.
CHAPTERS = $(patsubst tools/docs/%.md,$(WEB)/manual/%.html,$(wildcard tools/docs/*.md))
REFERENCE = $(patsubst %,$(WEB)/manual/%.html,instructions assembler jm-run jm-debug objects \
    parameters statistics)
to_html = cmark-gfm -e table $(1) | sed -e 's/\(href="[a-z-]*\)\.md/\1.html/g' >$@.text && \
    sed -e '/@TEXT@/{r $@.text' -e 'd}' tools/docs/page.html >$@ && rm $@.text
PICTURES = $(patsubst tools/docs/%,$(WEB)/manual/%,$(wildcard tools/docs/*.webp))
$(PICTURES): $(WEB)/manual/%: tools/docs/%
	@mkdir -p $(@D)
	$(Q)cp $< $@
$(CHAPTERS): $(WEB)/manual/%.html: tools/docs/%.md tools/docs/page.html
	@mkdir -p $(@D)
	$(call say,HTML,$@)
	$(Q)$(call to_html,$<)
$(REFERENCE): $(WEB)/manual/%.html: $(BUILD)/docs/stamp tools/docs/page.html
	@mkdir -p $(@D)
	$(call say,HTML,$@)
	$(Q)$(call to_html,$(BUILD)/docs/$*.md)

.PHONY: web web-files
web-files: $(WEB)/jm.wasm $(WEB)/jm.js $(WEB)/index.html $(CHAPTERS) $(PICTURES) $(REFERENCE)
web: ## build the machine for a browser: BUILD/web/index.html, for any static server or none
	@tools/deps.sh web
	@$(SUBMAKE) web-files

# Objects as the stand-in for libelf keeps them.
OBJECTS_BARE = $(BUILD)/objects-bare
$(OBJECTS_BARE): $(BUILD)/obj/tests/web/objects.o $(BUILD)/obj/tools/web/bare/objects.o $(LIBJM)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) $^ -o $@ $(LDLIBS)
# Files in memory.
FILES_BARE = $(BUILD)/files-bare
$(FILES_BARE): $(BUILD)/obj/tests/web/files.o $(BARE)/tools/web/wasm/files.o $(LIBJM)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) $^ -o $@ $(LDLIBS)
WEB_FOR_TESTS += $(if $(filter %/test_standins.sh,$(T_SCRIPTS)),$(OBJECTS_BARE) $(FILES_BARE) $(BARE)/libkernel.a)

# The tests of the page need it, where it can be built.
ifneq ($(shell { command -v clang-14 && command -v wasm-ld-14 && command -v cmark-gfm && ls /usr/lib/wasm32-wasi; } >/dev/null 2>&1 && echo yes),)
WEB_FOR_TESTS += $(if $(filter %/test_web.sh %/test_site.sh,$(T_SCRIPTS)),web-files)
endif
ifneq ($(shell echo 'int main(void) {}' | $(CC) -m32 -x c - -o /dev/null 2>/dev/null && echo yes),)
WEB_FOR_TESTS += $(if $(filter %/test_m32.sh,$(T_SCRIPTS)),$(BUILD)/run32)
endif

-include $(shell find $(WEB_OBJ) $(BARE) $(M32_OBJ) -name '*.d' 2>/dev/null)
