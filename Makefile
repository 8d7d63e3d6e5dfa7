# The J-Machine: `make help` lists the targets.
# Sources are found by folder; objects and programs go to build/ (or BUILD=dir).

BUILD ?= build
CC ?= gcc
OPT ?= -O2 -g
WARN = -std=c11 -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes
CPPFLAGS += -I. -I$(BUILD)/gen -D_POSIX_C_SOURCE=200809L -MMD -MP
CFLAGS += $(OPT) $(WARN) $(SAN)
LDFLAGS += $(SAN)

# Layers; each is a library of its own inside the one that is installed.
ISA_SRC := $(wildcard emu/core/*.c emu/isa/*.c)
NET_SRC := $(wildcard net/*.c)
ASM_SRC := $(wildcard asm/*.c)
EMU_SRC := $(wildcard emu/node/*.c emu/machine/*.c emu/debug/*.c)
LIB_SRC := $(ISA_SRC) $(NET_SRC) $(ASM_SRC) $(EMU_SRC)
obj = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

LIBJM = $(BUILD)/libjm.a
LIBNET = $(BUILD)/libjnet.a
LIBASM = $(BUILD)/libjasm.a

# Programs: tools/<name>.c is the main of <name>; tools/<name>/*.c belong to it.
TOOLS := $(patsubst tools/%.c,%,$(wildcard tools/*.c))

.PHONY: all lib tools
all: lib tools
lib: $(LIBJM) $(LIBNET) $(LIBASM)
tools: $(TOOLS:%=$(BUILD)/%)

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

$(LIBJM): $(call obj,$(LIB_SRC))
$(LIBNET): $(call obj,$(wildcard emu/core/*.c) $(NET_SRC))
$(LIBASM): $(call obj,$(ISA_SRC) $(ASM_SRC))
$(LIBJM) $(LIBNET) $(LIBASM):
	@mkdir -p $(@D)
	rm -f $@ && ar rcs $@ $^

.SECONDEXPANSION:
$(TOOLS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/obj/tools/%.o $$(call obj,$$(wildcard tools/%/*.c)) $(LIBJM)
	$(CC) $(LDFLAGS) $^ -o $@ -lelf -ljansson -lm

# Tests: tests/<area>/*.c is one Criterion program; net's links the network alone.
AREAS := $(sort $(patsubst tests/%/,%,$(dir $(wildcard tests/*/test_*.c))))
test_lib = $(if $(filter net,$(1)),$(LIBNET),$(LIBJM))
$(AREAS:%=$(BUILD)/test-%): $(BUILD)/test-%: $$(call obj,$$(wildcard tests/%/*.c)) $$(call test_lib,%)
	$(CC) $(LDFLAGS) $^ -o $@ -lcriterion $(if $(filter net,$*),,-lelf -ljansson) -lm

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
