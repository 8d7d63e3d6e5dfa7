/* mksyntax vim|vscode: writes syntax highlighting for MDP assembly, from the tables of
 * instructions, registers, tags and directives, to standard output. Vim's file is a
 * script; VS Code's a TextMate grammar. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const instructions[] = {
#define OP(name, ...) #name,
#include "emu/isa/ops.def"
#undef OP
    /* mnemonics that the assembler resolves to one of several (asm/README.md) */
    "MOVE",
    NULL,
};

static const char *const registers[] = {
#define REG(name, ...) #name,
#include "emu/isa/regs.def"
#undef REG
    NULL,
};

static const char *const tags[] = {
#define TAG(name, ...) #name,
#include "emu/isa/tags.def"
#undef TAG
    "TRUE",
    "FALSE",
    "NIL",
    NULL,
};

static const char *const directives[] = {
#define DIRECTIVE(name, function, operands, text) #name,
#include "asm/assembler/directives.def"
#undef DIRECTIVE
    NULL,
};

/* Prints names in lower case, separated by `between`. */
static void print_names(const char *const *names, const char *between) {
    for (size_t i = 0; names[i]; i++) {
        fputs(i ? between : "", stdout);
        for (const char *c = names[i]; *c; c++)
            putchar(tolower((unsigned char)*c));
    }
}

/* ---- Vim ------------------------------------------------------------------------- */

static void vim_keywords(const char *group, const char *const *names) {
    printf("syn keyword %s ", group);
    print_names(names, " ");
    putchar('\n');
}

static void write_vim(void) {
    puts("\" Vim syntax file: MDP assembly of the J-Machine. Generated from the "
         "tables.\n"
         "if exists('b:current_syntax')\n    finish\nendif\n"
         "syn case ignore\n"
         "setlocal iskeyword=@,48-57,_,$");
    vim_keywords("mdpInstruction", instructions);
    vim_keywords("mdpRegister", registers);
    vim_keywords("mdpTag", tags);
    fputs("syn match mdpDirective /\\.\\%(", stdout);
    print_names(directives, "\\|");
    puts("\\)\\>/\n"
         "syn match mdpLabel /^\\s*[.A-Za-z_$][A-Za-z0-9_.$]*:/\n"
         "syn match mdpNumber /\\<\\%(0x\\x\\+\\|\\d\\+\\)\\>/\n"
         "syn region mdpString start=/\"/ skip=/\\\\\"/ end=/\"/ oneline\n"
         "syn match mdpParameter /\\\\[A-Za-z_@][A-Za-z0-9_]*/\n"
         "syn match mdpComment /;.*/\n"
         "hi def link mdpInstruction Statement\n"
         "hi def link mdpRegister Identifier\n"
         "hi def link mdpTag Type\n"
         "hi def link mdpDirective PreProc\n"
         "hi def link mdpLabel Function\n"
         "hi def link mdpNumber Number\n"
         "hi def link mdpString String\n"
         "hi def link mdpParameter Special\n"
         "hi def link mdpComment Comment\n"
         "let b:current_syntax = 'mdp'");
}

/* ---- VS Code --------------------------------------------------------------------- */

/* A pattern without names ends the list. */
static void json_pattern(const char *scope, const char *before,
                         const char *const *names, const char *after) {
    printf("        {\"name\": \"%s.mdp\", \"match\": \"%s", scope, before);
    if (names)
        print_names(names, "|");
    printf("%s\"},\n", after);
}

static void write_vscode(void) {
    puts("{\n    \"name\": \"MDP assembly\",\n    \"scopeName\": \"source.mdp\",\n"
         "    \"patterns\": [");
    json_pattern("comment.line.semicolon", ";.*$", NULL, "");
    json_pattern("entity.name.function", "^\\\\s*[.A-Za-z_$][\\\\w.$]*:", NULL, "");
    json_pattern("keyword.control.directive", "(?i)\\\\.(", directives, ")\\\\b");
    json_pattern("keyword.operator", "(?i)\\\\b(", instructions, ")\\\\b");
    json_pattern("variable.language", "(?i)\\\\b(", registers, ")\\\\b");
    json_pattern("storage.type", "(?i)\\\\b(", tags, ")\\\\b");
    json_pattern("string.quoted.double", "\\\"[^\\\"]*\\\"", NULL, "");
    json_pattern("variable.parameter", "\\\\\\\\[\\\\w@]+", NULL, "");
    puts("        {\"name\": \"constant.numeric.mdp\", "
         "\"match\": \"\\\\b(0x[0-9A-Fa-f]+|[0-9]+)\\\\b\"}\n    ]\n}");
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "vim") == 0)
        write_vim();
    else if (argc == 2 && strcmp(argv[1], "vscode") == 0)
        write_vscode();
    else {
        fputs("usage: mksyntax vim|vscode\n", stderr);
        return 2;
    }
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
