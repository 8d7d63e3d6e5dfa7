/* Source files as lines, for mdpobjdump -S. A file is read when its first line is asked
 * for; one that cannot be read is reported on standard error, once. */
#ifndef JM_TOOLS_MDPOBJDUMP_SOURCE_LINES_H
#define JM_TOOLS_MDPOBJDUMP_SOURCE_LINES_H

typedef struct Sources Sources;

Sources *sources_new(void);
void sources_free(Sources *sources);
/* Sets the object or image whose lines are asked for from now on. A source that is
 * newer is not quoted, and is reported once. */
void sources_begin(Sources *sources, const char *object);
/* Line `line` (1..) of `file` with control characters made visible, valid until the
 * next call; NULL if there is none. `sources` is a Sources: this is an AsmSourceLine.
 */
const char *sources_line(void *sources, const char *file, int line);

#endif
