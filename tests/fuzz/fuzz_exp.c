/* Fuzzes the files of experiments: text, sweeps, columns and measures.
 *
 * Input: the text of a file. A refusal is a sentence, with a place in the text if it
 * has one; an accepted text is printed, and reads back as the same. */
#include "emu/core/printable.h"
#include "tests/fuzz/fuzz.h"
#include "tools/exp/options.h"

typedef struct {
    const char *text;
    size_t size;
} Input;

static char *read_input(void *context, const char *path, size_t *size, JmError *error) {
    const Input *input = context;
    char *copy = malloc(input->size ? input->size : 1);
    (void)path;
    (void)error;
    if (!copy)
        stop("no memory", "");
    if (input->size)
        memcpy(copy, input->text, input->size);
    *size = input->size;
    return copy;
}

static ExperimentFile *read_file(Input input, JmError *error) {
    static char *path = "fuzz.exp";
    ExpOptions options = {.experiments = NULL};
    const bool good =
        exp_options_names(&options, 1, &path, (ExpSource){read_input, &input}, error);
    ExperimentFile *file = good ? options.files[0] : NULL;
    options.file_count = 0; /* the file is the caller's */
    exp_options_free(&options);
    return file;
}

/* The place of an error must be a byte of the text, or its end. */
static void expect_place(Input input, const JmError *error) {
    int line = 1, column = 1;
    if (!error->text[0] || strcmp(error->file, "fuzz.exp") != 0 ||
        !jm_is_utf8(error->text, strlen(error->text)))
        stop("refused without a sentence", error->text);
    if (!error->line)
        return;
    for (size_t i = 0;; i++) {
        if (line == error->line && column == error->column)
            return;
        if (i == input.size)
            stop("refused at no place of the text", error->text);
        column = input.text[i] == '\n' ? 1 : column + 1;
        line += input.text[i] == '\n';
    }
}

static Input printed(const ExperimentFile *file) {
    char *text = NULL;
    size_t size;
    FILE *out = open_text(&text, &size);
    experiment_print(experiment_file_row(file), out);
    fclose(out);
    return (Input){text, size};
}

/* A printed experiment is read back, and printed as the same. */
static void expect_again(const ExperimentFile *file) {
    JmError error;
    const Input first = printed(file);
    ExperimentFile *again = read_file(first, &error);
    if (!again)
        stop("what is printed is refused", error.text);
    const Input second = printed(again);
    if (strcmp(first.text, second.text) != 0)
        stop("what is printed is read as something else", second.text);
    if (experiment_file_row(again)->claim_count !=
        experiment_file_row(file)->claim_count)
        stop("claims are lost", first.text);
    experiment_file_free(again);
    free((char *)first.text);
    free((char *)second.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const Input input = {(const char *)data, size};
    JmError error = {.text = ""};
    ExperimentFile *file = read_file(input, &error);
    if (file)
        expect_again(file);
    else
        expect_place(input, &error);
    experiment_file_free(file);
    return 0;
}
