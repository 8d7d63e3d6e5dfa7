/* .include: finding the file, and noticing one that includes itself.
 *
 * A name is looked for beside the file that includes it, then in the folders of the
 * options in their order. Files are told apart by device and inode, never by name:
 * "a.inc" and "./a.inc" are one file. A file that is included again by the same name is
 * not read again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "asm/assembler.h"

/* `folder` (without a final slash unless it is the root; "" = here) and a name. The
 * arena's: names of sources live as long as the run. */
static char *join(Assembler *as, AsText folder, AsText name) {
    const size_t length = (size_t)folder.length + (size_t)name.length + 2;
    char *path = as_arena_alloc(&as->arena, length);
    const bool slash = folder.length > 0 && folder.text[folder.length - 1] != '/';
    snprintf(path, length, "%.*s%s%.*s", folder.length, folder.text, slash ? "/" : "",
             name.length, name.text);
    return path;
}

/* With its final slash; empty for a name without a folder. */
static AsText folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return (AsText){path, slash ? (int)(slash - path) + 1 : 0};
}

/* The file a name means: beside the file that includes it, else in the folders of the
 * options; NULL if it is nowhere. An absolute path is looked for as it is. */
static char *find_file(Assembler *as, AsText name, struct stat *info) {
    const AsStatement *statement = as->line.statement;
    const AsText beside = folder_of(as->sources[statement->source].name);
    char *path = join(as, name.text[0] == '/' ? (AsText){"", 0} : beside, name);
    if (stat(path, info) == 0)
        return path;
    for (int i = 0; i < as->options->include_count && name.text[0] != '/'; i++) {
        const char *folder = as->options->include_dirs[i];
        path = join(as, (AsText){folder, (int)strlen(folder)}, name);
        if (stat(path, info) == 0)
            return path;
    }
    return NULL;
}

/* By device and inode: the same file may have many names. */
static bool same_file(const AsSource *source, const struct stat *info) {
    return (source->device || source->inode) &&
           source->device == (uint64_t)info->st_dev &&
           source->inode == (uint64_t)info->st_ino;
}

static bool includes_itself(const Assembler *as, const struct stat *info) {
    for (int i = 0; i < as->frame_count; i++)
        if (as->frames[i].kind == AS_FRAME_FILE &&
            same_file(&as->sources[as->frames[i].source], info))
            return true;
    return false;
}

/* The source of a file, read once however often it is included; -1 after an error. */
static int load(Assembler *as, const char *path, const struct stat *info,
                AsPlace place) {
    for (int i = 0; i < as->source_count; i++)
        if (same_file(&as->sources[i], info) && strcmp(as->sources[i].name, path) == 0)
            return i;
    JmError error;
    const int source = as_source_read(as, path, true, &error);
    if (source < 0)
        as_error(as, place, "%s", error.text);
    return source;
}

/* After a failure undefined symbols are not reported: they may have been in there. */
void as_do_include(Assembler *as) {
    const AsPlace place = as_here(as, as->at);
    const AsText name = {as->at->text + 1, as->at->length - 2};
    struct stat info;
    const bool failed_before = as->include_failed;
    as->include_failed = true; /* until all went well */
    if (as->at->kind != AS_TOKEN_STRING) {
        as_unexpected(as, "a \"file\"");
        return;
    }
    as->at++;
    as_expect_end(as);
    if (as->failed)
        return;
    char *path = NULL;
    if (name.length > 0 && !memchr(name.text, '\0', (size_t)name.length))
        path = find_file(as, name, &info);
    if (!path)
        as_error(as, place, "cannot find the file '%.*s'", name.length, name.text);
    else if (includes_itself(as, &info))
        as_error(as, place, "recursive include of '%s'", path);
    const int source = as->failed ? -1 : load(as, path, &info, place);
    if (source < 0)
        return;
    as->include_failed = failed_before;
    as_push_source(as, source, "included from here", place);
}
