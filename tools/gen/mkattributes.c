/* mkattributes TEMPLATE: writes the description of the extension for VS Code to
 * standard output: a template with the attributes of `launch`, which are options of `jm
 * debug`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/gen/rows/template.h"
#include "tools/host/option_rows.h"

/* Those of one group are for `jm run` alone. */
#define OF_MACHINE OPTION_ROW
#define OF_PROGRAM OPTION_ROW
#define OF_GENERAL OPTION_ROW
#define OF_OUTPUT(...)
static const OptionRow rows[] = {
#define OPTION(id, group, listed, name, letter, argument, text, more)                  \
    OF_##group(id, name, letter, argument, text, more)
#include "tools/jm/options/options.def"
#undef OPTION
};

/* Writes a text as JSON. */
static void put_text(FILE *out, const char *text) {
    putc('"', out);
    for (; *text; text++)
        fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    putc('"', out);
}

/* Writes the words of an argument a|b|c. */
static void put_words(FILE *out, const char *argument) {
    fputs("\"string\", \"enum\": [", out);
    for (const char *at = argument; *at; at += strspn(at, "|")) {
        const size_t length = strcspn(at, "|");
        fprintf(out, "%s\"%.*s\"", at == argument ? "" : ", ", (int)length, at);
        at += length;
    }
    putc(']', out);
}

static void put_type(FILE *out, const OptionRow *row) {
    if (!row->argument)
        fputs("\"boolean\"", out);
    else if (option_sets_many(row))
        fputs("\"object\"", out);
    else if (strcmp(row->argument, "N") == 0)
        fputs("[\"integer\", \"string\"]", out);
    else if (strchr(row->argument, '|'))
        put_words(out, row->argument);
    else
        fputs("\"string\"", out);
}

static bool write_attributes(FILE *out, const char *argument) {
    const char *comma = "";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[OPTION_ATTRIBUTE];
        if (strcmp(rows[i].name, "help") == 0 || strcmp(rows[i].name, "version") == 0)
            continue;
        fprintf(out, "%s                \"%s\": {\"type\": ", comma,
                option_attribute(&rows[i], name));
        put_type(out, &rows[i]);
        fputs(",\n                    \"description\": ", out);
        put_text(out, rows[i].text);
        putc('}', out);
        comma = ",\n";
    }
    putc('\n', out);
    return !*argument;
}

int main(int argc, char **argv) {
    static const Directive directives[] = {{"attributes", write_attributes}, {0}};
    if (argc == 2)
        return template_fill("mkattributes", argv[1], directives);
    fputs("usage: mkattributes TEMPLATE\n", stderr);
    return EXIT_FAILURE;
}
