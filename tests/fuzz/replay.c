/* The main of a fuzzer that only replays files: `make test` runs the kept corpus with
 * it, with any compiler. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path) {
    enum { MOST = 1 << 20 }; /* bytes; the corpus keeps inputs far smaller */
    static const char too_large[] = "larger than 1 MiB";
    FILE *in = fopen(path, "rb");
    uint8_t *data = malloc(MOST);
    if (!in || !data) {
        fprintf(stderr, "replay: %s: %s\n", path, strerror(errno));
        exit(EXIT_FAILURE);
    }
    const size_t size = fread(data, 1, MOST, in);
    const int bad = ferror(in) || size == MOST;
    fclose(in);
    if (bad)
        fprintf(stderr, "replay: %s: %s\n", path, too_large);
    else
        LLVMFuzzerTestOneInput(data, size);
    free(data);
    return bad;
}

int main(int argc, char **argv) {
    int bad = 0;
    for (int i = 1; i < argc; i++)
        bad |= replay(argv[i]);
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
