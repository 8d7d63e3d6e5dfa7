/* Source files and addresses as the editor sees them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/jm/dap/dap.h"

/* ---- addresses ------------------------------------------------------------------- */

uint64_t place_bytes(unsigned node, uint32_t address, bool low) {
    return ((uint64_t)node << NODE_BITS) + (uint64_t)address * WORD_BYTES +
           (low ? LOW_BYTES : 0);
}

json_t *place_reference(unsigned node, uint32_t address, bool low) {
    return jvalue_textf("0x%" PRIX64, place_bytes(node, address, low));
}

bool want_reference(Dap *dap, const json_t *arguments, const char *name,
                    uint64_t *bytes) {
    const char *text;
    char *end;
    int64_t offset = 0;
    if (!want_text(dap, arguments, name, &text) ||
        !may_number(dap, arguments, "offset", &offset))
        return false;
    *bytes = strtoull(text, &end, 0);
    if (!*text || *end)
        return dap_fail(dap, "'%s' is not an address", text);
    *bytes += (uint64_t)offset;
    return true;
}

/* ---- source files ---------------------------------------------------------------- */

json_t *place_source(const char *file) {
    char *path = file ? realpath(file, NULL) : NULL;
    if (!path)
        return NULL;
    const char *slash = strrchr(path, '/');
    json_t *source = json_pack("{s:o,s:o}", "name", jvalue_text(slash + 1), "path",
                               jvalue_text(path));
    free(path);
    return source;
}

bool place_add(const Dap *dap, json_t *object, const char *name,
               const JmDebugPlace *place) {
    json_t *source = place_source(place->file);
    if (!source)
        return false;
    json_object_set_new(object, name, source);
    json_object_set_new(object, "line", json_integer(place->line - dap->lines_from_0));
    return true;
}

const char *place_file(const Dap *dap, const char *path) {
    char *wanted = realpath(path, NULL);
    const char *found = NULL;
    for (unsigned i = 0; wanted && !found && jm_source_name(dap->machine, i); i++) {
        char *own = realpath(jm_source_name(dap->machine, i), NULL);
        if (own && strcmp(own, wanted) == 0)
            found = jm_source_name(dap->machine, i);
        free(own);
    }
    free(wanted);
    return found;
}

json_t *place_name(const Dap *dap, const JmDebugPlace *place) {
    char symbol[256];
    jm_symbol_at(dap->machine, place->address, symbol, sizeof symbol);
    return *symbol ? jvalue_text(symbol) : jvalue_textf("%05" PRIX32, place->address);
}
