/* Reads the files of the folder that `jm exp run` fills, and files embedded in jm. */
#include "tools/report/files/folder.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asm/objects/bytes.h"
#include "tools/jm/embedded.h"

char *folder_path(const char *folder, const char *name, const char *suffix) {
    const size_t size = strlen(folder) + strlen(name) + strlen(suffix) + 2;
    char *path = malloc(size);
    assert(path);
    snprintf(path, size, "%s/%s%s", folder, name, suffix);
    return path;
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
    if (bytes && !(root = json_loadb((char *)bytes, size, 0, &wrong)))
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
    char *text = bytes ? realloc(bytes, size + 1) : NULL;
    if (text)
        text[size] = '\0';
    free(path);
    return text;
}

char *embedded_text(const char *name, const char *suffix) {
    const size_t length = strlen(name);
    const EmbeddedFile *file = embedded_files;
    while (file->name && (strncmp(file->name, name, length) != 0 ||
                          strcmp(file->name + length, suffix) != 0))
        file++;
    assert(file->name);
    char *text = malloc(file->size + 1);
    assert(text);
    memcpy(text, file->bytes, file->size);
    text[file->size] = '\0';
    return text;
}
