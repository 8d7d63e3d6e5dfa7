/* Files of the folder that `jm exp run` fills. */
#ifndef JM_TOOLS_REPORT_FILES_FOLDER_H
#define JM_TOOLS_REPORT_FILES_FOLDER_H

#include <jansson.h>

#include "emu/core/outfile.h"
#include "tools/report/files/csv.h"

/* Returns `folder`/`name``suffix`, malloc'ed. */
char *folder_path(const char *folder, const char *name, const char *suffix);

bool folder_csv(Csv *csv, const char *folder, const char *name, const char *suffix,
                JmError *error);
json_t *folder_json(const char *folder, const char *name, JmError *error);
/* Returns the text of a file, malloc'ed; NULL and an error if there is none. */
char *folder_text(const char *folder, const char *name, const char *suffix,
                  JmError *error);

/* Opens the output `folder`/`name``suffix`; no table, journal or other data of the
 * folder may be lost for it. */
bool folder_open(JmOutFile *file, const char *folder, const char *name,
                 const char *suffix, JmError *error);

/* Returns a malloc'ed copy of a file that is embedded in jm. */
char *embedded_text(const char *name, const char *suffix);

/* Returns the text of a member; "" if there is none. */
const char *folder_member(const json_t *object, const char *name);
/* Returns the object of a list whose member "name" is this; NULL if there is none. */
json_t *folder_named(const json_t *list, const char *name);

#endif
