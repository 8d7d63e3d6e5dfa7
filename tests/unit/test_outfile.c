/* emu/core/outfile: whole files, written by one call; tests/cli/test_outputs.sh has the
 * rest. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/core/outfile.h"

enum { MOST = 1 << 20 };

/* A device without room: small outputs fail when flushed, large ones immediately. */
Test(outfile, a_full_device_is_an_error_for_every_size) {
    static char bytes[MOST];
    for (size_t size = 1; size <= MOST; size *= 16) {
        JmError error;
        cr_expect_not(jm_outfile_write("/dev/full", bytes, size, NULL, &error), "%zu",
                      size);
        cr_expect_str_eq(error.file, "/dev/full");
        cr_expect_str_eq(error.text, "cannot write: No space left on device");
    }
}

Test(outfile, all_bytes_are_written) {
    char folder[] = "/tmp/outfile.XXXXXX", path[64];
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/out", folder);
    char *bytes = malloc(MOST), *again = calloc(1, MOST);
    for (size_t i = 0; i < MOST; i++)
        bytes[i] = (char)(i * i >> 4);
    JmError error;
    cr_assert(jm_outfile_write(path, bytes, MOST, NULL, &error), "%s", error.text);
    FILE *file = fopen(path, "rb");
    cr_expect_eq(fread(again, 1, MOST, file), MOST);
    cr_expect_eq(getc(file), EOF);
    cr_expect_eq(memcmp(bytes, again, MOST), 0);
    fclose(file);
    unlink(path);
    rmdir(folder);
    free(again);
    free(bytes);
}
