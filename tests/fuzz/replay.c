/* The main of a fuzzer that only replays inputs: `make test` runs the kept corpus with
 * it, with any compiler.
 *
 * usage: replay-NAME [-v] FILE...
 *
 * A file whose name ends in .a is a pack: an ar archive, each member of which is an
 * input. With -v the name of each input is written before it runs, so that the last
 * line names the one that crashed. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    MOST_BYTES = 64 << 20, /* of a file */
    INPUT_BYTES = 1 << 20, /* of an input; the corpus keeps far smaller ones */
};

/* The header of an archive's member: text, filled up with blanks (ar(5)). */
typedef struct {
    char name[16], date[12], owner[6], group[6], mode[8], size[10], end[2];
} MemberHeader;

static const char archive_magic[] = "!<arch>\n";
static const size_t magic_size = sizeof archive_magic - 1;

static _Noreturn void give_up(const char *path, const char *why) {
    fprintf(stderr, "replay: %s: %s\n", path, why);
    exit(EXIT_FAILURE);
}

static uint8_t *read_whole(const char *path, size_t *size) {
    FILE *in = fopen(path, "rb");
    uint8_t *data = malloc(MOST_BYTES);
    if (!in || !data)
        give_up(path, strerror(errno));
    *size = fread(data, 1, MOST_BYTES, in);
    if (ferror(in) || *size == MOST_BYTES)
        give_up(path, "larger than 64 MiB, or unreadable");
    fclose(in);
    return data;
}

/* Runs one input from memory of exactly its size, so that a sanitizer sees each byte
 * read beyond its end. */
static void run(const char *path, int member, const uint8_t *data, size_t size,
                bool verbose) {
    uint8_t *input = malloc(size + (size == 0));
    if (!input || size > INPUT_BYTES)
        give_up(path, "an input larger than 1 MiB");
    if (size)
        memcpy(input, data, size);
    if (verbose && member)
        fprintf(stderr, "%s, member %d\n", path, member);
    else if (verbose)
        fprintf(stderr, "%s\n", path);
    LLVMFuzzerTestOneInput(input, size);
    free(input);
}

/* Members are numbered as `ar t` lists them; the table of long names is not one. */
static void run_pack(const char *path, const uint8_t *data, size_t size, bool verbose) {
    if (size < magic_size || memcmp(data, archive_magic, magic_size) != 0)
        give_up(path, "not an archive");
    int member = 0;
    for (size_t at = magic_size; at < size;) {
        MemberHeader header;
        if (size - at < sizeof header)
            give_up(path, "ends in a header");
        memcpy(&header, data + at, sizeof header);
        at += sizeof header;
        char digits[sizeof header.size + 1] = {0};
        memcpy(digits, header.size, sizeof header.size);
        const size_t length = strtoull(digits, NULL, 10);
        if (length > size - at)
            give_up(path, "ends in a member");
        if (strncmp(header.name, "//", 2) != 0)
            run(path, ++member, data + at, length, verbose);
        at += length + length % 2;
    }
    if (member == 0)
        give_up(path, "an archive without members");
}

int main(int argc, char **argv) {
    const bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    for (int i = 1 + verbose; i < argc; i++) {
        size_t size;
        uint8_t *data = read_whole(argv[i], &size);
        const size_t length = strlen(argv[i]);
        if (length > 2 && strcmp(argv[i] + length - 2, ".a") == 0)
            run_pack(argv[i], data, size, verbose);
        else
            run(argv[i], 0, data, size, verbose);
        free(data);
    }
    return EXIT_SUCCESS;
}
