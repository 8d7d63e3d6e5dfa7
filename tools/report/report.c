/* The command `jm exp report`. */
#include "tools/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/outfile.h"
#include "emu/core/printable.h"
#include "tools/host/host.h"
#include "tools/host/option_rows.h"
#include "tools/host/signals.h"
#include "tools/host/values.h"
#include "tools/jm/commands.h"
#include "tools/report/files/folder.h"
#include "tools/report/page.h"
#include "tools/report/template.h"

enum { TEXT_COLUMN = 14 };

#define OPTIONS "tools/report/options.def"
#include "tools/host/option_table.def"

static int print_help(void) {
    puts("Usage: jm exp report [OPTION]...\n"
         "Draws the figures of what `jm exp run` left in DIR, as DIR/NAME.svg and\n"
         "DIR/NAME.png, and writes DIR/report.html: one page with figures, claims and\n"
         "verdicts that needs no other file. Drawing needs gnuplot.");
    for (int i = 0; i < OPTION_COUNT; i++)
        option_row_print(stdout, &rows[i], TEXT_COLUMN);
    return EXIT_SUCCESS;
}

/* The page appears whole or not at all. */
static bool write_page(const char *folder, const json_t *page, JmError *error) {
    char *template = embedded_text("page", ".html");
    char *path = folder_path(folder, "report", ".html");
    JmOutFile file;
    bool good = folder_open(&file, folder, "report", ".html", error);
    if (good && !template_render(file.stream, template, page, error)) {
        jm_outfile_drop(&file);
        good = false;
    }
    good = good && jm_outfile_commit(&file, error);
    if (good)
        printf("%s\n", JM_SHOWN(path));
    free(path);
    free(template);
    return good;
}

/* The request of the command line. */
typedef struct {
    const char *folder; /* NULL: help */
    const char *site;   /* NULL: no links to it */
} Request;

static bool make_report(const Request *request, JmError *error) {
    const char *folder = request->folder, *site = request->site;
    if (site && !jm_is_utf8(site, strlen(site)))
        return jm_fail(error, "jm exp report", "--site: it is not UTF-8 text");
    json_t *page = page_make(folder, error);
    if (page && site)
        json_object_set_new(page, "site", jvalue_text(site));
    const bool interrupted = signals_pending() != 0;
    const bool good = page && !interrupted && write_page(folder, page, error);
    if (page && interrupted)
        jm_fail(error, "jm exp report", "interrupted");
    json_decref(page);
    return good;
}

/* Parses the command line. Returns false and fills `error` for bad usage. */
static bool parse(int argc, char **argv, Request *request, JmError *error) {
    OptionScan scan;
    option_scan_start(&scan, rows, OPTION_COUNT, false);
    *request = (Request){.folder = "results"};
    for (int id; (id = option_scan_next(&scan, argc, argv)) != OPTION_END;) {
        if (id < 0)
            return option_scan_refuse(&scan, id, "jm exp report", error);
        if (id == OPTION_SITE) {
            request->site = optarg;
            continue;
        }
        request->folder = id == OPTION_HELP ? NULL : optarg;
        if (!request->folder)
            return true;
        if (!*request->folder)
            return jm_fail(error, "jm exp report", "--out: no name of a folder");
    }
    return optind == argc ||
           option_refuse_operand(argv[optind], "jm exp report", error);
}

int report_command(int argc, char **argv, ReportRefresh *refresh) {
    JmError error = {.offset = -1};
    Request request;
    if (!parse(argc, argv, &request, &error)) {
        host_report(&error);
        return EXIT_USAGE;
    }
    if (!request.folder)
        return print_help();
    signals_hold();
    if (!refresh(request.folder, &error))
        host_report(&error); /* the report is of the files as they are */
    if (make_report(&request, &error))
        return EXIT_SUCCESS;
    host_report(&error);
    return signals_pending() ? 128 + signals_pending() : EXIT_FAILURE;
}
