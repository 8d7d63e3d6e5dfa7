/* mkpython: writes jmachine/_tables.py to standard output: the names of the emulator's
 * tables and the layout of JmEvent, for the Python package. */
#include <stddef.h>
#include <stdio.h>

#include "emu/isa/event.h"
#include "emu/isa/isa.h"
#include "emu/jm.h"

static void print_names(const char *name, unsigned count,
                        const char *of(unsigned index)) {
    printf("%s = (", name);
    for (unsigned i = 0; i < count; i++) {
        const char *text = of(i);
        if (text)
            printf("\"%s\", ", text);
        else
            printf("None, ");
    }
    puts(")");
}

static const char *stop_name(unsigned i) {
    return jm_stop_name((JmStop)i);
}

static const char *event_name(unsigned i) {
    return jm_event_name((JmEventKind)i);
}

/* A field of JmEvent: its name, place and size in bytes. */
#define FIELD(name)                                                                    \
    printf("    (\"%s\", %zu, %zu),\n", #name, offsetof(JmEvent, name),                \
           sizeof((JmEvent *)0)->name)

static void print_event(void) {
    printf("EVENT_SIZE = %zu\nEVENT_FIELDS = (\n", sizeof(JmEvent));
    FIELD(kind);
    FIELD(cycle);
    FIELD(node);
    FIELD(context);
    FIELD(address);
    FIELD(where);
    FIELD(opens);
    FIELD(destination);
    FIELD(by_network);
    FIELD(instruction);
    FIELD(priority);
    FIELD(fault);
    FIELD(word);
    FIELD(old);
    FIELD(access);
    FIELD(count);
    FIELD(redirected);
    FIELD(message);
    puts(")");
}

int main(void) {
    puts("\"\"\"Made from the tables of the emulator.\"\"\"");
    printf("VERSION = \"%s\"\n", JM_VERSION);
    print_names("STOPS", JM_STOP_MEMORY + 1, stop_name);
    print_names("EVENTS", JM_EVENT_COUNT, event_name);
    print_names("TAGS", 16, jm_tag_name);
    print_names("REGISTERS", JM_REG_COUNT, jm_reg_name);
    print_names("FAULTS", JM_FAULT_COUNT, jm_fault_name);
    print_event();
    return 0;
}
