/* Writes gnuplot scripts, runs them, and prepares the pictures for a page. */
#include "tools/report/draw/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/host/memory.h"
#include "tools/host/signals.h"
#include "tools/report/files/folder.h"

/* ---- scripts --------------------------------------------------------------------- */

enum { ID_SIZE = 64 };

typedef struct {
    int width, height;
} Size;

enum { MAPS_ACROSS = 3, MODELS_ROWS = 6, CURVE_ROWS = 3 };

/* Returns the points that rows of a key beyond the usual ones take. */
static int more_rows(unsigned rows, unsigned usual, int points) {
    return rows > usual ? (int)(rows - usual) * points : 0;
}

/* Maps stand side by side, in rows of MAPS_ACROSS; each is square, and planes are drawn
 * together with their names above. Models with the machine have many curves to name. */
static Size size_of(const char *template, Room room) {
    const int maps = room.maps ? (int)room.maps : 1;
    const int down = (maps + MAPS_ACROSS - 1) / MAPS_ACROSS;
    if (strcmp(template, "planes") == 0)
        return (Size){720, 300 * down};
    if (strcmp(template, "map") == 0)
        return (Size){350 * (maps < MAPS_ACROSS ? maps : MAPS_ACROSS), 350 * down};
    if (strcmp(template, "groups") == 0)
        return (Size){720, 420 + more_rows(room.key_rows, CURVE_ROWS, 18)};
    if (strcmp(template, "models") == 0)
        return (Size){520, 440 + more_rows(room.key_rows, MODELS_ROWS, 15)};
    return (Size){520, 350 + more_rows(room.key_rows, CURVE_ROWS, 18)};
}

/* Writes the terminal of a picture. Both pictures have the same proportions;
 * gnuplot_run() defines `part`. */
static void put_terminal(FILE *out, const char *name, const char *kind,
                         const char *terminal, const char *font, Size size) {
    const int scale = strcmp(kind, "png") == 0 ? 2 : 1;
    fprintf(out, "set terminal %s size %d,%d %s\n", terminal, size.width * scale,
            size.height * scale, font);
    fprintf(out, "set output '%s.%s'.(exists('part') ? part : '')\n", name, kind);
}

/* Gives the ids in gnuplot's SVG a form that it accepts: letters, digits and `_`. */
static void id_of(const char *name, char *id) {
    snprintf(id, ID_SIZE, "%.60s", name);
    for (char *at = id; *at; at++)
        *at = *at == '-' ? '_' : *at;
}

/* The drawing is made once; the second terminal gets it by `replot`. */
void gnuplot_script(FILE *out, const char *template, const char *name, Room room) {
    const Size size = size_of(template, room);
    char *style = embedded_text("style", ".gp");
    char *body = embedded_text(template, ".gp");
    char font[160], id[ID_SIZE];
    id_of(name, id);
    snprintf(font, sizeof font, "dynamic font 'sans-serif,13' name '%s'", id);
    put_terminal(out, name, "svg", "svg", font, size);
    fprintf(out, "%s\n%s\n", style, body);
    put_terminal(out, name, "png", "pngcairo", "font 'sans,13' fontscale 1.6", size);
    fputs("replot\nset output\n", out);
    free(style);
    free(body);
}

/* ---- running --------------------------------------------------------------------- */

/* Prepares a child for gnuplot. Its warnings are dropped: they are about missing data,
 * and the script of a folder remains for inspection. */
static void prepare_child(void) {
    signals_release();
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* so that it ends if jm is killed */
    const int nothing = open("/dev/null", O_WRONLY);
    if (nothing >= 0)
        dup2(nothing, STDERR_FILENO);
}

/* Executes gnuplot on a script of a folder or, without one, on what `in` holds; then
 * what it prints goes to `output`. `-d` keeps settings of the user and of the folder
 * from changing the figures. */
static _Noreturn void become_gnuplot(const char *folder, const char *script, FILE *in,
                                     int output) {
    prepare_child();
    if (script && chdir(folder) == 0)
        execlp("gnuplot", "gnuplot", "-d", "-e", "part = '.part'", script,
               (char *)NULL);
    if (!script && dup2(fileno(in), STDIN_FILENO) >= 0 &&
        dup2(output, STDOUT_FILENO) >= 0)
        execlp("gnuplot", "gnuplot", "-d", "-", (char *)NULL);
    _exit(errno == ENOENT ? 127 : 126);
}

/* Copies `input` to `out` until its end or a signal. */
static void copy(int input, FILE *out) {
    char bytes[4096];
    ssize_t count = 1;
    while (count > 0 && signals_wait(input)) {
        count = read(input, bytes, sizeof bytes);
        if (count > 0 && out)
            fwrite(bytes, 1, (size_t)count, out);
    }
}

/* Runs gnuplot to its end, or kills it when a signal asks this program to end. Returns
 * its status from waitpid(); -1: it could not be started. It waits for the end of a
 * pipe that gnuplot holds open: by its output, or unknowingly. */
static int run_gnuplot(const char *folder, const char *script, FILE *in, FILE *out) {
    int ends[2], status = -1;
    if (pipe(ends) != 0)
        return -1;
    const pid_t child = fork();
    if (child == 0)
        become_gnuplot(folder, script, in, ends[1]);
    close(ends[1]);
    if (child > 0)
        copy(ends[0], out);
    close(ends[0]);
    if (child > 0 && signals_pending())
        kill(child, SIGKILL);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/* Removes a file left by a killed run: gnuplot would write through a link. */
static void remove_part(const char *folder, const char *name, const char *part) {
    char *path = folder_path(folder, name, part);
    unlink(path);
    free(path);
}

/* Whether the end of a picture is there: gnuplot reports no error if the disk is full.
 */
static bool is_whole(const char *path, const char *kind) {
    const bool svg = strcmp(kind, ".svg") == 0;
    const char *end = svg ? "</svg>" : "IEND";
    char tail[32] = "";
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    size_t size = 0;
    if (fseek(file, -(long)(sizeof tail - 1), SEEK_END) == 0)
        size = fread(tail, 1, sizeof tail - 1, file);
    fclose(file);
    bool found = false;
    for (size_t i = 0; i + strlen(end) <= size; i++)
        found |= memcmp(tail + i, end, strlen(end)) == 0;
    return found;
}

/* Renames a picture to its final name if it is complete. */
static bool publish(const char *folder, const char *name, const char *kind, bool good,
                    JmError *error) {
    char part[16];
    snprintf(part, sizeof part, "%s.part", kind);
    char *from = folder_path(folder, name, part);
    char *to = folder_path(folder, name, kind);
    if (good && !is_whole(from, kind))
        good = jm_fail(error, to, "the picture is not whole; is the disk full?");
    if (good && rename(from, to) != 0)
        good = jm_fail(error, to, "cannot write: %s", strerror(errno));
    if (!good)
        unlink(from);
    free(from);
    free(to);
    return good;
}

static bool has_ended_well(int status) {
    return status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool is_missing(int status) {
    return status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 127;
}

static bool fail_missing(JmError *error) {
    return jm_fail(error, "gnuplot",
                   "not found; on Debian: apt-get install gnuplot-nox");
}

bool gnuplot_run(const char *folder, const char *name, JmError *error) {
    char script[80];
    snprintf(script, sizeof script, "%.64s.gp", name);
    remove_part(folder, name, ".svg.part");
    remove_part(folder, name, ".png.part");
    const int status = run_gnuplot(folder, script, NULL, NULL);
    bool good = has_ended_well(status);
    if (signals_pending())
        good = jm_fail(error, "jm exp report", "interrupted");
    else if (is_missing(status))
        fail_missing(error);
    else if (!good)
        jm_fail(error, script,
                "gnuplot could not draw this; gnuplot %s in %s "
                "shows why",
                script, folder);
    good = publish(folder, name, ".svg", good, error);
    return publish(folder, name, ".png", good, error) && good;
}

/* ---- single pictures ------------------------------------------------------------- */

void gnuplot_title(FILE *out, const char *text) {
    fputs("title_text = '", out);
    for (; *text; text++)
        fputs(*text == '\'' ? "''" : (const char[]){*text, 0}, out);
    fputs("'\n", out);
}

void gnuplot_template(FILE *out, const char *name) {
    char *body = embedded_text(name, ".gp");
    fprintf(out, "%s\n", body);
    free(body);
}

/* Runs the text of a script, and returns its malloc'ed output; NULL and `error`. */
static char *output_of(const char *script, JmError *error) {
    char *text = NULL;
    size_t size;
    FILE *in = tmpfile(), *out = memory_checked(open_memstream(&text, &size));
    int status = -1;
    if (in && fputs(script, in) >= 0 && fflush(in) == 0) {
        rewind(in);
        status = run_gnuplot(NULL, NULL, in, out);
    }
    if (in)
        fclose(in);
    fclose(out);
    if (has_ended_well(status) && !signals_pending())
        return text;
    if (is_missing(status))
        fail_missing(error);
    else
        jm_fail(error, "gnuplot",
                signals_pending() ? "interrupted" : "it could not draw this");
    free(text);
    return NULL;
}

bool gnuplot_check(JmError *error) {
    char *text = output_of("", error);
    const bool good = text;
    free(text);
    return good;
}

bool gnuplot_draw(const char *script, JmOutFile *file, JmError *error) {
    char *text = output_of(script, error);
    if (text && !strstr(text, "</svg>")) {
        jm_fail(error, file->path, "gnuplot could not draw this");
    } else if (text) {
        fputs(text, file->stream);
        free(text);
        return jm_outfile_commit(file, error);
    }
    free(text);
    jm_outfile_drop(file);
    return false;
}

/* ---- pictures in a page ---------------------------------------------------------- */

/* Returns `text` with every `old` replaced; frees `text`. */
static char *replace(char *text, const char *old, const char *before,
                     const char *after) {
    char *result = NULL;
    size_t size;
    FILE *out = memory_checked(open_memstream(&result, &size));
    const char *from = text;
    for (const char *at; (at = strstr(from, old)); from = at + strlen(old))
        fprintf(out, "%.*s%s%s", (int)(at - from), from, before, after);
    fputs(from, out);
    fclose(out);
    free(text);
    return result;
}

/* Drops the titles of the picture's parts, which a page would show as tooltips. */
static void drop_titles(char *text) {
    static const char end[] = "</title>";
    for (char *at = strstr(text, "<title>"); at; at = strstr(at, "<title>")) {
        char *behind = strstr(at, end);
        if (!behind)
            return;
        behind += sizeof end - 1;
        memmove(at, behind, strlen(behind) + 1);
    }
}

/* Returns the start of the drawing, behind the prolog and the description. */
static char *body_of(const char *text) {
    const char *svg = strstr(text, "<svg");
    const char *title = svg ? strstr(svg, "<title>") : NULL;
    const char *canvas = title ? strstr(title, "<g id=") : NULL;
    if (!canvas)
        return NULL;
    char *body = memory_text("%.*s%s", (int)(title - svg), svg, canvas);
    drop_titles(body);
    return body;
}

char *gnuplot_inline(const char *folder, const char *name, const char *prefix,
                     JmError *error) {
    static const struct {
        const char *old, *before,
            *after; /* the drawing's name goes between `before` and `after` */
    } ids[] = {{"'gp", "'", "-gp"},
               {"#gp", "#", "-gp"},
               {"'textbox'", "'", "-textbox'"},
               {"'greybox'", "'", "-greybox'"},
               {"\"gnuplot_canvas\"", "\"", "-canvas\""}};
    char *text = folder_text(folder, name, ".svg", error);
    char *body = text ? body_of(text) : NULL;
    if (text && !body)
        jm_fail(error, name, "gnuplot's picture is not as expected");
    free(text);
    for (unsigned i = 0; body && i < sizeof ids / sizeof ids[0]; i++) {
        char before[96];
        snprintf(before, sizeof before, "%s%.16s%.64s", ids[i].before, prefix, name);
        body = replace(body, ids[i].old, before, ids[i].after);
    }
    char id[ID_SIZE + 1] = "\"", before[32];
    id_of(name, id + 1);
    snprintf(before, sizeof before, "\"%.16s", prefix);
    body = body ? replace(body, id, before, id + 1) : NULL;
    body = body ? replace(body, "rgb(  0,   0,   0)", "current", "Color") : NULL;
    return body ? replace(body, "rgb(0,0,0)", "current", "Color") : NULL;
}
