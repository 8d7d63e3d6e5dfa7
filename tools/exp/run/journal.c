/* The journal of a sweep: appending whole lines, and reading them back. */
#include "tools/exp/run/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { JOURNAL_PATH_MAX = 4096 };

struct Journal {
    int descriptor;
    char path[JOURNAL_PATH_MAX];
};

static bool fail(const Journal *journal, const char *what, JmError *error) {
    return jm_fail(error, journal->path, "cannot %s: %s", what, strerror(errno));
}

/* Refuses a pipe or device: reading it back might never end. */
static bool is_regular(const Journal *journal, JmError *error) {
    struct stat status;
    return (fstat(journal->descriptor, &status) == 0 && S_ISREG(status.st_mode)) ||
           jm_fail(error, journal->path, "this is no regular file");
}

/* Takes a lock, since two sweeps must not write to one journal. */
static bool lock(Journal *journal, JmError *error) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(journal->descriptor, F_SETLK, &lock) == 0 ||
           jm_fail(error, journal->path, "another jm exp is at work here");
}

/* Gives a record to its run. A record of another version of jm or of another sweep is
 * skipped, and so is a second record of a run. False if it is no record of a run. */
static bool take(Campaign *campaign, json_t *record) {
    const char *key = json_string_value(json_object_get(record, "key"));
    const char *version = json_string_value(json_object_get(record, "version"));
    if (!key || !version)
        return false;
    Run *run = strcmp(version, JM_VERSION) == 0 ? campaign_run(campaign, key) : NULL;
    if (run && !run->record)
        run->record = json_incref(record);
    return true;
}

/* Reads all whole lines and truncates the file behind them. */
static bool read_lines(Journal *journal, FILE *file, Campaign *campaign,
                       JmError *error) {
    char *line = NULL;
    size_t size = 0;
    off_t whole = 0;
    int number = 0;
    bool good = true;
    ssize_t length;
    while (good && (length = getline(&line, &size, file)) > 0) {
        number++;
        if (line[length - 1] != '\n')
            break;
        json_error_t why;
        json_t *record = json_loadb(line, (size_t)length, 0, &why);
        good = (record && take(campaign, record)) ||
               jm_fail_line(error, journal->path, number, 0,
                            "this is no record of a run: %s",
                            record ? "no key or version" : why.text);
        json_decref(record);
        whole += length;
    }
    free(line);
    if (good && ferror(file))
        return fail(journal, "read", error);
    return good &&
           (ftruncate(journal->descriptor, whole) == 0 || fail(journal, "cut", error));
}

static bool read_back(Journal *journal, Campaign *campaign, JmError *error) {
    FILE *file = fopen(journal->path, "r");
    if (!file)
        return fail(journal, "read", error);
    const bool good = read_lines(journal, file, campaign, error);
    fclose(file);
    return good;
}

static bool must_be_empty(const Journal *journal, JmError *error) {
    return lseek(journal->descriptor, 0, SEEK_END) == 0 ||
           jm_fail(error, journal->path,
                   "holds the runs of an earlier sweep: continue it with --resume, or "
                   "choose another --out");
}

Journal *journal_open(const char *folder, bool resume, Campaign *campaign,
                      JmError *error) {
    Journal *journal = calloc(1, sizeof *journal);
    if (!journal) {
        jm_fail(error, folder, "no memory");
        return NULL;
    }
    snprintf(journal->path, sizeof journal->path, "%s/" JOURNAL_NAME, folder);
    journal->descriptor = open(journal->path, O_RDWR | O_CREAT | O_APPEND, 0666);
    bool good = journal->descriptor >= 0 || fail(journal, "open", error);
    good = good && is_regular(journal, error) && lock(journal, error);
    good = good && (resume ? read_back(journal, campaign, error)
                           : must_be_empty(journal, error));
    /* Closing any descriptor of the file, as read_back() does, gives the lock back. */
    good = good && lock(journal, error);
    if (good)
        return journal;
    journal_close(journal);
    return NULL;
}

bool journal_add(Journal *journal, const char *line, JmError *error) {
    const size_t length = strlen(line);
    char *text = malloc(length + 2);
    if (!text)
        return jm_fail(error, journal->path, "no memory");
    memcpy(text, line, length);
    text[length] = '\n';
    size_t done = 0;
    while (done < length + 1) {
        const ssize_t count =
            write(journal->descriptor, text + done, length + 1 - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        done += (size_t)count;
    }
    free(text);
    return (done == length + 1 && fsync(journal->descriptor) == 0) ||
           fail(journal, "write", error);
}

void journal_close(Journal *journal) {
    if (!journal)
        return;
    if (journal->descriptor >= 0)
        close(journal->descriptor);
    free(journal);
}
