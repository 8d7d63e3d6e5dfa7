/* Files of the folder that `jm exp run` fills. */
#ifndef JM_TOOLS_REPORT_FOLDER_H
#define JM_TOOLS_REPORT_FOLDER_H

#include <jansson.h>

#include "tools/report/csv.h"

/* FOLDER/NAME SUFFIX, malloc'ed. */
char *folder_path(const char *folder, const char *name, const char *suffix);

bool folder_csv(Csv *csv, const char *folder, const char *name, const char *suffix,
                JmError *error);
json_t *folder_json(const char *folder, const char *name, JmError *error);
/* The text of a file; NULL and a message if there is none. */
char *folder_text(const char *folder, const char *name, const char *suffix,
                  JmError *error);

/* A file that travels inside jm, as a text of its own. */
char *embedded_text(const char *name, const char *suffix);

#endif
