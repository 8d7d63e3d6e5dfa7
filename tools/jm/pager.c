/* Runs a pager; see pager.h. popen() would give the pager our signal mask: no signal
 * could end it then. */
#include "tools/jm/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/host/signals.h"

static _Noreturn void become_pager(int input) {
    const char *pager = getenv("PAGER");
    dup2(input, STDIN_FILENO);
    close(input);
    signals_release();
    execl("/bin/sh", "sh", "-c", pager && *pager ? pager : "less -FRX", (char *)NULL);
    _exit(127);
}

bool pager_show(const char *text, size_t length) {
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
        become_pager(ends[0]);
    close(ends[0]);
    FILE *pipe = child < 0 ? NULL : fdopen(ends[1], "w");
    if (!pipe) {
        close(ends[1]);
    } else {
        fwrite(text, 1, length, pipe);
        fclose(pipe);
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    return pipe != NULL;
}
