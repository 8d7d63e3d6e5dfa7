/* Reads the files of the folder that `jm exp run` fills, and files embedded in jm. */
#include "tools/report/files/folder.h"

#include <assert.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asm/objects/bytes.h"
#include "emu/core/sourcetext.h"
#include "tools/host/memory.h"
#include "tools/jm/embedded.h"

char *folder_path(const char *folder, const char *name, const char *suffix) {
    return memory_text("%s/%s%s", folder, name, suffix);
}

bool folder_csv(Csv *csv, const char *folder, const char *name, const char *suffix,
                JmError *error) {
    char *path = folder_path(folder, name, suffix);
    const bool good = csv_read(csv, path, error);
    free(path);
    return good;
}

json_t *folder_json(const char *folder, const char *name, JmError *error) {
    char *path = folder_path(folder, name, ".json");
    size_t size;
    unsigned char *bytes = NULL;
    json_error_t wrong;
    json_t *root = NULL;
    if (access(path, F_OK) != 0)
        jm_fail(error, path, "cannot read; jm exp run makes it");
    else
        bytes = asm_bytes_read(path, &size, error);
    const size_t mark = bytes ? jm_text_mark((char *)bytes, size) : 0;
    if (bytes && !(root = json_loadb((char *)bytes + mark, size - mark, 0, &wrong)))
        jm_fail_line(error, path, wrong.line, wrong.column, "%s", wrong.text);
    free(bytes);
    free(path);
    return root;
}

char *folder_text(const char *folder, const char *name, const char *suffix,
                  JmError *error) {
    char *path = folder_path(folder, name, suffix);
    size_t size;
    char *bytes = (char *)asm_bytes_read(path, &size, error);
    char *text = bytes ? memory_checked(realloc(bytes, size + 1)) : NULL;
    if (text)
        text[size] = '\0';
    free(path);
    return text;
}

/* Adds what `jm exp run` writes to a folder and reports are made of. */
static void add_data(JmInputs *inputs, const char *folder) {
    DIR *list = opendir(folder);
    for (const struct dirent *entry; list && (entry = readdir(list));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || (strcmp(dot, ".csv") != 0 && strncmp(dot, ".json", 5) != 0))
            continue;
        char *path = folder_path(folder, entry->d_name, "");
        jm_inputs_add(inputs, path);
        free(path);
    }
    if (list)
        closedir(list);
}

bool folder_open(JmOutFile *file, const char *folder, const char *name,
                 const char *suffix, JmError *error) {
    JmInputs inputs = {0};
    add_data(&inputs, folder);
    char *path = folder_path(folder, name, suffix);
    const bool good = jm_outfile_open(file, path, &inputs, error);
    free(path);
    jm_inputs_free(&inputs);
    return good;
}

char *embedded_text(const char *name, const char *suffix) {
    const size_t length = strlen(name);
    const EmbeddedFile *file = embedded_files;
    while (file->name && (strncmp(file->name, name, length) != 0 ||
                          strcmp(file->name + length, suffix) != 0))
        file++;
    assert(file->name);
    return memory_text("%.*s", (int)file->size, (const char *)file->bytes);
}

const char *folder_member(const json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

json_t *folder_named(const json_t *list, const char *name) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(folder_member(json_array_get(list, i), "name"), name) == 0)
            return json_array_get(list, i);
    return NULL;
}
