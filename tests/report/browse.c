/* browse CHROMIUM PROFILE PAGE STEPS: opens a page in headless Chromium and does what a
 * file says, a step a line:
 *
 *     size WIDTH HEIGHT         the window, in CSS pixels
 *     scheme light|dark         what the system prefers
 *     do EXPRESSION             runs JavaScript in the page
 *     check TEXT: EXPRESSION    fails with TEXT unless it is true; promises are awaited
 *     put FILE EXPRESSION       a text, into the folder of PROFILE
 *     key [ctrl-|shift-]NAME    presses and releases a key, as DOM names it, or Space
 *     type TEXT                 the keys of a text
 *     tab SELECTOR              Tab until the element has the focus, or fails
 *     drag|touch SELECTOR X Y   from the element's middle by so many pixels
 *     shot FILE                 a picture of the window, PNG, in the folder of PROFILE
 *
 * The browser is driven through its DevTools protocol over pipes. Errors in the page's
 * console and anything it asks the network for are failures too. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 600, LINE_SIZE = 4096, COMMANDS = 3, ANSWERS = 4, TABS_MOST = 200 };

typedef struct {
    pid_t process;
    FILE *commands, *answers;
    const char *session; /* of the page; NULL before there is one */
    json_int_t last_id;
    const char *profile;
    bool loaded;
    unsigned checks, failures;
} Browser;

static void fail(Browser *browser, const char *what, const char *detail) {
    printf("%s%s%s\n", what, *detail ? ": " : "", detail);
    browser->failures++;
}

static _Noreturn void give_up(Browser *browser, const char *why) {
    fprintf(stderr, "browse: %s\n", why);
    kill(browser->process, SIGKILL);
    exit(EXIT_FAILURE);
}

/* ---- the protocol: JSON objects that end in a zero byte -------------------------- */

/* The browser reads commands from its file 3 and writes to 4; what it says otherwise is
 * about the host, not the page. */
static void start(Browser *browser, const char *program) {
    int to[2], from[2];
    char profile[LINE_SIZE];
    snprintf(profile, sizeof profile, "--user-data-dir=%s", browser->profile);
    if (pipe(to) != 0 || pipe(from) != 0)
        give_up(browser, "no pipes");
    browser->process = fork();
    if (browser->process == 0) {
        const int in = fcntl(to[0], F_DUPFD, 10), out = fcntl(from[1], F_DUPFD, 10);
        const int nothing = open("/dev/null", O_WRONLY);
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* also when its page hangs */
        dup2(nothing, STDERR_FILENO);
        dup2(in, COMMANDS);
        dup2(out, ANSWERS);
        execlp(program, program, "--headless=new", "--no-sandbox", "--disable-gpu",
               "--no-first-run", "--disable-dev-shm-usage", "--disable-extensions",
               "--disable-background-networking", "--hide-scrollbars", profile,
               "--remote-debugging-pipe", (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    browser->commands = fdopen(to[1], "w");
    browser->answers = fdopen(from[0], "r");
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* What the page does unasked: only its loading is no failure. */
static void see_event(Browser *browser, const json_t *message) {
    const char *method = text_of(message, "method");
    const json_t *params = json_object_get(message, "params");
    if (strcmp(method, "Page.loadEventFired") == 0)
        browser->loaded = true;
    else if (strcmp(method, "Runtime.exceptionThrown") == 0)
        fail(browser, "an exception in the page",
             text_of(json_object_get(json_object_get(params, "exceptionDetails"),
                                     "exception"),
                     "description"));
    else if (strcmp(method, "Log.entryAdded") == 0 ||
             strcmp(method, "Runtime.consoleAPICalled") == 0) {
        const json_t *entry = json_object_get(params, "entry");
        if (strcmp(text_of(entry, "source"), "rendering") !=
            0) /* of the host's driver */
            fail(browser, "a message in the console", text_of(entry, "text"));
    } else if (strcmp(method, "Network.requestWillBeSent") == 0) {
        const char *url = text_of(json_object_get(params, "request"), "url");
        if (strncmp(url, "file:", 5) != 0 && strncmp(url, "data:", 5) != 0 &&
            strncmp(url, "blob:", 5) != 0)
            fail(browser, "the page asks the network for", url);
    }
}

/* Waits for as long as it takes: the alarm ends a browser that hangs. */
static json_t *next_message(Browser *browser) {
    char *bytes = NULL;
    size_t size = 0;
    if (getdelim(&bytes, &size, '\0', browser->answers) <= 0)
        give_up(browser, "the browser has ended");
    json_t *message = json_loads(bytes, 0, NULL);
    free(bytes);
    return message;
}

/* Sends a command and waits for its result; `params` is consumed. */
static json_t *call(Browser *browser, const char *method, json_t *params) {
    const json_int_t id = ++browser->last_id;
    json_t *message = json_pack("{s:I, s:s, s:o}", "id", id, "method", method, "params",
                                params ? params : json_object());
    if (browser->session)
        json_object_set_new(message, "sessionId", json_string(browser->session));
    json_dumpf(message, browser->commands, JSON_COMPACT);
    putc('\0', browser->commands);
    fflush(browser->commands);
    json_decref(message);
    for (;;) {
        message = next_message(browser);
        if (json_integer_value(json_object_get(message, "id")) == id)
            break;
        see_event(browser, message);
        json_decref(message);
    }
    if (json_object_get(message, "error"))
        give_up(browser, text_of(json_object_get(message, "error"), "message"));
    json_t *result = json_incref(json_object_get(message, "result"));
    json_decref(message);
    return result;
}

static void tell(Browser *browser, const char *method, json_t *params) {
    json_decref(call(browser, method, params));
}

/* ---- steps ----------------------------------------------------------------------- */

/* The value of an expression in the page; NULL and a failure if it throws. */
static json_t *evaluate(Browser *browser, const char *expression) {
    json_t *result = call(browser, "Runtime.evaluate",
                          json_pack("{s:s, s:b, s:b}", "expression", expression,
                                    "awaitPromise", 1, "returnByValue", 1));
    const json_t *thrown = json_object_get(result, "exceptionDetails");
    json_t *value = NULL;
    if (thrown)
        fail(browser, expression,
             text_of(json_object_get(thrown, "exception"), "description"));
    else
        value =
            json_incref(json_object_get(json_object_get(result, "result"), "value"));
    json_decref(result);
    return value;
}

static void step_do(Browser *browser, const char *rest) {
    json_decref(evaluate(browser, rest));
}

static void step_check(Browser *browser, const char *rest) {
    const char *colon = strstr(rest, ": ");
    if (!colon)
        give_up(browser, "check TEXT: EXPRESSION");
    char text[LINE_SIZE];
    snprintf(text, sizeof text, "%.*s", (int)(colon - rest), rest);
    json_t *value = evaluate(browser, colon + 2);
    browser->checks++;
    const bool nothing = json_is_string(value) && json_string_length(value) == 0;
    if (!json_is_true(value) && !nothing) {
        char *shown = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
        fail(browser, text, shown ? shown : "no value");
        free(shown);
    }
    json_decref(value);
}

static void step_put(Browser *browser, const char *rest) {
    char path[2 * LINE_SIZE];
    const size_t length = strcspn(rest, " ");
    snprintf(path, sizeof path, "%s/../%.*s", browser->profile, (int)length, rest);
    json_t *value = evaluate(browser, rest + length);
    FILE *out = fopen(path, "w");
    if (!out)
        give_up(browser, path);
    if (json_is_string(value))
        fputs(json_string_value(value), out);
    else
        fail(browser, rest, "it is no text");
    fclose(out);
    json_decref(value);
}

static void step_size(Browser *browser, const char *rest) {
    int width = 0, height = 0;
    sscanf(rest, "%d %d", &width, &height);
    tell(browser, "Emulation.setDeviceMetricsOverride",
         json_pack("{s:i, s:i, s:i, s:b}", "width", width, "height", height,
                   "deviceScaleFactor", 1, "mobile", width < 600));
}

static void step_scheme(Browser *browser, const char *rest) {
    tell(browser, "Emulation.setEmulatedMedia",
         json_pack("{s:[{s:s, s:s}]}", "features", "name", "prefers-color-scheme",
                   "value", rest));
}

/* Keys that do something by themselves need their code; letters need a text. */
static const struct {
    const char *name;
    int code;
    const char *text;
} key_codes[] = {
    {"Tab", 9, ""},         {"Enter", 13, "\r"},   {"Escape", 27, ""},
    {" ", 32, " "},         {"ArrowLeft", 37, ""}, {"ArrowUp", 38, ""},
    {"ArrowRight", 39, ""}, {"ArrowDown", 40, ""},
};
enum { KEY_CODES = sizeof key_codes / sizeof key_codes[0], CTRL = 2, SHIFT = 8 };

/* `modifiers`: CTRL, SHIFT or none. */
static void press(Browser *browser, const char *name, int modifiers) {
    const char *text = name[1] || modifiers & CTRL ? "" : name;
    int code =
        !name[1] && isalnum((unsigned char)*name) ? toupper((unsigned char)*name) : 0;
    for (unsigned i = 0; i < KEY_CODES; i++)
        if (strcmp(key_codes[i].name, name) == 0) {
            code = key_codes[i].code;
            text = key_codes[i].text;
        }
    tell(browser, "Input.dispatchKeyEvent",
         json_pack("{s:s, s:s, s:s, s:i, s:i}", "type",
                   *text ? "keyDown" : "rawKeyDown", "key", name, "text", text,
                   "windowsVirtualKeyCode", code, "modifiers", modifiers));
    tell(browser, "Input.dispatchKeyEvent",
         json_pack("{s:s, s:s, s:i, s:i}", "type", "keyUp", "key", name,
                   "windowsVirtualKeyCode", code, "modifiers", modifiers));
}

static void step_key(Browser *browser, const char *rest) {
    const int modifiers = strncmp(rest, "ctrl-", 5) == 0    ? CTRL
                          : strncmp(rest, "shift-", 6) == 0 ? SHIFT
                                                            : 0;
    const char *name = modifiers ? strchr(rest, '-') + 1 : rest;
    press(browser, strcmp(name, "Space") == 0 ? " " : name, modifiers);
}

static void step_type(Browser *browser, const char *rest) {
    for (; *rest; rest++)
        press(browser, (char[2]){*rest}, 0);
}

static void step_tab(Browser *browser, const char *rest) {
    char expression[LINE_SIZE];
    snprintf(expression, sizeof expression, "document.activeElement.matches('%s')",
             rest);
    browser->checks++;
    for (unsigned i = 0; i < TABS_MOST; i++) {
        press(browser, "Tab", 0);
        json_t *value = evaluate(browser, expression);
        const bool there = json_is_true(value);
        json_decref(value);
        if (there)
            return;
    }
    fail(browser, "Tab does not lead to", rest);
}

typedef struct {
    double x, y, dx, dy;
} Path;

/* "SELECTOR X Y": the element is brought into the window first. */
static Path path_of(Browser *browser, const char *rest) {
    char selector[256], expression[LINE_SIZE];
    Path path = {0};
    sscanf(rest, "%255s %lf %lf", selector, &path.dx, &path.dy);
    snprintf(expression, sizeof expression,
             "(() => { const e = document.querySelector('%s');"
             "e.scrollIntoView({block: 'center', behavior: 'instant'});"
             "const r = e.getBoundingClientRect();"
             "return [r.x + r.width / 2, r.y + r.height / 2]; })()",
             selector);
    json_t *middle = evaluate(browser, expression);
    path.x = json_number_value(json_array_get(middle, 0));
    path.y = json_number_value(json_array_get(middle, 1));
    json_decref(middle);
    return path;
}

static void mouse(Browser *browser, const char *type, double x, double y) {
    tell(browser, "Input.dispatchMouseEvent",
         json_pack("{s:s, s:f, s:f, s:s, s:i, s:i}", "type", type, "x", x, "y", y,
                   "button", "left", "buttons", 1, "clickCount", 1));
}

/* In two moves, as hands do. */
static void step_drag(Browser *browser, const char *rest) {
    const Path path = path_of(browser, rest);
    mouse(browser, "mousePressed", path.x, path.y);
    mouse(browser, "mouseMoved", path.x + path.dx / 2, path.y + path.dy / 2);
    mouse(browser, "mouseMoved", path.x + path.dx, path.y + path.dy);
    mouse(browser, "mouseReleased", path.x + path.dx, path.y + path.dy);
}

static void finger(Browser *browser, const char *type, double x, double y) {
    json_t *points = json_array();
    if (strcmp(type, "touchEnd") != 0)
        json_array_append_new(points, json_pack("{s:f, s:f}", "x", x, "y", y));
    tell(browser, "Input.dispatchTouchEvent",
         json_pack("{s:s, s:o}", "type", type, "touchPoints", points));
}

static void step_touch(Browser *browser, const char *rest) {
    const Path path = path_of(browser, rest);
    finger(browser, "touchStart", path.x, path.y);
    finger(browser, "touchMove", path.x + path.dx / 2, path.y + path.dy / 2);
    finger(browser, "touchMove", path.x + path.dx, path.y + path.dy);
    finger(browser, "touchEnd", 0, 0);
}

/* Base 64 as the protocol has it: no blanks, well formed. */
static void put_decoded(FILE *out, const char *text) {
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned bits = 0, count = 0;
    for (; *text && *text != '='; text++) {
        bits = bits << 6 | (unsigned)(strchr(digits, *text) - digits);
        count += 6;
        if (count >= 8) {
            count -= 8;
            putc((int)(bits >> count & 0xFF), out);
        }
    }
}

static void step_shot(Browser *browser, const char *rest) {
    char path[2 * LINE_SIZE];
    snprintf(path, sizeof path, "%s/../%s", browser->profile, rest);
    json_t *result =
        call(browser, "Page.captureScreenshot", json_pack("{s:s}", "format", "png"));
    FILE *out = fopen(path, "wb");
    if (!out)
        give_up(browser, path);
    put_decoded(out, text_of(result, "data"));
    fclose(out);
    json_decref(result);
}

static const struct {
    const char *name;
    void (*take)(Browser *browser, const char *rest);
} steps[] = {{"do", step_do},         {"check", step_check}, {"size", step_size},
             {"scheme", step_scheme}, {"key", step_key},     {"drag", step_drag},
             {"touch", step_touch},   {"shot", step_shot},   {"put", step_put},
             {"type", step_type},     {"tab", step_tab}};
enum { STEPS = sizeof steps / sizeof steps[0] };

static void take_step(Browser *browser, char *line) {
    line[strcspn(line, "\n")] = '\0';
    if (!*line || *line == '#')
        return;
    const size_t length = strcspn(line, " ");
    const char *rest = line + length + (line[length] == ' ');
    line[length] = '\0';
    for (unsigned i = 0; i < STEPS; i++)
        if (strcmp(steps[i].name, line) == 0) {
            steps[i].take(browser, rest);
            return;
        }
    give_up(browser, line);
}

/* ---- sessions -------------------------------------------------------------------- */

/* Events are asked for before the page is opened, so that none is missed. */
static json_t *open_page(Browser *browser, const char *page) {
    char url[2 * LINE_SIZE];
    snprintf(url, sizeof url, "file://%s", page);
    json_t *target =
        call(browser, "Target.createTarget", json_pack("{s:s}", "url", "about:blank"));
    json_t *session = call(
        browser, "Target.attachToTarget",
        json_pack("{s:s, s:b}", "targetId", text_of(target, "targetId"), "flatten", 1));
    json_decref(target);
    browser->session = text_of(session, "sessionId");
    const char *const domains[] = {"Page", "Runtime", "Log", "Network"};
    for (unsigned i = 0; i < sizeof domains / sizeof domains[0]; i++) {
        char method[32];
        snprintf(method, sizeof method, "%s.enable", domains[i]);
        tell(browser, method, NULL);
    }
    tell(browser, "Page.navigate", json_pack("{s:s}", "url", url));
    while (!browser->loaded) {
        json_t *message = next_message(browser);
        see_event(browser, message);
        json_decref(message);
    }
    return session;
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fputs("usage: browse CHROMIUM PROFILE PAGE STEPS\n", stderr);
        return 2;
    }
    alarm(SECONDS); /* ends this program, and that the browser */
    Browser browser = {.profile = argv[2]};
    FILE *script = fopen(argv[4], "r");
    if (!script) {
        fprintf(stderr, "browse: %s: %s\n", argv[4], strerror(errno));
        return 2;
    }
    start(&browser, argv[1]);
    json_t *session = open_page(&browser, argv[3]);
    char line[LINE_SIZE];
    while (fgets(line, sizeof line, script))
        take_step(&browser, line);
    fclose(script);
    browser.session = NULL;
    tell(&browser, "Browser.close", NULL);
    waitpid(browser.process, NULL, 0);
    json_decref(session);
    fclose(browser.commands);
    fclose(browser.answers);
    printf("%u checks of the page in a browser, %u failures\n", browser.checks,
           browser.failures);
    return browser.failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
