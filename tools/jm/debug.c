/* The command `jm debug`: connects the debugger's engine (emu/debug) to a terminal or
 * to pipes. Everything that needs a terminal, signals or files is here: completion,
 * history, the pager, interrupts, scripts. */
#include <errno.h>
#include <fcntl.h>
#include <readline/history.h>
#include <readline/readline.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emu/core/sourcetext.h"
#include "emu/debug/debug.h"
#include "tools/host/host.h"
#include "tools/host/memory.h"
#include "tools/host/progress.h"
#include "tools/host/signals.h"
#include "tools/jm/commands.h"
#include "tools/jm/options/options.h"
#include "tools/jm/setup.h"
#include "tools/jm/version.h"

/* LINES_BYTES_MAX: longest line in bytes; input may have no newline and no end. */
enum { PIECE_BYTES = 65536, LINES_BYTES_MAX = 1 << 20 };
enum { STARTS_MAX = 64, HISTORY_LINES = 2000, PATH_SIZE = 4096, OPTION_COLUMN = 17 };

/* The bytes of an input that is no terminal that have been read but not yet returned;
 * all zero to begin with. */
typedef struct {
    MemoryBytes text;
    bool begun; /* the first line has been returned */
    bool ended;
    bool too_long; /* a line was longer than LINES_BYTES_MAX: reading has ended */
} Lines;

/* A command-line action to do before the first prompt (-x, -ex). */
typedef struct {
    bool is_file; /* false: `text` is a command; true: the name of a file of commands */
    const char *text;
} Start;

/* A session of `jm debug`. */
typedef struct {
    RunOptions options;
    JmMachine *machine;
    JmDebug *debug;
    bool interactive; /* standard input and output are terminals */
    bool no_init, failed, interrupted;
    int signal; /* signal other than SIGINT that ends the session; 0: none */
    Start starts[STARTS_MAX];
    unsigned start_count;
    Lines lines;
    MemoryBytes
        page; /* output of a command; whole, because long output needs a pager */
    char history[PATH_SIZE];
} Session;

/* This file's only mutable variable at file scope: readline calls the completing
 * function without a context, so the debugger has to be found without one. Set when a
 * session on a terminal begins; only complete() reads it. */
static const JmDebug *completed;

/* ---- other programs -------------------------------------------------------------- */

/* popen() and system() would give a pager and the shell our signal mask: no signal
 * could end them then. */

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

/* Does a line by the shell. With `quiet_input` there is nothing for it to read. Returns
 * its status, as a shell gives it: 128 + n if signal n ended it; -1 if it cannot be
 * started. */
static int shell_do(const char *line, bool quiet_input) {
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
        become_shell(line, quiet_input ? open("/dev/null", O_RDONLY) : STDIN_FILENO);
    return wait_for(child);
}

/* Runs $PAGER, or less, on the text and waits for its end. Returns false if it cannot
 * be started. */
static bool pager_show(const char *text, size_t length) {
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

/* ---- input that is no terminal --------------------------------------------------- */

/* Signals are held: only the wait for a line can be interrupted. */

/* Waits for bytes and reads a piece. False if a signal came. */
static bool read_more(Lines *lines) {
    char *piece = memory_room(&lines->text, PIECE_BYTES);
    fflush(stdout);
    if (!signals_wait(STDIN_FILENO))
        return false;
    const ssize_t got = read(STDIN_FILENO, piece, PIECE_BYTES);
    lines->ended = got == 0 || (got < 0 && errno != EINTR);
    lines->text.length += got > 0 ? (size_t)got : 0;
    return true;
}

/* Removes the first `length` bytes, and the newline after them if there is one, and
 * returns them as a text. */
static char *take_line(Lines *lines, size_t length) {
    const size_t taken = length + (length < lines->text.length);
    char *line = memory_checked(malloc(length + 1));
    const size_t mark = lines->begun ? 0 : jm_text_mark(lines->text.bytes, length);
    lines->begun = true;
    for (size_t i = mark; i < length; i++)
        line[i - mark] = lines->text.bytes[i] ? lines->text.bytes[i] : '?';
    line[length - mark] = '\0';
    lines->text.length -= taken;
    memmove(lines->text.bytes, lines->text.bytes + taken, lines->text.length);
    return line;
}

/* Returns the next line without its newline, malloc'ed. Returns NULL at the end, after
 * a line that is too long, or (`*interrupted`) if a signal came before or during the
 * wait. Zero bytes become question marks, so that the rest of the line is not lost.
 * Standard output is flushed before the wait, because the process that writes the lines
 * may be waiting for it. */
static char *next_line(Lines *lines, bool *interrupted) {
    for (size_t seen = 0;;) {
        const char *end =
            seen < lines->text.length
                ? memchr(lines->text.bytes + seen, '\n', lines->text.length - seen)
                : NULL;
        if (end)
            return take_line(lines, (size_t)(end - lines->text.bytes));
        if (lines->ended)
            return lines->text.length ? take_line(lines, lines->text.length) : NULL;
        seen = lines->text.length;
        lines->too_long = seen > LINES_BYTES_MAX;
        if (lines->too_long)
            return NULL;
        *interrupted = !read_more(lines);
        if (*interrupted)
            return NULL;
    }
}

/* ---- output ---------------------------------------------------------------------- */

static void write_out(const char *text, size_t length) {
    if (length)
        fwrite(text, 1, length, stdout);
}

/* Returns the lines of the page, to compare with the terminal's. */
static unsigned count_lines(const Session *s) {
    unsigned lines = 0;
    for (size_t i = 0; i < s->page.length; i++)
        lines += s->page.bytes[i] == '\n';
    return lines;
}

/* Prints the output of a command, through a pager if it is longer than the terminal. */
static void show_page(Session *s) {
    int rows = 0, columns = 0;
    if (s->interactive)
        rl_get_screen_size(&rows, &columns);
    const bool is_long = s->interactive && rows > 2 && count_lines(s) >= (unsigned)rows;
    if (!is_long || !pager_show(s->page.bytes, s->page.length))
        write_out(s->page.bytes, s->page.length);
    s->page.length = 0;
    fflush(stdout);
}

/* JmDebugHost.write: prints at once, or keeps the text for the pager. */
static void write_text(void *context, const char *text, size_t length) {
    Session *s = context;
    if (!s->interactive) {
        write_out(text, length);
        return;
    }
    memory_append(&s->page, text, length);
}

static void write_guest(void *context, const char *text, size_t length) {
    show_page(context);
    write_out(text, length);
    fflush(stdout);
}

/* JmDebugHost.shell. Lines that come from a pipe are not for the shell to read. */
static int do_by_shell(void *context, const char *line) {
    Session *s = context;
    show_page(s);
    return shell_do(line, !s->interactive);
}

/* ---- signals --------------------------------------------------------------------- */

/* Signals stay blocked and are polled, so that no state is shared with a handler.
 * SIGINT interrupts the current command; any other signal ends the session, as `quit`
 * does, so that traces and records are complete. */

/* Notes a signal that ends the session. */
static bool must_end(Session *s) {
    const int signal = signals_pending();
    if (signal && signal != SIGINT)
        s->signal = signal;
    return s->signal != 0;
}

/* Called some times a second while the machine runs. Shows the output so far, and
 * returns whether a signal has come. Without a terminal an interrupt ends the session
 * too. */
static bool take_interrupt(void *context) {
    Session *s = context;
    fflush(stdout); /* first: a pending interrupt ends the wait for a reader */
    const bool interrupt = signals_take_interrupt();
    s->interrupted |= interrupt;
    return must_end(s) || interrupt;
}

/* Handles signals that came between two lines or during the wait for one. */
static void look_for_signals(Session *s) {
    const bool interrupt = signals_take_interrupt();
    if (!must_end(s) && !interrupt)
        return;
    s->interrupted = true;
    write_text(s, "interrupted\n", strlen("interrupted\n"));
}

/* SIGINT may be ignored, as in a shell's background jobs, but anybody who sends it to a
 * debugger means it. */
static void hold_signals(void) {
    signal(SIGINT, SIG_DFL);
    signals_hold();
}

/* Called by readline some times a second: Ctrl-C at the prompt drops the line; another
 * signal ends it. */
static int at_prompt(void) {
    const bool interrupt = signals_take_interrupt();
    const int signal = signals_pending();
    rl_done |= signal != 0 && signal != SIGINT;
    if (!interrupt && !rl_done)
        return 0;
    rl_replace_line("", 1);
    rl_crlf();
    if (rl_done)
        return 0;
    rl_on_new_line();
    rl_redisplay();
    return 0;
}

/* ---- completion and history ------------------------------------------------------ */

static size_t common_prefix(const char *a, const char *b) {
    size_t length = 0;
    while (a[length] && a[length] == b[length])
        length++;
    return length;
}

/* The completions of a word, in the form that readline wants: their common prefix, each
 * of them, NULL. */
typedef struct {
    char **list;
    size_t count, common;
} Matches;

static void add_match(Matches *m, char *match) {
    m->list = memory_more(m->list, m->count + 2, sizeof *m->list);
    m->list[++m->count] = match;
    m->list[m->count + 1] = NULL;
    const size_t common = common_prefix(m->list[1], match);
    m->common = m->count == 1 || common < m->common ? common : m->common;
}

/* Implements readline's completing function. */
static char **complete(const char *text, int start, int end) {
    Matches m = {.list = NULL};
    char *line = memory_checked(strndup(rl_line_buffer, (size_t)end));
    char *found;
    for (unsigned i = 0; (found = jm_debug_complete(completed, line, (size_t)start, i));
         i++)
        add_match(&m, found);
    const bool files = jm_debug_completes_file(completed, line, (size_t)start);
    for (int i = 0; files && (found = rl_filename_completion_function(text, i)); i++)
        add_match(&m, found);
    rl_attempted_completion_over = 1;
    free(line);
    if (m.count)
        m.list[0] = memory_checked(strndup(m.list[1], m.common));
    return m.list;
}

/* Makes the missing folders above a file. */
static void make_folders(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
}

/* Gives the path of one of our own files: $`variable`/jm/NAME, or
 * $HOME/`below`/jm/NAME. False if neither variable is set. */
static bool own_file(const char *variable, const char *below, const char *name,
                     char path[PATH_SIZE]) {
    const char *base = getenv(variable), *home = getenv("HOME");
    if (base && *base == '/')
        return snprintf(path, PATH_SIZE, "%s/jm/%s", base, name) < PATH_SIZE;
    if (!home || *home != '/')
        return false;
    return snprintf(path, PATH_SIZE, "%s/%s/jm/%s", home, below, name) < PATH_SIZE;
}

/* Prepares readline: completion, history, and signals, which stay ours. */
static void start_readline(Session *s) {
    completed = s->debug;
    rl_readline_name = "jm";
    rl_catch_signals = 0;
    rl_event_hook = at_prompt;
    rl_attempted_completion_function = complete;
    rl_basic_word_break_characters = " \t\n";
    rl_completer_word_break_characters = " \t\n";
    using_history();
    stifle_history(HISTORY_LINES);
    if (own_file("XDG_STATE_HOME", ".local/state", "history", s->history))
        read_history(s->history);
}

/* Writes the history, so that the next session has it. */
static void end_readline(Session *s) {
    if (!*s->history || !jm_inputs_spared(jm_inputs(s->machine), s->history, NULL))
        return;
    make_folders(s->history);
    write_history(s->history);
}

/* ---- the session ----------------------------------------------------------------- */

static void keep_line(const char *line) {
    const HIST_ENTRY *last = history_length ? history_get(history_length) : NULL;
    if (*line && (!last || strcmp(last->line, line) != 0))
        add_history(line);
}

/* Reads the next line, malloc'ed; NULL at the end of input. */
static char *read_line(Session *s) {
    if (!s->interactive) {
        bool interrupted = false;
        char *next = next_line(&s->lines, &interrupted);
        if (interrupted)
            look_for_signals(s);
        if (s->lines.too_long) {
            fprintf(stderr, "jm debug: error: a line is longer than %d bytes\n",
                    LINES_BYTES_MAX);
            s->failed = true;
        }
        return next;
    }
    int rows, columns;
    char *line = readline(jm_debug_prompt(s->debug));
    rl_get_screen_size(&rows, &columns);
    jm_debug_resize(s->debug, columns > 0 ? (unsigned)columns : 80);
    if (!must_end(s))
        return line;
    free(line);
    return NULL;
}

/* On a terminal an interrupt ends scripts but not the session. */
static bool goes_on(const Session *s) {
    int status;
    return !jm_debug_has_quit(s->debug, &status) && !ferror(stdout) &&
           !s->interrupted && !s->signal;
}

/* Does lines of input until `quit`, the end of input, or a signal. */
static void converse(Session *s) {
    char *line;
    s->interrupted &= !s->interactive;
    while (goes_on(s) && (line = read_line(s))) {
        if (s->interactive) {
            keep_line(line);
            signals_take_interrupt(); /* an interrupt after the last command has nothing
                                       * left to interrupt */
        }
        s->failed |= !jm_debug_do(s->debug, line);
        if (!s->interactive)
            look_for_signals(s);
        s->interrupted &= !s->interactive;
        free(line);
        if (s->interactive)
            show_page(s);
    }
}

/* Runs the user's debugrc, then -x and -ex. */
static void run_scripts(Session *s) {
    char path[PATH_SIZE];
    if (!s->no_init && own_file("XDG_CONFIG_HOME", ".config", "debugrc", path) &&
        access(path, R_OK) == 0)
        s->failed |= !jm_debug_source(s->debug, path);
    for (unsigned i = 0; i < s->start_count && goes_on(s); i++) {
        const Start *start = &s->starts[i];
        s->failed |= !(start->is_file ? jm_debug_source(s->debug, start->text)
                                      : jm_debug_do(s->debug, start->text));
        look_for_signals(s);
    }
    if (s->interactive)
        show_page(s);
}

/* ---- options --------------------------------------------------------------------- */

/* Keeps a file or a command for the start. */
static bool add_start(Session *s, bool is_file, const char *text, JmError *error) {
    if (s->start_count == STARTS_MAX)
        return jm_fail(error, "jm debug", "more than %d times -x or -ex", STARTS_MAX);
    s->starts[s->start_count++] = (Start){is_file, text};
    return true;
}

static bool take_source(void *fields, char *argument, JmError *error) {
    return *argument && add_start(fields, true, argument, error);
}

static bool take_command(void *fields, char *argument, JmError *error) {
    return add_start(fields, false, argument, error);
}

/* Options that `jm run` does not have. */
#define OPTIONS "tools/jm/options/debug.def"
#define OPTION_FIELDS Session
#include "tools/host/option_table.def"

static const OptionSet own = {.command = "jm debug", OPTION_TABLE};

/* Prints a command and its arguments. */
static void print_command(const JmDebugCommand *command) {
    enum { ARGUMENTS_COLUMN = 20 };
    if (!*command->arguments) {
        printf("  %s\n", command->name);
        return;
    }
    printf("  %-17s ", command->name);
    print_wrapped(stdout, command->arguments, ARGUMENTS_COLUMN);
}

static void print_help(void) {
    puts("Usage: jm debug [OPTION]... PROGRAM\n"
         "Debugs a program: the options of `jm run` that prepare it (--help=options\n"
         "lists all), and");
    for (int i = 0; i < own.count; i++)
        option_row_print(stdout, &own.rows[i], OPTION_COLUMN);
    puts("\nCommands (`help COMMAND` explains one):");
    for (unsigned i = 0; jm_debug_command(i); i++)
        print_command(jm_debug_command(i));
    puts("\nExit status: that of `quit`; else 0, or 1 if a command of a script\n"
         "failed; 2 bad usage or input.");
}

/* Spells -ex as the letter that getopt_long() can read, which is no option itself. */
static bool spell_commands(int argc, char **argv, JmError *error) {
    static char letter[] = "-e";
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "-ex") == 0)
            argv[i] = letter;
        else if (strncmp(argv[i], letter, 2) == 0)
            return jm_fail(error, "jm debug", "no option '%s'; did you mean '-ex'?",
                           argv[i]);
    return true;
}

/* Parses the command line and makes the machine. False and an error. */
static bool prepare(Session *s, int argc, char **argv, JmError *error) {
    if (!spell_commands(argc, argv, error) ||
        !options_parse(&s->options, &own, s, argc, argv, error))
        return false;
    s->options.command = "jm debug";
    if (s->options.help || s->options.version)
        return true;
    if (!options_refuse(&s->options, OPTION_GROUP_OUTPUT, error))
        return false;
    s->machine = setup_machine(&s->options, error);
    if (s->machine && !setup_can_start(s->machine, &s->options))
        fprintf(stderr, "jm debug: warning: " SETUP_NO_START "\n");
    return s->machine != NULL;
}

static void close_session(Session *s) {
    jm_debug_destroy(s->debug);
    if (s->interactive)
        show_page(s);
    jm_destroy(s->machine);
    options_free(&s->options);
    free(s->page.bytes);
    free(s->lines.text.bytes);
}

/* Ends after bad usage. Options of `jm run` are reported under our own name. */
static int fail(Session *s, JmError *error) {
    if (strcmp(error->file, "jm run") == 0)
        snprintf(error->file, sizeof error->file, "jm debug");
    host_report(error);
    close_session(s);
    return EXIT_USAGE;
}

/* Whether the terminal shows colours and the user wants them (no-color.org). */
static bool wants_colour(void) {
    const char *term = getenv("TERM"), *none = getenv("NO_COLOR");
    return term && strcmp(term, "dumb") != 0 && !(none && *none);
}

static void start(Session *s) {
    s->interactive = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    int rows, columns = 0;
    if (s->interactive)
        rl_get_screen_size(&rows, &columns);
    const JmDebugHost host = {.context = s,
                              .write = write_text,
                              .guest = write_guest,
                              .interrupted = take_interrupt,
                              .clock = progress_clock,
                              .shell = do_by_shell,
                              .columns = columns > 0 ? (unsigned)columns : 80,
                              .colour = s->interactive && wants_colour()};
    if (!s->interactive)
        jm_inputs_add(jm_inputs(s->machine), "-");
    hold_signals();
    host_run_begins();
    s->debug = jm_debug_create(s->machine, &host);
    if (s->debug && s->interactive)
        start_readline(s);
}

/* Ends after memory ran out. Output so far is flushed before the message. */
static int end_starved(Session *s) {
    close_session(s);
    fflush(stdout);
    fprintf(stderr, "jm debug: error: out of memory\n");
    return HOST_MEMORY_IN_RUN;
}

int command_debug(int argc, char **argv) {
    Session s = {0};
    JmError error;
    int status;
    if (!prepare(&s, argc, argv, &error))
        return fail(&s, &error);
    if (s.options.help || s.options.version) {
        if (!options_tell(&s.options, &own, print_help, version_lines, &error))
            return fail(&s, &error);
        close_session(&s);
        return EXIT_SUCCESS;
    }
    start(&s);
    if (!s.debug)
        return end_starved(&s);
    run_scripts(&s);
    converse(&s);
    const bool quit = jm_debug_has_quit(s.debug, &status);
    if (jm_debug_starved(s.debug))
        return end_starved(&s);
    if (s.interactive)
        end_readline(&s);
    s.failed |= !jm_debug_finish(s.debug);
    const bool bad = s.failed && !s.interactive;
    const int signal = must_end(&s)                      ? s.signal
                       : s.interrupted && !s.interactive ? SIGINT
                                                         : 0;
    close_session(&s);
    if (signal)
        return 128 + signal;
    if (ferror(stdout) || fflush(stdout) != 0)
        return EXIT_USAGE;
    return quit && status ? status : bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
