#include "tools/jm/program.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/asm.h"
#include "asm/objects/bytes.h"
#include "asm/objects/object.h"
#include "emu/core/sourcetext.h"
#include "tools/host/host.h"
#include "tools/jm/embedded.h"

/* The kernel's entry lies where execution starts. */
static const char kernel_entry[] = "kernel_boot";

static const EmbeddedFile *find_kernel(void) {
    for (const EmbeddedFile *file = embedded_files; file->name; file++)
        if (jm_has_suffix(file->name, ".a"))
            return file;
    return NULL;
}

enum { INCLUDES_MAX = 64 };

/* Lists the kernel's include files, which are embedded in jm, for the assembler;
 * returns how many. */
static int find_includes(AsmFile *files) {
    int count = 0;
    for (const EmbeddedFile *file = embedded_files; file->name; file++) {
        if (!jm_has_suffix(file->name, ".inc"))
            continue;
        assert(count < INCLUDES_MAX);
        files[count++] = (AsmFile){file->name, (const char *)file->bytes, file->size};
    }
    return count;
}

/* A source to be assembled. */
typedef struct {
    const char *path;
    const char *text; /* `size` characters; NULL: the text is in the file `path` */
    size_t size;
    bool bare, quiet;
    JmInputs *inputs; /* gets the files that are read */
} Source;

/* Assembles the source; diagnostics go to standard error. NULL and an error. */
static AsmObject *assemble(const Source *source, JmError *error) {
    const char *path = source->path;
    AsmFile files[INCLUDES_MAX];
    const AsmOptions options = {
        .files = files, .file_count = find_includes(files), .inputs = source->inputs};
    AsmResult result = source->text
                           ? asm_assemble(source->text, source->size, path, &options)
                           : asm_assemble_file(path, &options);
    AsmObject *object = result.object;
    if (!object || !source->quiet)
        host_diagnostics(result.diagnostics);
    if (!object)
        jm_fail(error, path, "%d error%s; nothing was run", result.errors,
                result.errors == 1 ? "" : "s");
    result.object = NULL;
    asm_result_free(&result);
    return object;
}

/* NULL and an error, after the linker's messages. */
static AsmObject *link_input(AsmLinkInput *input, const Source *source,
                             JmError *error) {
    AsmLinkResult result = asm_link_objects(input, &(AsmLinkOptions){0});
    AsmObject *image = result.image;
    if (!image) {
        host_diagnostics(result.diagnostics);
        jm_fail(error, source->path, "it does not link; nothing was run");
    }
    result.image = NULL;
    asm_link_result_free(&result);
    return image;
}

/* Whether the words where execution starts are the source's own: a member of the kernel
 * may lie there too. */
static bool starts_itself(const AsmObject *image, const Source *source) {
    for (int i = 0; i < image->part_count; i++) {
        const AsmObjectPart *part = &image->parts[i];
        const uint32_t first =
            (uint32_t)image->sections[part->section].address + part->offset;
        if (ASM_OBJECT_START >= first && ASM_OBJECT_START - first < part->size &&
            strcmp(part->object, source->path) == 0)
            return true;
    }
    return false;
}

/* Links the source with the members of the kernel that it needs. Unless the source has
 * words of its own where execution starts, that is done again with the kernel's entry,
 * so that the kernel boots the machine. */
static AsmObject *build_image(const Source *source, JmError *error) {
    AsmObject *object = assemble(source, error), *image = NULL;
    if (!object)
        return NULL;
    AsmLinkInput *input = asm_link_input_new();
    if (!input || !asm_link_input_add_object(input, object, source->path))
        host_no_memory();
    const EmbeddedFile *kernel = source->bare ? NULL : find_kernel();
    if (!kernel || asm_link_input_add_memory(input, kernel->bytes, kernel->size,
                                             kernel->name, error))
        image = link_input(input, source, error);
    if (image && !source->bare && !starts_itself(image, source)) {
        asm_object_free(image);
        if (asm_object_add_symbol(object, kernel_entry, ASM_OBJECT_UNDEFINED, 0, true) <
            0)
            host_no_memory();
        image = link_input(input, source, error);
    }
    asm_link_input_free(input);
    return image;
}

/* Assembles, links and loads a source. */
static bool load_source(JmMachine *machine, const Source *source, JmError *error) {
    AsmObject *image = build_image(source, error);
    size_t size;
    void *bytes = image ? asm_object_bytes(image, source->path, &size, error) : NULL;
    const bool good =
        bytes && jm_load_elf(machine, bytes, size, source->path, JM_ALL_NODES, error);
    free(bytes);
    asm_object_free(image);
    return good;
}

/* ---- standard input -------------------------------------------------------------- */

/* Tells a text image from a source by its first line that is not empty. A text image
 * has rows of numbers, `*` for all nodes, and comments from # on; a line of a source
 * begins with a label or an instruction, and comments with a semicolon. */
static bool is_text_image(const char *text, size_t size) {
    bool comment = false;
    for (size_t at = jm_text_mark(text, size); at < size; at++) {
        const char c = text[at];
        comment = c != '\n' && (comment || c == '#');
        if (!comment && !strchr(" \t\r\n", c))
            return strchr("0123456789*", c) != NULL;
    }
    return comment;
}

/* Loads what comes on standard input: an ELF image, a text image, or a source. */
static bool load_standard_input(JmMachine *machine, bool bare, bool quiet,
                                JmError *error) {
    static const char name[] = "<stdin>";
    size_t size;
    char *bytes = (char *)asm_bytes_read_open(stdin, name, &size, error);
    if (!bytes)
        return false;
    jm_inputs_add(jm_inputs(machine), "-");
    const Source source = {name, bytes, size, bare, quiet, jm_inputs(machine)};
    bool good;
    if (size == 0)
        good = jm_fail(error, name, "it is empty");
    else if (asm_object_is_elf(bytes, size))
        good = jm_load_elf(machine, bytes, size, name, JM_ALL_NODES, error);
    else if (is_text_image(bytes, size))
        good = jm_load_text(machine, bytes, size, name, error);
    else
        good = load_source(machine, &source, error);
    free(bytes);
    return good;
}

bool program_load(JmMachine *machine, const char *path, bool bare, bool quiet,
                  JmError *error) {
    if (strcmp(path, "-") == 0)
        return load_standard_input(machine, bare, quiet, error);
    if (jm_has_suffix(path, ".s"))
        return load_source(
            machine, &(Source){path, NULL, 0, bare, quiet, jm_inputs(machine)}, error);
    return jm_load_file(machine, path, JM_ALL_NODES, error);
}
