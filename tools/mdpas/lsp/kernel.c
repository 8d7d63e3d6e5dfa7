/* The kernel's files.
 *
 *     PREFIX/bin/mdpas    PREFIX/lib/jm/libkernel.a, *.inc
 *     BUILD/mdpas         BUILD/libkernel.a, BUILD/gen/mdp.inc, the kernel's sources a
 *                         folder or two above */
#include "tools/mdpas/lsp/server.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asm/objects/archive.h"
#include "asm/objects/bytes.h"
#include "tools/host/memory.h"
#include "tools/host/values.h"

static const char archive[] = "libkernel.a";
enum { INCLUDES = 3 };

/* Where an archive of the kernel may be, and include files if it is there: folders
 * beside that of mdpas. */
static const struct {
    const char *archive, *includes[INCLUDES];
} places[] = {{"../lib/jm", {"../lib/jm"}},
              {".", {"gen", "../kernel", "../../kernel"}}};

enum { PLACES = sizeof places / sizeof *places };

/* The path of something beside this program, malloc'ed. */
static char *beside(const char *folder, const char *name) {
    char own[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(own, '/');
    if (slash)
        *slash = '\0';
    return memory_text("%s/%s%s%s", own, folder, name ? "/" : "", name ? name : "");
}

/* The place that has the archive; -1: none. */
static int find_place(void) {
    int found = -1;
    for (int i = 0; found < 0 && i < PLACES; i++) {
        char *path = beside(places[i].archive, archive);
        if (access(path, R_OK) == 0)
            found = i;
        free(path);
    }
    return found;
}

void kernel_folders(Work *work) {
    AsmOptions *options = &work->options;
    work->own_folders = options->include_count;
    const char **folders =
        memory_array((size_t)work->own_folders + INCLUDES, sizeof *folders);
    for (int i = 0; i < work->own_folders; i++)
        folders[i] = options->include_dirs[i];
    const int place = find_place();
    for (int i = 0; place >= 0 && i < INCLUDES && places[place].includes[i]; i++)
        folders[options->include_count++] = beside(places[place].includes[i], NULL);
    options->include_dirs = folders;
}

void kernel_folders_free(Work *work) {
    for (int i = work->own_folders; i < work->options.include_count; i++)
        free((char *)work->options.include_dirs[i]);
    free((void *)work->options.include_dirs);
}

static void add_names(json_t *names, const AsmObject *object) {
    for (int i = 0; i < object->symbol_count; i++) {
        const AsmObjectSymbol *symbol = &object->symbols[i];
        if (symbol->global && symbol->section != ASM_OBJECT_UNDEFINED)
            jvalue_set(names, symbol->name, json_true());
    }
}

static void add_archive(json_t *names, const void *bytes, size_t size) {
    AsmArchive reader = asm_archive_open(bytes, size, archive);
    AsmArchiveMember member;
    JmError error;
    while (asm_archive_next(&reader, &member, &error) == ASM_ARCHIVE_MEMBER) {
        AsmObject *object =
            asm_object_read_memory(member.bytes, member.size, member.name, &error);
        if (object)
            add_names(names, object);
        asm_object_free(object);
    }
}

json_t *kernel_names(void) {
    json_t *names = json_object();
    const int place = find_place();
    if (place < 0)
        return names;
    size_t size;
    JmError error;
    char *path = beside(places[place].archive, archive);
    unsigned char *bytes = asm_bytes_read(path, &size, &error);
    if (bytes && asm_object_is_archive(bytes, size))
        add_archive(names, bytes, size);
    free(bytes);
    free(path);
    return names;
}
