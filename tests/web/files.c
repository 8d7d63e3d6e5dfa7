/* files-bare: whether the page's files in memory keep what is written and spare
 * what was read, as files of a disk. Prints what does not hold. */
#include <stdio.h>
#include <string.h>

#include "emu/core/inputs.h"
#include "emu/core/outfile.h"
#include "tools/web/wasm/files.h"

static void check(const char *what, bool holds) {
    if (!holds)
        printf("%s\n", what);
}

static bool holds(const char *name, const char *text) {
    char line[16] = "";
    size_t size;
    const char *bytes = web_get(name, &size);
    FILE *file = fopen(name, "r");
    const bool read = file && fgets(line, sizeof line, file);
    if (file)
        fclose(file);
    return read && strcmp(line, text) == 0 && size == strlen(text) &&
           memcmp(bytes, text, size) == 0;
}

/* One of two files was read: only the other may be replaced. */
static void replaces(void) {
    JmInputs inputs = {0};
    JmError error;
    check("two files", web_put("read", "old", 3) && web_put("other", "old", 3));
    check("an input", jm_inputs_add(&inputs, "read"));
    check("what was not read is replaced",
          jm_outfile_write("other", "newer", 5, &inputs, &error) &&
              holds("other", "newer"));
    check("so is it again", jm_outfile_write("other", "new", 3, &inputs, &error) &&
                                holds("other", "new"));
    check("a file is made", jm_outfile_write("made", "first", 5, &inputs, &error) &&
                                holds("made", "first"));
    check("what was read is spared",
          !jm_outfile_write("read", "new", 3, &inputs, &error) && holds("read", "old"));
    jm_inputs_free(&inputs);
}

/* Output written piece by piece appears once it is finished, and never if it is
 * abandoned. */
static void writes(void) {
    JmOutFile kept, dropped;
    JmError error;
    check("two are open", jm_outfile_open(&kept, "made", NULL, &error) &&
                              jm_outfile_open(&dropped, "other", NULL, &error));
    fputs("second", kept.stream);
    fputs("none", dropped.stream);
    check("not before", holds("made", "first"));
    check("finished", jm_outfile_commit(&kept, &error) && holds("made", "second"));
    jm_outfile_drop(&dropped);
    check("given up", holds("other", "new"));
}

int main(void) {
    replaces();
    writes();
    return 0;
}
