/* mkdocs FOLDER: writes the reference pages, in Markdown, from the programs' own
 * tables. */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/isa/isa.h"

/* ---- cells ----------------------------------------------------------------------- */

/* Prints a table cell; '|' would end it. */
static void cell(FILE *out, const char *text) {
    fputs("| ", out);
    for (; *text; text++) {
        if (*text == '|')
            putc('\\', out);
        putc(*text, out);
    }
    putc(' ', out);
}

/* Prints a row of a table. */
static void row(FILE *out, const char *const *cells, size_t count) {
    for (size_t i = 0; i < count; i++)
        cell(out, cells[i]);
    fputs("|\n", out);
}

#define ROW(out, ...)                                                                  \
    row(out, (const char *const[]){__VA_ARGS__},                                       \
        sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* Formats a number in hexadecimal into the caller's buffer and returns that. */
static const char *hex(char buffer[16], unsigned value) {
    snprintf(buffer, 16, "%02X", value);
    return buffer;
}

/* ---- instruction set ------------------------------------------------------------- */

/* Writes the names of a set of faults; the seven that a wrong tag can raise are "tag".
 */
static const char *fault_set(char buffer[256], uint32_t faults) {
    const bool by_tag = (faults & JM_FAULTS_BY_TAG) == JM_FAULTS_BY_TAG;
    snprintf(buffer, 256, "%s", by_tag ? "by tag" : "");
    for (unsigned f = 0; f < JM_FAULT_COUNT; f++) {
        const uint32_t rest = by_tag ? faults & ~JM_FAULTS_BY_TAG : faults;
        if (!(rest & JM_FAULT_BIT(f)))
            continue;
        const size_t used = strlen(buffer);
        snprintf(buffer + used, 256 - used, "%s%s", used ? ", " : "", jm_fault_name(f));
    }
    return buffer;
}

/* Writes the table of opcodes, from ops.def. */
static void write_opcodes(FILE *out) {
    static const char *const time[] = {[JM_TIME_BASE] = "base + operand",
                                       [JM_TIME_JUMP] = "jump if taken",
                                       [JM_TIME_SUSPEND] = "suspend",
                                       [JM_TIME_XLATE] = "xlate"};
    fputs("## Opcodes\n\n", out);
    ROW(out, "code", "name", "operands", "does", "faults", "cycles", "class");
    fputs("|---|---|---|---|---|---|---|\n", out);
    for (unsigned op = 0; op < JM_OP_COUNT; op++) {
        const JmOpInfo *info = jm_op_info(op);
        char code[16], faults[256];
        if (info->name)
            ROW(out, hex(code, op), info->name, jm_form_info(info->form)->operands,
                info->transfer, fault_set(faults, info->faults), time[info->time],
                jm_class_key(info->op_class));
    }
    fputs(
        "\nEvery other code faults ILGINST. \"By tag\" is CFUT, FUT, TAG8 to TAGB or\n"
        "TYPE, by the tag of the word that was used; decoding an operand can also\n"
        "raise ILGINST, INVADR, LIMIT and EARLY. Cycles name the parameters of\n"
        "[parameters.md](parameters.md).\n\n",
        out);
}

/* Prints an example's lines, each as one of code. */
static void put_example(FILE *out, const char *name, const char *lines,
                        const char *word) {
    fprintf(out, "### %s\n\n    ", name);
    for (const char *c = lines; *c; c++) {
        putc(*c, out);
        if (*c == '\n')
            fputs("    ", out);
    }
    fprintf(out, "\n\nleaves `%s` in R1.\n\n", word);
}

/* Every row of the instruction table needs an example: without one this does not
 * compile. */
static void write_examples(FILE *out) {
    enum {
#define EXAMPLE(name, lines, word) EXAMPLE_##name,
#include "tools/docs/examples.def"
#undef EXAMPLE
    };
    static const struct {
        const char *lines, *word;
    } examples[] = {
#define EXAMPLE(name, lines, word) [EXAMPLE_##name] = {lines, word},
#include "tools/docs/examples.def"
#undef EXAMPLE
    };
    fputs("## Examples\n\nWhat a program's `main` may hold, in background, and what is "
          "left in R1.\n\n",
          out);
#define OP(name, ...)                                                                  \
    put_example(out, #name, examples[EXAMPLE_##name].lines,                            \
                examples[EXAMPLE_##name].word);
#include "emu/isa/ops.def"
#undef OP
}

static void write_constants(FILE *out) {
    fputs("## Constants as operands\n\n| op0 | word |\n|---|---|\n", out);
    for (unsigned i = 0; i < 8; i++) {
        char code[16], word[32];
        jm_word_print(jm_operand_constant(i), word, sizeof word);
        ROW(out, hex(code, 8 + i), word);
    }
    putc('\n', out);
}

static void write_instructions(FILE *out) {
    char number[16];
    fputs("# Instruction set\n\nThe Message-Driven Processor as in *MDP Architecture, "
          "Version 11*.\n\n"
          "    16    11 10  9 8   7 6            0\n"
          "    +--------+-----+-----+--------------+\n"
          "    |   op   | op2 | op1 |     op0      |\n"
          "    +--------+-----+-----+--------------+\n\n",
          out);
    write_opcodes(out);
    write_constants(out);
    fputs("## Registers of READR, WRITER and LDIPR\n\n| n | name | what "
          "|\n|---|---|---|\n",
          out);
#define REG(name, n, access, text) ROW(out, hex(number, n), #name, text);
#include "emu/isa/regs.def"
#undef REG
    fputs("\n## Tags\n\n| tag | name | data |\n|---|---|---|\n", out);
#define TAG(name, n, text) ROW(out, hex(number, n), #name, text);
#include "emu/isa/tags.def"
#undef TAG
    fputs("\n## Faults\n\n| number | name | when |\n|---|---|---|\n", out);
#define FAULT(name, n, key, text) ROW(out, hex(number, n), #name, text);
#include "emu/isa/faults.def"
#undef FAULT
    fputs(
        "\n## Host page\n\n| address | name | access | meaning |\n|---|---|---|---|\n",
        out);
#define HOST(name, n, access, text)                                                    \
    ROW(out, hex(number, n), "HOST_" #name, #access, text);
#include "emu/machine/hostpage.def"
#undef HOST
    putc('\n', out);
    write_examples(out);
}

/* ---- the other pages ------------------------------------------------------------- */

static void write_assembler(FILE *out) {
    fputs("# Assembler directives\n\nA directive starts with a dot; its name is "
          "written in "
          "any case.\n\n| directive | operands | does |\n|---|---|---|\n",
          out);
#define DIRECTIVE(name, function, operands, text)                                      \
    ROW(out, "`." #name "`", operands, text);
#include "asm/assembler/directives.def"
#undef DIRECTIVE
}

static void write_objects(FILE *out) {
    char number[16];
    fputs("# Object files\n\n64-bit little-endian ELF, relocatable or executable. A "
          "36-bit "
          "word is 8 bytes;\naddresses and symbol values are word address * 8, except "
          "those of absolute symbols. `asm/objects/objects.md` describes the files "
          "byte by byte."
          "\n\n## Relocations\n\nS + A is the symbol's value "
          "plus the addend, in words; P the address of the\npatched word. H and L are "
          "the "
          "high and the low instruction of a word.\n\n"
          "| type | name | patches |\n|---|---|---|\n",
          out);
#define RELOC(name, n, text) ROW(out, hex(number, n), #name, text);
#include "asm/objects/relocs.def"
#undef RELOC
}

static void write_options(FILE *out) {
    fputs("# Options of jm run\n\n`jm run [OPTION]... PROGRAM`; the program is an ELF "
          "image, a text image or a source\n(`.s`), which is assembled and linked with "
          "the kernel first.\n\n| option | does |\n|---|---|\n",
          out);
#define OPTION(name, letter, argument, use, text, more)                                \
    {                                                                                  \
        const char *const takes = argument;                                            \
        char option[64];                                                               \
        snprintf(option, sizeof option, "`--%s%s%s`", name,                            \
                 takes &&*takes != '[' ? " " : "", takes ? takes : "");                \
        ROW(out, option, text);                                                        \
    }
#include "tools/jm/options/options.def"
#undef OPTION
    fputs(
        "\nExit status: the program's own HOST_EXIT value (0-125), 0 when the machine "
        "goes\nidle, 2 bad usage or bad input before the run (nothing is written "
        "then), "
        "126\ncycle limit, 127 node stopped or deadlock, 130 interrupted.\n\n"
        "A text image has rows `NODE HEXADDR HEXWORD`, `*` for all nodes, `#` "
        "comments; "
        "`--dump`\nprints such rows.\n",
        out);
}

/* Writes the row of a parameter. */
static void parameter(FILE *out, const char *name, unsigned standard, unsigned minimum,
                      unsigned maximum, const char *text, const char *source) {
    char numbers[3][16];
    snprintf(numbers[0], sizeof numbers[0], "%u", standard);
    snprintf(numbers[1], sizeof numbers[1], "%u", minimum);
    snprintf(numbers[2], sizeof numbers[2], "%u", maximum);
    ROW(out, name, numbers[0], numbers[1], numbers[2], text, source);
}

static void write_parameters(FILE *out) {
    fputs("# Parameters\n\nSet with `--param NAME=VALUE`. \"Choice\": no published "
          "source "
          "gives the number.\n\n## Processor, in cycles\n\n"
          "| name | default | least | most | what | source "
          "|\n|---|---|---|---|---|---|\n",
          out);
#define TIMING(name, standard, maximum, text, source)                                  \
    parameter(out, #name, standard, 0, maximum, text, source);
#include "emu/isa/timing.def"
#undef TIMING
    fputs("\n## Network\n\n| name | default | least | most | what | source |\n"
          "|---|---|---|---|---|---|\n",
          out);
#define NET_PARAM(name, standard, minimum, maximum, text, source)                      \
    parameter(out, #name, standard, minimum, maximum, text, source);
#include "net/params.def"
#undef NET_PARAM
    fputs("\n## Network interface of a node\n\n"
          "| name | default | least | most | what | source |\n"
          "|---|---|---|---|---|---|\n",
          out);
#define NODE_PARAM(name, standard, minimum, maximum, text, source)                     \
    parameter(out, #name, standard, minimum, maximum, text, source);
#include "emu/node/interface.def"
#undef NODE_PARAM
    fputs("\nOf the machine: `deadlock_cycles`, after which a network that holds flits "
          "and "
          "moves\nnone is a deadlock.\n",
          out);
}

static void write_statistics(FILE *out) {
    fputs("# Statistics\n\nWhat `jm run --stats` writes.\n\n## Of the run\n\n"
          "| key | meaning |\n|---|---|\n",
          out);
#define RUN_STAT(key, value, text) ROW(out, "`" #key "`", text);
#include "tools/jm/stats/stats.def"
    fputs("| `network` | see below |\n| `nodes` | one object for each node, by rank |\n"
          "\n## Of `network`\n\n| key | meaning |\n|---|---|\n",
          out);
#define NETWORK_STAT(key, value, text) ROW(out, "`" #key "`", text);
#include "tools/jm/stats/stats.def"
    fputs("\n## Of each of `nodes`\n\n| key | meaning |\n|---|---|\n", out);
#define NODE_STAT(key, value, text) ROW(out, "`" #key "`", text);
#include "tools/jm/stats/stats.def"
    fputs("\n## Of a node's `cycles`\n\n| key | cycles spent |\n|---|---|\n", out);
#define CLASS(name, key, text) ROW(out, "`" key "`", text);
#include "emu/isa/classes.def"
#undef CLASS
#define FAULT(name, n, key, text)                                                      \
    ROW(out, "`fault_" #key "`", "taking the fault " #name);
#include "emu/isa/faults.def"
#undef FAULT
    fputs("\n# Samples\n\nColumns of `jm run --sample`.\n\n| column | meaning "
          "|\n|---|---|\n",
          out);
#define SAMPLE(column, text) ROW(out, "`" #column "`", text);
#include "tools/jm/stats/samples.def"
#undef SAMPLE
    fputs(
        "\n# Traces\n\nLines of `jm run --trace`: `CYCLE NODE CONTEXT EVENT ADDRESS "
        "SYMBOL [DETAIL]`.\nThe context is 0, 1 or b (background); the event dispatch, "
        "fault, suspend, send or\narrive. The address and its symbol are `-` for sends "
        "and arrivals. The detail of a\ndispatch is the message header, of a fault its "
        "name, of sends and arrivals the\npriority and the network's number of the "
        "message; of a send also the first word\ntaken, how many were, and whether a "
        "mark sent "
        "the message at priority 1.\n",
        out);
}

/* ---- the debugger ---------------------------------------------------------------- */

static void write_debugger(FILE *out) {
    static const struct {
        const char *name, *abbreviation, *group, *arguments, *text, *examples;
    } commands[] = {
#define COMMAND(name, abbreviation, function, group, repeats, arguments, text,         \
                examples)                                                              \
    {name, abbreviation, group, arguments, text, examples},
#include "emu/debug/commands.def"
#undef COMMAND
    };
    fputs("# Commands of jm debug\n", out);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (i == 0 || strcmp(commands[i].group, commands[i - 1].group) != 0)
            fprintf(out, "\n## %s\n", commands[i].group);
        fprintf(out, "\n### %s\n\n`%s`, short `%s`: `%s`\n\n%s\n\n```\n%s\n```\n",
                commands[i].name, commands[i].name, commands[i].abbreviation,
                commands[i].arguments, commands[i].text, commands[i].examples);
    }
}

/* ---- files ----------------------------------------------------------------------- */

/* A page, and the function that writes it. */
typedef struct {
    const char *name;
    void (*write)(FILE *out);
} Page;

static const Page pages[] = {
    {"instructions.md", write_instructions}, {"assembler.md", write_assembler},
    {"objects.md", write_objects},           {"jm-run.md", write_options},
    {"jm-debug.md", write_debugger},         {"parameters.md", write_parameters},
    {"statistics.md", write_statistics},
};

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: mkdocs FOLDER\n", stderr);
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", argv[1], pages[i].name);
        FILE *out = fopen(path, "w");
        if (out)
            pages[i].write(out);
        if (!out || fclose(out) != 0) {
            fprintf(stderr, "mkdocs: %s: %s\n", path, strerror(errno));
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}
