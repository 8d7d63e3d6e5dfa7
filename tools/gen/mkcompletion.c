/* mkcompletion TEMPLATE: writes a shell's completion to standard output: the code of a
 * template (tools/completion) with options, commands and names from the programs' own
 * tables. */
#include <stdio.h>
#include <string.h>

#include "tools/gen/rows/rows.h"
#include "tools/gen/rows/template.h"

/* Writes text for use inside single quotes of a shell. */
static void put_quoted(FILE *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\'')
            fputs("'\\''", out);
        else
            putc(text[i], out);
}

/* ---- both shells: what a function prints for a kind ------------------------------ */

/* The argument that follows an option as a word of its own; NULL: none does. */
static const char *argument_of(const OptionRow *row) {
    return option_is_optional(row) ? NULL : row->argument;
}

static void put_spelling(FILE *out, const char *dashes, const char *name,
                         const char *argument) {
    if (name)
        fprintf(out, " \\\n        '%s%s%s%s'", dashes, name, argument ? " " : "",
                argument ? argument : "");
}

/* Writes a case arm for each command that prints its options, one a line: spelling,
 * then the argument if there is one. */
static bool write_options(FILE *out, const char *argument) {
    for (size_t i = 0; option_table(i); i++) {
        const OptionTable *table = option_table(i);
        OptionRow row;
        char text[OPTION_TEXT_MAX];
        fprintf(out, "    '%s') printf '%%s\\n'", table->command);
        for (size_t k = 0; option_at(table, k, &row, text); k++) {
            put_spelling(out, "--", row.name, argument_of(&row));
            put_spelling(out, "-", row.letter, argument_of(&row));
        }
        fputs(" ;;\n", out);
    }
    return !*argument;
}

/* Writes an arm that prints the names of a kind. */
static void put_names(FILE *out, const char *kind) {
    NameRow row;
    fprintf(out, "    '%s') printf '%%s\\n'", kind);
    for (size_t i = 0; name_at(kind, i, &row); i++)
        fprintf(out, " \\\n        '%s'", row.name);
    fputs(" ;;\n", out);
}

/* Writes an arm for each command with subcommands that prints these. */
static bool write_commands(FILE *out, const char *argument) {
    for (size_t i = 0; command_kind(i); i++)
        put_names(out, command_kind(i));
    return !*argument;
}

/* Writes an arm for each kind of names that prints them. */
static bool write_names(FILE *out, const char *argument) {
    for (size_t i = 0; name_kind(i); i++)
        put_names(out, name_kind(i));
    return !*argument;
}

/* ---- zsh: specifications of _arguments and _describe ----------------------------- */

/* Writes the first part of a text, enough for a hint. */
static void put_hint(FILE *out, const char *text) {
    size_t part = strcspn(text, ";:[](");
    while (part && text[part - 1] == ' ')
        part--;
    put_quoted(out, text, part);
}

/* Writes zsh's action for an argument: files, folders, assignments, or words. */
static void put_action(FILE *out, const char *argument) {
    const size_t length = strlen(argument);
    const bool file = length >= 4 && strcmp(argument + length - 4, "FILE") == 0;
    if (strcmp(argument, "DIR") == 0)
        fputs("_files -/", out);
    else if (file && length == 4)
        fputs("_files", out);
    else if (strncmp(argument, "PARAMETER=", 10) == 0)
        fputs("_jm_assign PARAMETER", out);
    else if (strncmp(argument, "SETTING=", 8) == 0)
        fputs("_jm_assign SETTING", out);
    else if (strchr(argument, '|')) {
        putc('(', out);
        for (; *argument; argument++)
            putc(*argument == '|' ? ' ' : *argument, out);
        putc(')', out);
    } else {
        putc(' ', out);
    }
}

/* Writes an option as a specification of _arguments. */
static void put_specification(FILE *out, const OptionRow *row, const char *dashes,
                              const char *name) {
    if (!name)
        return;
    fprintf(out, " \\\n        '*%s%s%s[", dashes, name,
            argument_of(row) && row->name == name ? "=" : "");
    put_hint(out, row->text);
    putc(']', out);
    if (argument_of(row)) {
        putc(':', out);
        for (const char *at = row->argument; *at; at++)
            fprintf(out, *at == ':' ? "\\:" : "%c", *at);
        putc(':', out);
        put_action(out, row->argument);
    }
    putc('\'', out);
}

/* Writes an arm for each command that completes its options and arguments. */
static bool write_specifications(FILE *out, const char *argument) {
    for (size_t i = 0; option_table(i); i++) {
        const OptionTable *table = option_table(i);
        OptionRow row;
        char text[OPTION_TEXT_MAX];
        NameRow name;
        fprintf(out, "    '%s') _arguments -S", table->command);
        for (size_t k = 0; option_at(table, k, &row, text); k++) {
            put_specification(out, &row, "--", row.name);
            put_specification(out, &row, "-", row.letter);
        }
        if (name_at(table->command, 0, &name))
            fprintf(out, " \\\n        '*:name:_jm_offer \"%s\"' ;;\n", table->command);
        else
            fputs(" \\\n        '*:file:_files' ;;\n", out);
    }
    return !*argument;
}

/* Writes an arm for each command with subcommands: descriptions of these. */
static bool write_descriptions(FILE *out, const char *argument) {
    NameRow row;
    for (size_t i = 0; command_kind(i); i++) {
        fprintf(out, "    '%s') rows=(", command_kind(i));
        for (size_t k = 0; name_at(command_kind(i), k, &row); k++) {
            fprintf(out, "\n        '%s:", row.name);
            put_hint(out, row.text);
            putc('\'', out);
        }
        fputs(") ;;\n", out);
    }
    return !*argument;
}

int main(int argc, char **argv) {
    static const Directive directives[] = {{"options", write_options},
                                           {"commands", write_commands},
                                           {"names", write_names},
                                           {"specifications", write_specifications},
                                           {"descriptions", write_descriptions},
                                           {0}};
    return template_fill("mkcompletion", argc, argv, directives);
}
