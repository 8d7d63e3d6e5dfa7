/* `jm exp report`: figures and a page from the files of `jm exp run`. */
#ifndef JM_TOOLS_REPORT_EXP_REPORT_H
#define JM_TOOLS_REPORT_EXP_REPORT_H

#include "emu/core/status.h"

/* Brings the files of a folder up to date with the runs that are done. */
typedef bool ReportRefresh(const char *folder, JmError *error);

/* argv[0] is "report"; returns the exit status. */
int report_command(int argc, char **argv, ReportRefresh *refresh);

#endif
