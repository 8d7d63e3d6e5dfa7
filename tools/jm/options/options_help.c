/* jm run --help */
#include <stdio.h>
#include <string.h>

#include "tools/jm/options/options.h"

/* Prints `text` from column `indent` on, broken at blanks before column 80. */
static void print_wrapped(const char *text, int indent) {
    int column = indent;
    while (*text) {
        const int word = (int)strcspn(text, " ");
        if (column > indent && column + 1 + word > 79) {
            printf("\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            putchar(' ');
            column++;
        }
        printf("%.*s", word, text);
        column += word;
        text += word + (text[word] == ' ');
    }
    putchar('\n');
}

static void print_option(const char *name, const char *argument, const char *text) {
    printf("  --%s%s%s\n      ", name, argument ? " " : "", argument ? argument : "");
    print_wrapped(text, 6);
}

void options_print_help(void) {
    puts("Usage: jm run [OPTION]... PROGRAM\n"
         "       jm run [OPTION]... --restore FILE\n"
         "Runs an ELF image, a text image or a source (.s) of the Message-Driven\n"
         "Processor. A source is assembled and linked with the kernel first. PROGRAM\n"
         "may be -, standard input, for any of them.\n");
#define OPTION(id, name, argument, text) print_option(name, argument, text);
#include "tools/jm/options/options.def"
#undef OPTION
    puts("\nExit status: the program's own (0-125), 0 when the machine goes idle (1 "
         "with\n"
         "--expect-exit), 2 bad usage or input, 126 cycle limit, 127 node stopped or "
         "deadlock.\n\n"
         "Parameters (default, range):");
    for (unsigned i = 0; jm_parameter(i); i++) {
        const JmParameter *p = jm_parameter(i);
        printf("  %-19s %7ju  %ju..%ju\n      ", p->name, (uintmax_t)p->standard,
               (uintmax_t)p->minimum, (uintmax_t)p->maximum);
        print_wrapped(p->text, 6);
    }
}
