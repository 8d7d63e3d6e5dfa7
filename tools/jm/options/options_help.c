/* Prints `jm run --help` from the rows of options.def and the tables of parameters. */
#include <stdio.h>

#include "tools/jm/options/options.h"

enum { TEXT_COLUMN = 6 }; /* column of --help where texts begin */

static const OptionRow rows[] = {
#define OPTION(id, group, name, letter, argument, text, more)                          \
    OPTION_ROW(id, name, letter, argument, text, more)
#include "tools/jm/options/options.def"
#undef OPTION
};

void options_print_help(void) {
    puts("Usage: jm run [OPTION]... PROGRAM\n"
         "       jm run [OPTION]... --restore FILE\n"
         "Runs an ELF image, a text image or a source (.s) of the Message-Driven\n"
         "Processor. A source is assembled and linked with the kernel first. PROGRAM\n"
         "may be -, standard input, for any of them.\n");
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        option_row_print(stdout, &rows[i], TEXT_COLUMN);
    puts("\nExit status: the program's own (0-125), 0 when the machine goes idle (1 "
         "with\n"
         "--expect-exit), 2 bad usage or input, 126 cycle limit, 127 node stopped or "
         "deadlock.\n\n"
         "Parameters (default, range):");
    for (unsigned i = 0; jm_parameter(i); i++) {
        const JmParameter *p = jm_parameter(i);
        printf("  %-19s %7ju  %ju..%ju\n      ", p->name, (uintmax_t)p->standard,
               (uintmax_t)p->minimum, (uintmax_t)p->maximum);
        print_wrapped(stdout, p->text, TEXT_COLUMN);
    }
}
