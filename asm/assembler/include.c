/* .include: finding the file, and noticing one that includes itself.
 *
 * A name is looked for beside the file that includes it, then in the folders of the
 * options in their order, then among the files that the caller has in memory. Files on
 * disk are told apart by device and inode, never by name: "a.inc" and "./a.inc" are one
 * file. A file that is included again by the same name is not read again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "asm/assembler/assemble.h"

/* Returns `folder`/`name` in the arena, where names of sources live as long as the run.
 * `folder` has no final slash unless it is the root; "" is the current folder. */
static char *join(Assembler *as, AsText folder, AsText name) {
    const size_t length = (size_t)folder.length + (size_t)name.length + 2;
    char *path = as_arena_alloc(&as->arena, length);
    const bool slash = folder.length > 0 && folder.text[folder.length - 1] != '/';
    snprintf(path, length, "%.*s%s%.*s", folder.length, folder.text, slash ? "/" : "",
             name.length, name.text);
    return path;
}

/* Returns the folder of a path with its final slash; empty for a bare name. */
static AsText folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return (AsText){path, slash ? (int)(slash - path) + 1 : 0};
}

/* A file to include: at `path`, or in memory. */
typedef struct {
    const char *path;
    const AsmFile *memory; /* NULL if it is on disk */
    struct stat info;
} Found;

static bool find_in_memory(const Assembler *as, AsText name, Found *found) {
    for (int i = 0; i < as->options->file_count; i++) {
        const AsmFile *file = &as->options->files[i];
        if (strlen(file->name) == (size_t)name.length &&
            memcmp(file->name, name.text, (size_t)name.length) == 0) {
            *found = (Found){.path = file->name, .memory = file};
            return true;
        }
    }
    return false;
}

static bool find_in_folder(Assembler *as, AsText folder, AsText name, Found *found) {
    found->memory = NULL;
    found->path = join(as, folder, name);
    return stat(found->path, &found->info) == 0;
}

/* The file a name means: beside the file that includes it, in the folders of the
 * options, in memory. An absolute path is looked for as it is. */
static bool find_file(Assembler *as, AsText name, Found *found) {
    const AsSource *from = &as->sources[as->line.statement->source];
    if (name.text[0] == '/')
        return find_in_folder(as, (AsText){"", 0}, name, found);
    if (from->memory ? find_in_memory(as, name, found)
                     : find_in_folder(as, folder_of(from->name), name, found))
        return true;
    for (int i = 0; i < as->options->include_count; i++) {
        const char *folder = as->options->include_dirs[i];
        if (find_in_folder(as, (AsText){folder, (int)strlen(folder)}, name, found))
            return true;
    }
    return find_in_memory(as, name, found);
}

/* Compares device and inode, since a file may have many names. */
static bool same_file(const AsSource *source, const Found *found) {
    if (found->memory)
        return source->memory == found->memory;
    return (source->device || source->inode) &&
           source->device == (uint64_t)found->info.st_dev &&
           source->inode == (uint64_t)found->info.st_ino;
}

static bool includes_itself(const Assembler *as, const Found *found) {
    for (int i = 0; i < as->frame_count; i++)
        if (as->frames[i].kind == AS_FRAME_FILE &&
            same_file(&as->sources[as->frames[i].source], found))
            return true;
    return false;
}

/* The source of a file, read once however often it is included; -1 after an error. */
static int load(Assembler *as, const Found *found, AsPlace place) {
    for (int i = 0; i < as->source_count; i++)
        if (same_file(&as->sources[i], found) &&
            strcmp(as->sources[i].name, found->path) == 0)
            return i;
    if (found->memory) {
        const int source =
            as_source_add(as, found->path, found->memory->text, found->memory->length);
        as->sources[source].memory = found->memory;
        return source;
    }
    JmError error;
    const int source = as_source_read(as, found->path, true, &error);
    if (source < 0)
        as_error(as, place, "%s", error.text);
    return source;
}

/* A failed include ends the reading: the file may have defined macros and symbols, and
 * all further messages would be about their absence. */
void as_do_include(Assembler *as) {
    const AsPlace place = as_here(as, as->at);
    const AsText name = {as->at->text + 1, as->at->length - 2};
    Found found;
    as->abandoned = true; /* cleared below if the file was found and read */
    if (as->at->kind != AS_TOKEN_STRING) {
        as_unexpected(as, "a \"file\"");
        return;
    }
    as->at++;
    as_expect_end(as);
    if (as->failed)
        return;
    if (name.length == 0 || memchr(name.text, '\0', (size_t)name.length) ||
        !find_file(as, name, &found))
        as_error(as, place, "cannot find the file '%.*s'", name.length, name.text);
    else if (includes_itself(as, &found))
        as_error(as, place, "recursive include of '%s'", found.path);
    const int source = as->failed ? -1 : load(as, &found, place);
    if (source < 0)
        return;
    as->abandoned = false;
    as_push_source(as, source, "included from here", place);
}
