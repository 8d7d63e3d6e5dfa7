/* The command `jm exp report`. */
#include "tools/report/exp_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/outfile.h"
#include "emu/core/printable.h"
#include "tools/host/frame.h"
#include "tools/host/host.h"
#include "tools/host/signals.h"
#include "tools/host/values.h"
#include "tools/jm/commands.h"
#include "tools/report/files/folder.h"
#include "tools/report/page.h"
#include "tools/report/template.h"

enum { TEXT_COLUMN = 14 };

/* The request of the command line. */
typedef struct {
    FrameAsked asked;
    const char *folder;
    const char *site; /* NULL: no links to it */
} Request;

#define OPTIONS "tools/report/options.def"
#define OPTION_FIELDS Request
#include "tools/host/option_table.def"

static const char command[] = "jm exp report";

static const Frame frame = {
    .options = {.command = command, OPTION_TABLE, .alone = true},
    .column = TEXT_COLUMN,
    .head =
        "Usage: jm exp report [OPTION]...\n"
        "Draws the figures of what `jm exp run` left in DIR, as DIR/NAME.svg and\n"
        "DIR/NAME.png, and writes DIR/report.html: one page with figures, claims and\n"
        "verdicts that needs no other file. Drawing needs gnuplot.",
};

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

static bool make_report(const Request *request, JmError *error) {
    const char *folder = request->folder, *site = request->site;
    if (site && !jm_is_utf8(site, strlen(site)))
        return jm_fail(error, command, "--site: it is not UTF-8 text");
    json_t *page = page_make(folder, error);
    if (page && site)
        json_object_set_new(page, "site", jvalue_text(site));
    const bool interrupted = signals_pending() != 0;
    const bool good = page && !interrupted && write_page(folder, page, error);
    if (page && interrupted)
        jm_fail(error, command, "interrupted");
    json_decref(page);
    return good;
}

int report_command(int argc, char **argv, ReportRefresh *refresh) {
    JmError error = {.offset = -1};
    Request request = {.folder = "results"};
    const int status = frame_options(&frame, argc, argv, &request);
    if (status != FRAME_GO_ON)
        return status;
    signals_hold();
    if (!refresh(request.folder, &error))
        host_report_for(command, &error); /* the report is of the files as they are */
    if (make_report(&request, &error))
        return EXIT_SUCCESS;
    host_report(&error);
    return signals_pending() ? 128 + signals_pending() : EXIT_FAILURE;
}
