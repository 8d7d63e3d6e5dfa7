/* Displays: expressions that are shown whenever the machine stops. */
#include <string.h>

#include "emu/debug/talk/commands.h"
#include "emu/debug/values/format.h"
#include "emu/debug/values/values.h"

void display_free(Display *display) {
    heap_free(display->text);
}

/* A display without a value at this stop says so; that is not an error. */
static void say_display(JmDebug *d, const Display *display) {
    Value value;
    say(d, "%u: %s = ", display->id, display->text);
    Reason why = "";
    if (evaluate_quietly(d, display->text, d->node, NULL, &value, why))
        say_value(d, &value, display->format);
    else
        say(d, "no value here: %s", why);
    say(d, "\n");
}

void displays_say(JmDebug *d) {
    for (size_t i = 0; i < d->values->display_count; i++)
        say_display(d, &d->values->displays[i]);
}

void info_displays(JmDebug *d, const char *part) {
    (void)part;
    if (!d->values->display_count)
        say(d, "no displays\n");
    for (size_t i = 0; i < d->values->display_count; i++)
        say(d, "%3u %s, %s\n", d->values->displays[i].id, d->values->displays[i].text,
            format_name(d->values->displays[i].format));
}

bool cmd_display(JmDebug *d, Args *args) {
    Display display = {.format = FORMAT_WORD};
    bool foreign;
    if (!take_slash(args, NULL, &display.format))
        return false;
    if (at_end(args)) {
        displays_say(d);
        return true;
    }
    if (!check_expression(args, false, &display.text, &foreign))
        return false;
    take_format(args, &display.format);
    if (!at_end(args)) {
        display_free(&display);
        return fail_at(args, args->at,
                       "an operator or a format (word dec hex bin char addr code) "
                       "expected");
    }
    display.id = ++d->values->last_display;
    d->values->displays =
        text_grow(d->heap, d->values->displays, d->values->display_count,
                  &d->values->display_capacity, sizeof *d->values->displays);
    d->values->displays[d->values->display_count++] = display;
    say_display(d, &display);
    return true;
}

static void delete_display(JmDebug *d, size_t index) {
    display_free(&d->values->displays[index]);
    d->values->display_count--;
    memmove(&d->values->displays[index], &d->values->displays[index + 1],
            (d->values->display_count - index) * sizeof *d->values->displays);
}

/* Goes from the last display to the first, because deleting moves those behind. */
bool cmd_undisplay(JmDebug *d, Args *args) {
    int64_t id;
    skip_blanks(args);
    const char *at = args->at;
    if (!take_optional(args, "a display", 1, UINT32_MAX, 0, &id) || !expect_end(args))
        return false;
    for (size_t i = d->values->display_count; i-- > 0;) {
        if (id && d->values->displays[i].id != (unsigned)id)
            continue;
        delete_display(d, i);
        if (id)
            return true;
    }
    return !id || fail_at(args, at, "there is no display %" PRId64, id);
}
