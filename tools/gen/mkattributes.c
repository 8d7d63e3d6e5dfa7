/* mkattributes TEMPLATE: writes the description of the extension for VS Code to
 * standard output: a template with the attributes of `launch`, which are the options of
 * `jm run` that `jm debug` accepts. */
#include <stdio.h>
#include <string.h>

#include "tools/gen/rows/rows.h"
#include "tools/gen/rows/template.h"

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
    const OptionTable *table = option_table_find("jm debug");
    const char *comma = "";
    for (size_t i = 0; i < table->count; i++) {
        const OptionRow *row = &table->rows[i];
        char name[OPTION_ATTRIBUTE];
        if (!option_is_shared(row) || strcmp(row->name, "help") == 0 ||
            strcmp(row->name, "version") == 0)
            continue;
        fprintf(out, "%s                \"%s\": {\"type\": ", comma,
                option_attribute(row, name));
        put_type(out, row);
        fputs(",\n                    \"description\": ", out);
        put_text(out, row->text);
        putc('}', out);
        comma = ",\n";
    }
    putc('\n', out);
    return !*argument;
}

int main(int argc, char **argv) {
    static const Directive directives[] = {{"attributes", write_attributes}, {0}};
    return template_fill("mkattributes", argc, argv, directives);
}
