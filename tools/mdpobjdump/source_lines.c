/* Source lines for `mdpobjdump -S`; files are read when they are needed, and kept. */
#include "tools/mdpobjdump/source_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "asm/objects/bytes.h"
#include "emu/core/printable.h"
#include "emu/core/sourcetext.h"
#include "tools/host/host.h"
#include "tools/host/memory.h"

enum { TAB_COLUMNS = 8 };

typedef struct {
    char *name;
    char *text; /* terminated; NULL if it could not be read */
    size_t size;
    size_t *starts; /* offset of each line */
    int line_count;
    int64_t time; /* when it was written */
    bool newer;   /* whether it has been reported as newer than an object */
} Source;

struct Sources {
    const char *object; /* whose lines are asked for, and when it was written */
    int64_t time;
    Source *files;
    int count;
    int last;   /* index of the file asked for last, mostly the next one too */
    char *line; /* the line returned last, malloc'ed */
};

/* Zero bytes of the text are copied like others. */
static char *copy(const char *text, size_t length) {
    char *text_copy = memory_array(length + 1, 1);
    memcpy(text_copy, text, length);
    return text_copy;
}

static char *printable(const char *text) {
    const size_t room = strlen(text) * JM_PRINTABLE_FACTOR + 1;
    return jm_printable(text, memory_array(1, room), room);
}

Sources *sources_new(void) {
    return memory_array(1, sizeof(Sources));
}

void sources_free(Sources *sources) {
    if (!sources)
        return;
    for (int i = 0; i < sources->count; i++) {
        free(sources->files[i].name);
        free(sources->files[i].text);
        free(sources->files[i].starts);
    }
    free(sources->files);
    free(sources->line);
    free(sources);
}

static void index_lines(Source *source) {
    for (size_t at = 0; at < source->size;) {
        source->starts = memory_more(source->starts, (size_t)source->line_count,
                                     sizeof *source->starts);
        source->starts[source->line_count++] = at;
        const char *end = memchr(source->text + at, '\n', source->size - at);
        at = end ? (size_t)(end - source->text) + 1 : source->size;
    }
}

/* Reads a regular file only: the name comes from an object, which may name a pipe or a
 * device that never ends. */
static unsigned char *read_regular(const char *name, size_t *size, JmError *error) {
    struct stat info;
    if (stat(name, &info) == 0 && !S_ISREG(info.st_mode)) {
        jm_fail(error, name, "cannot read: not a regular file");
        return NULL;
    }
    return asm_bytes_read(name, size, error);
}

static void read_source(Source *source) {
    JmError error;
    unsigned char *bytes = read_regular(source->name, &source->size, &error);
    source->time = jm_text_time(source->name);
    if (bytes) {
        const size_t mark = jm_text_mark((char *)bytes, source->size);
        source->size -= mark;
        source->text = copy((char *)bytes + mark, source->size);
        free(bytes);
        index_lines(source);
        return;
    }
    fprintf(stderr, "mdpobjdump: warning: no source text of %s: %s\n",
            JM_SHOWN(source->name), error.text);
}

static Source *find(Sources *sources, const char *name) {
    if (sources->last < sources->count &&
        strcmp(sources->files[sources->last].name, name) == 0)
        return &sources->files[sources->last];
    for (int i = 0; i < sources->count; i++)
        if (strcmp(sources->files[i].name, name) == 0)
            return &sources->files[sources->last = i];
    sources->files =
        memory_more(sources->files, (size_t)sources->count, sizeof *sources->files);
    Source *source = &sources->files[sources->count];
    *source = (Source){.name = copy(name, strlen(name))};
    read_source(source);
    return &sources->files[sources->last = sources->count++];
}

/* Replaces tabs by blanks up to the next column of eight: the place in front of the
 * line would shift them. Returns a malloc'ed text. */
static char *expand_tabs(const char *text, size_t length) {
    char *line = memory_array(1, length * TAB_COLUMNS + 1);
    size_t column = 0;
    for (size_t i = 0; i < length && text[i] != '\0'; i++) {
        if (text[i] != '\t') {
            line[column++] = text[i];
            continue;
        }
        do
            line[column++] = ' ';
        while (column % TAB_COLUMNS != 0);
    }
    line[column] = '\0';
    return line;
}

void sources_begin(Sources *sources, const char *object) {
    sources->object = object;
    sources->time = jm_text_time(object);
}

/* Whether a source has been written since the object; reports it once. */
static bool is_newer(const Sources *sources, Source *source) {
    if (source->time <= sources->time)
        return false;
    if (!source->newer)
        fprintf(stderr, "mdpobjdump: warning: %s is newer than %s: it is not quoted\n",
                JM_SHOWN(source->name), JM_SHOWN(sources->object));
    source->newer = true;
    return true;
}

const char *sources_line(void *context, const char *file, int line) {
    Sources *sources = context;
    Source *source = find(sources, file);
    if (line < 1 || line > source->line_count || is_newer(sources, source))
        return NULL;
    const char *text = source->text + source->starts[line - 1];
    size_t length = (line < source->line_count ? source->starts[line] : source->size) -
                    source->starts[line - 1];
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
        length--;
    char *expanded = expand_tabs(text, length);
    free(sources->line);
    sources->line = printable(expanded);
    free(expanded);
    return sources->line;
}
