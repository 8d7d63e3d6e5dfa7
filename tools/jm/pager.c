/* Runs a pager or the shell; see pager.h. popen() and system() would give them our
 * signal mask: no signal could end them then. */
#include "tools/jm/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/host/signals.h"

/* Makes a child the shell that does a line, with `input` as its standard input. */
static _Noreturn void become_shell(const char *line, int input) {
    if (input != STDIN_FILENO) {
        dup2(input, STDIN_FILENO);
        close(input);
    }
    signals_release();
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(127);
}

/* Waits for the end of a child and returns its status as a shell does; -1: there is no
 * child. */
static int wait_for(pid_t child) {
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (child <= 0)
        return -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int shell_do(const char *line, bool quiet_input) {
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
        become_shell(line, quiet_input ? open("/dev/null", O_RDONLY) : STDIN_FILENO);
    return wait_for(child);
}

bool pager_show(const char *text, size_t length) {
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const char *pager = getenv("PAGER");
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
        become_shell(pager && *pager ? pager : "less -FRX", ends[0]);
    close(ends[0]);
    FILE *pipe = child < 0 ? NULL : fdopen(ends[1], "w");
    if (!pipe) {
        close(ends[1]);
    } else {
        fwrite(text, 1, length, pipe);
        fclose(pipe);
    }
    wait_for(child);
    return pipe != NULL;
}
