/* Fills templates line by line. */
#include "tools/gen/rows/template.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/jm.h"

static const char mark[] = "@VERSION@";

static void copy_line(const char *line) {
    for (const char *at; (at = strstr(line, mark)); line = at + strlen(mark))
        printf("%.*s" JM_VERSION, (int)(at - line), line);
    puts(line);
}

/* Executes a directive; `line` is "name argument". False if there is no such directive
 * or argument. */
static bool obey(char *line, const Directive *directives) {
    char *blank = strchr(line, ' ');
    if (blank)
        *blank = '\0';
    for (const Directive *d = directives; d->name; d++)
        if (strcmp(d->name, line) == 0)
            return d->write(stdout, blank ? blank + 1 : "");
    return false;
}

int template_fill(const char *program, int argc, char **argv,
                  const Directive *directives) {
    const char *path = argv[1];
    if (argc != 2) {
        fprintf(stderr, "usage: %s TEMPLATE\n", program);
        return EXIT_FAILURE;
    }
    FILE *in = fopen(path, "r");
    if (!in) {
        fprintf(stderr, "%s: %s: %s\n", program, path, strerror(errno));
        return EXIT_FAILURE;
    }
    char *line = NULL;
    size_t room = 0;
    bool good = true;
    for (int number = 1; good && getline(&line, &room, in) >= 0; number++) {
        line[strcspn(line, "\n")] = '\0';
        good = line[0] != '@' || obey(line + 1, directives);
        if (!good)
            fprintf(stderr, "%s: %s:%d: there are no such rows\n", program, path,
                    number);
        else if (line[0] != '@')
            copy_line(line);
    }
    good = good && !ferror(in);
    free(line);
    fclose(in);
    return good && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
