/* mksyntax vim|vscode: writes syntax highlighting for MDP assembly, from the tables of
 * instructions, registers, tags and directives, to standard output. Vim's file is a
 * script; VS Code's a TextMate grammar. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/mdpas/answers/words.h"

/* Prints the names of a list in lower case, separated by `between`. */
static void print_names(const Word *list, const char *between) {
    for (const Word *word = list; word->name; word++)
        printf("%s%s", word == list ? "" : between, WORD_NAME(word));
}

/* Tags and the words that are constants look alike. */
static void print_tags(const char *between) {
    print_names(word_tags, between);
    fputs(between, stdout);
    print_names(word_constants, between);
}

/* ---- Vim ------------------------------------------------------------------------- */

static void vim_keywords(const char *group, const Word *list) {
    printf("syn keyword %s ", group);
    print_names(list, " ");
    putchar('\n');
}

static void write_vim(void) {
    puts("\" Vim syntax file: MDP assembly of the J-Machine. Generated from the "
         "tables.\n"
         "if exists('b:current_syntax')\n    finish\nendif\n"
         "syn case ignore\n"
         "setlocal iskeyword=@,48-57,_,$");
    vim_keywords("mdpInstruction", word_instructions);
    vim_keywords("mdpRegister", word_registers);
    fputs("syn keyword mdpTag ", stdout);
    print_tags(" ");
    fputs("\nsyn match mdpDirective /\\.\\%(", stdout);
    print_names(word_directives, "\\|");
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

static void json_pattern(const char *scope, const char *before, const Word *list,
                         const char *after) {
    printf("        {\"name\": \"%s.mdp\", \"match\": \"%s", scope, before);
    if (list == word_tags)
        print_tags("|");
    else if (list)
        print_names(list, "|");
    printf("%s\"},\n", after);
}

static void write_vscode(void) {
    puts("{\n    \"name\": \"MDP assembly\",\n    \"scopeName\": \"source.mdp\",\n"
         "    \"patterns\": [");
    json_pattern("comment.line.semicolon", ";.*$", NULL, "");
    json_pattern("entity.name.function", "^\\\\s*[.A-Za-z_$][\\\\w.$]*:", NULL, "");
    json_pattern("keyword.control.directive", "(?i)\\\\.(", word_directives, ")\\\\b");
    json_pattern("keyword.operator", "(?i)\\\\b(", word_instructions, ")\\\\b");
    json_pattern("variable.language", "(?i)\\\\b(", word_registers, ")\\\\b");
    json_pattern("storage.type", "(?i)\\\\b(", word_tags, ")\\\\b");
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
