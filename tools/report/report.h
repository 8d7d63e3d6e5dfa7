/* `jm exp report`: figures and a page from the files of `jm exp run`. */
#ifndef JM_TOOLS_REPORT_REPORT_H
#define JM_TOOLS_REPORT_REPORT_H

/* argv[0] is "report"; returns the exit status. */
int report_command(int argc, char **argv);

#endif
