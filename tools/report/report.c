#include "tools/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/outfile.h"
#include "tools/host/host.h"
#include "tools/jm/commands.h"
#include "tools/report/folder.h"
#include "tools/report/page.h"
#include "tools/report/template.h"

static const char help[] = "usage: jm exp report [--out DIR]\n"
                           "\n"
                           "Draws the figures of what `jm exp run` left in DIR "
                           "(results), as DIR/NAME.svg and\n"
                           "DIR/NAME.png, and writes DIR/report.html: one page with "
                           "figures, claims and verdicts\n"
                           "that needs no other file. Drawing needs gnuplot.\n";

/* The page appears whole or not at all. */
static bool write_page(const char *folder, const json_t *page, JmError *error) {
    char *template = embedded_text("page", ".html");
    char *path = folder_path(folder, "report", ".html");
    JmOutFile file;
    bool good = jm_outfile_open(&file, path, error);
    if (good && !template_render(file.stream, template, page, error)) {
        jm_outfile_drop(&file);
        good = false;
    }
    good = good && jm_outfile_commit(&file, error);
    if (good)
        printf("%s\n", path);
    free(path);
    free(template);
    return good;
}

static bool make_report(const char *folder, JmError *error) {
    json_t *page = page_make(folder, error);
    const bool good = page && write_page(folder, page, error);
    json_decref(page);
    return good;
}

/* The folder; NULL and a message if the command line is bad. */
static const char *parse(int argc, char **argv, JmError *error) {
    const char *folder = "results";
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--out") == 0 && i + 1 < argc)
            folder = argv[++i];
        else if (strcmp(argv[i], "--out") == 0)
            return jm_fail(error, "jm exp report", "--out needs an argument"), NULL;
        else if (strncmp(argv[i], "--out=", 6) == 0)
            folder = argv[i] + 6;
        else
            return jm_fail(error, "jm exp report", "unknown argument '%s'", argv[i]),
                   NULL;
    }
    return folder;
}

int report_command(int argc, char **argv) {
    JmError error = {.offset = -1};
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(help, stdout);
        return EXIT_SUCCESS;
    }
    const char *folder = parse(argc, argv, &error);
    if (folder && make_report(folder, &error))
        return EXIT_SUCCESS;
    host_report(&error);
    return folder ? EXIT_FAILURE : EXIT_USAGE;
}
