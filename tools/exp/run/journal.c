/* The journal of a sweep: appending whole lines, and reading them back. */
#include "tools/exp/run/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/exp/run/pool.h"
#include "tools/host/memory.h"
#include "tools/jm/version.h"

enum { JOURNAL_PATH_MAX = 4096 };

struct Journal {
    int descriptor;
    size_t others; /* records of another jm */
    JournalTake *take;
    void *context; /* its first argument */
    char path[JOURNAL_PATH_MAX];
};

static bool fail(const Journal *journal, const char *what, JmError *error) {
    return jm_fail(error, journal->path, "cannot %s: %s", what, strerror(errno));
}

/* Rejects a pipe or device: reading it back might never end. */
static bool is_regular(const Journal *journal, JmError *error) {
    struct stat status;
    return (fstat(journal->descriptor, &status) == 0 && S_ISREG(status.st_mode)) ||
           jm_fail(error, journal->path, "this is no regular file");
}

/* Takes a lock, since two sweeps must not write to one journal. */
static bool lock(Journal *journal, JmError *error) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(journal->descriptor, F_SETLK, &lock) == 0 ||
           jm_fail(error, journal->path, "another jm is at work here");
}

/* Passes on the record in line `number`; one of another jm is counted and skipped. */
static bool pass_on(Journal *journal, const json_t *record, int number,
                    JmError *error) {
    const char *key = json_string_value(json_object_get(record, "key"));
    const char *version = json_string_value(json_object_get(record, "version"));
    char why[RESULT_WHY_MAX];
    if (!key || !version)
        return jm_fail_line(error, journal->path, number, 0,
                            "this is no record of a run: no key or version");
    if (strcmp(version, version_text) != 0) {
        journal->others++;
        return true;
    }
    return journal->take(journal->context, record, why) ||
           jm_fail_line(error, journal->path, number, 0,
                        "no run can have this result: %s", why);
}

/* Reads all complete lines; `*whole` is where they end. */
static bool read_lines(Journal *journal, FILE *file, off_t *whole, JmError *error) {
    char *line = NULL;
    size_t size = 0;
    int number = 0;
    bool good = true;
    ssize_t length;
    while (good && (length = getline(&line, &size, file)) > 0) {
        number++;
        if (line[length - 1] != '\n')
            break;
        json_error_t why;
        json_t *record = json_loadb(line, (size_t)length, 0, &why);
        good = record ? pass_on(journal, record, number, error)
                      : jm_fail_line(error, journal->path, number, 0,
                                     "this is no record of a run: %s", why.text);
        json_decref(record);
        *whole += length;
    }
    free(line);
    return good && (!ferror(file) || fail(journal, "read", error));
}

static bool read_file(Journal *journal, off_t *whole, JmError *error) {
    FILE *file = fopen(journal->path, "r");
    *whole = 0;
    if (!file)
        return fail(journal, "read", error);
    const bool good = read_lines(journal, file, whole, error);
    fclose(file);
    return good;
}

/* Reads all complete lines and truncates the file after them. */
static bool read_back(Journal *journal, JmError *error) {
    off_t whole;
    return read_file(journal, &whole, error) &&
           (ftruncate(journal->descriptor, whole) == 0 || fail(journal, "cut", error));
}

bool journal_read(const char *path, JournalTake *take, void *context, JmError *error) {
    Journal journal = {.descriptor = -1, .take = take, .context = context};
    off_t whole;
    snprintf(journal.path, sizeof journal.path, "%s", path);
    return read_file(&journal, &whole, error);
}

static bool must_be_empty(const Journal *journal, JmError *error) {
    return lseek(journal->descriptor, 0, SEEK_END) == 0 ||
           jm_fail(error, journal->path,
                   "holds the runs of an earlier sweep: continue it with --resume, or "
                   "choose another --out");
}

Journal *journal_open(const char *path, bool resume, JournalTake *take, void *context,
                      JmError *error) {
    Journal *journal = memory_array(1, sizeof *journal);
    journal->take = take;
    journal->context = context;
    snprintf(journal->path, sizeof journal->path, "%s", path);
    journal->descriptor = open(journal->path, O_RDWR | O_CREAT | O_APPEND, 0666);
    bool good = journal->descriptor >= 0 || fail(journal, "open", error);
    good = good && is_regular(journal, error) && lock(journal, error);
    good = good && (resume ? read_back(journal, error) : must_be_empty(journal, error));
    /* Closing any descriptor of the file, as read_back() does, releases the lock. */
    good = good && lock(journal, error);
    if (good)
        return journal;
    journal_close(journal);
    return NULL;
}

size_t journal_others(const Journal *journal) {
    return journal->others;
}

bool journal_add(Journal *journal, const char *line, JmError *error) {
    char *text = memory_text("%s\n", line);
    const bool good = pool_write_all(journal->descriptor, text, strlen(text)) &&
                      fsync(journal->descriptor) == 0;
    free(text);
    return good || fail(journal, "write", error);
}

void journal_close(Journal *journal) {
    if (!journal)
        return;
    if (journal->descriptor >= 0)
        close(journal->descriptor);
    free(journal);
}
