/* Open documents, and the programs that they are assembled in. */
#ifndef JM_MDPAS_UNITS_H
#define JM_MDPAS_UNITS_H

#include <jansson.h>
#include <stdbool.h>

#include "asm/asm.h"
#include "tools/mdpas/lsp/text.h"

typedef struct {
    char *uri;  /* as the client writes it */
    char *path; /* of its file; the uri if it has none */
    char *real; /* the same with all links followed */
    json_t *version;
    Text text;
    bool published; /* its messages, since it was opened or changed last */
} Document;

/* A source with all that it includes, assembled. The source is open, or a file of the
 * workspace. */
typedef struct {
    char *path, *real;
    Document *document; /* NULL: it is not open */
    bool fresh;         /* the result is that of the present texts */
    AsmResult result;
    int file_count;
    char **reals; /* of the files of the index; "" for what is not a file */
    Text **texts; /* of those that are not open, made when they are asked for */
} Unit;

/* A list of pointers. */
typedef struct {
    void **items;
    int count;
} List;
void list_add(List *list, void *item);

typedef struct {
    AsmOptions options; /* of each assembly, but for what is open */
    int own_folders;    /* of `options`, before those of the kernel */
    TextUnits units;
    List documents, open_units, closed_units;
    List folders;   /* of the workspace: paths */
    bool looked;    /* the sources of the workspace are in `closed_units` */
    json_t *kernel; /* names that the kernel archive defines: an object */
} Work;

void work_free(Work *work);

/* The document that a URI names, or the parameters of a message; NULL: not open. */
Document *document_named(const Work *work, const char *uri);
Document *document_find(const Work *work, const json_t *params);
/* The open document of a file, by its path without links; NULL: none. */
Document *document_of(const Work *work, const char *real);
void document_open(Work *work, const json_t *item);
void document_change(Work *work, Document *document, const json_t *params);
void document_close(Work *work, Document *document);
/* Whatever was read from disk may have changed. */
void work_forget(Work *work);

/* Assembles a unit if it is not fresh; returns its index. */
const AsmIndex *unit_index(Work *work, Unit *unit);
/* The unit that a document is best understood in: its own, or one that includes it. */
Unit *unit_of(Work *work, const Document *document);
/* The sources of the workspace that are not open. */
const List *work_closed(Work *work);
/* Unit `i` of all, or of the open ones, which come first; NULL: there are fewer. */
Unit *work_unit(Work *work, bool all, int i);

/* The number of a file in the index of a unit; -1: it is not in it. */
int unit_file(const Unit *unit, const char *real);
/* The text of a file of a unit, and its URI, malloc'ed. */
const Text *unit_text(const Work *work, Unit *unit, int file);
char *unit_uri(const Work *work, const Unit *unit, int file);

/* The byte that a position of the protocol stands at; the nearest one that there is. */
size_t text_offset(const Text *text, const json_t *position);
json_t *text_position(const Text *text, size_t offset);
/* The range of the bytes from `from` to before `to`. */
json_t *text_range(const Text *text, size_t from, size_t to);
/* The edit that puts `new` in the place of a range. */
json_t *text_edit(const Text *text, size_t from, size_t to, const char *new);
/* The rows of the assembler in a range of the protocol; all if it is NULL. */
typedef struct {
    int first, last;
} Rows;
Rows text_rows(const Text *text, const json_t *range);

/* The bytes of a place of the assembler: its length, or the lexeme that is there. */
typedef struct {
    size_t from, to;
} Bytes;
Bytes spot_bytes(const Text *text, AsmSpot spot);
json_t *spot_range(const Work *work, Unit *unit, AsmSpot spot);
/* A place as a location of the protocol: uri and range. */
json_t *spot_location(const Work *work, Unit *unit, AsmSpot spot);

/* The path of a URI, malloc'ed. */
char *path_of(const char *uri);

#endif
