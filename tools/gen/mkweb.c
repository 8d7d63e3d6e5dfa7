/* mkweb text NAME FILE...: writes JavaScript that makes NAME an object with the text of
 * each file by its path. mkweb bytes NAME FILE: makes NAME the file in base 64. For the
 * page of tools/web, which must work without a server. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints a character of a JavaScript string, safe within an HTML script. */
static void print_character(int c) {
    if (c == '\n')
        fputs("\\n", stdout);
    else if (c == '"' || c == '\\')
        printf("\\%c", c);
    else if ((c >= 0 && c < ' ') || c == '<')
        printf("\\x%02X", (unsigned)c);
    else
        putchar(c);
}

static void print_text(FILE *in) {
    putchar('"');
    for (int c = getc(in); c != EOF; c = getc(in))
        print_character(c);
    putchar('"');
}

/* Prints three bytes as four digits; '=' stands for missing ones. */
static void print_group(const unsigned char bytes[3], size_t count) {
    static const char digit[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned bits =
        (unsigned)bytes[0] << 16 | (unsigned)bytes[1] << 8 | (unsigned)bytes[2];
    for (size_t i = 0; i < 4; i++)
        putchar(i <= count ? digit[bits >> (18 - 6 * i) & 63] : '=');
}

static void print_bytes(FILE *in) {
    unsigned char bytes[3] = {0};
    size_t count;
    putchar('"');
    while ((count = fread(bytes, 1, sizeof bytes, in)) > 0) {
        print_group(bytes, count);
        memset(bytes, 0, sizeof bytes);
    }
    putchar('"');
}

/* Prints the contents of a file with `print`. 0 and a message if it cannot be read. */
static int print_file(const char *path, void print(FILE *)) {
    FILE *in = fopen(path, "rb");
    if (!in) {
        fprintf(stderr, "mkweb: %s: %s\n", path, strerror(errno));
        return 0;
    }
    print(in);
    const int good = !ferror(in);
    fclose(in);
    return good;
}

int main(int argc, char **argv) {
    const int text = argc > 3 && strcmp(argv[1], "text") == 0;
    if (!text && !(argc == 4 && strcmp(argv[1], "bytes") == 0)) {
        fputs("usage: mkweb text NAME FILE... | mkweb bytes NAME FILE\n", stderr);
        return 2;
    }
    int good = 1;
    printf("const %s = %s", argv[2], text ? "{" : "");
    for (int i = 3; i < argc && text; i++) {
        printf("\n\"%s\": ", argv[i]);
        good &= print_file(argv[i], print_text);
        putchar(',');
    }
    if (!text)
        good = print_file(argv[3], print_bytes);
    puts(text ? "\n};" : ";");
    return good && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
