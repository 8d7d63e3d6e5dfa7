/* `backtrace`: what a node is in the middle of. A processor has no call stack; its
 * unfinished work is the task that another priority interrupted, and the background. A
 * task began because of its message, so that is shown, too. */
#include <string.h>

#include "emu/debug/look/look.h"
#include "emu/debug/past/track.h"
#include "emu/debug/talk/names.h"

/* Returns the address at which an interrupted context resumes. */
static uint32_t address_in(const JmDebug *d, unsigned node, JmContext context) {
    const Context *c = &node_at(d, node)->context[context];
    const uint32_t ip = jm_data(c->ip);
    const uint32_t base = ip & JM_IP_ABSOLUTE ? 0 : jm_field20(jm_data(c->a[0]));
    return (base + jm_field20(ip)) & JM_ADDRESS_MASK;
}

/* Prints which message began a task, found by replay. */
static void say_beginning(JmDebug *d, unsigned node, unsigned priority) {
    Track origin = {.state = TRACK_NONE};
    if (d->past->travel.off)
        return;
    Here here = travel_leave(d);
    const bool good = origin_of_task(d, node, priority, d->machine->now, &origin);
    travel_return(d, &here);
    if (good)
        say_origin(d, &origin);
}

static void say_interrupted(JmDebug *d, unsigned frame, unsigned node,
                            JmContext context) {
    static const char *const names[] = {"the task of priority 0",
                                        "the task of priority 1", "background"};
    char place[LONG_TEXT];
    say(d, "#%u  %s, interrupted before %s\n", frame, names[context],
        place_text(d, address_in(d, node, context), true, place, sizeof place));
}

/* Prints the running context, then those it has interrupted, the most urgent first. */
static void say_backtrace(JmDebug *d, unsigned node) {
    static const JmContext order[] = {JM_CONTEXT_1, JM_CONTEXT_0,
                                      JM_CONTEXT_BACKGROUND};
    const Node *n = node_at(d, node);
    const JmContext running = jm_running(d->machine, node);
    unsigned frame = 0;
    say(d, "#%u  ", frame++);
    say_next(d, node);
    if (running != JM_CONTEXT_BACKGROUND)
        say_beginning(d, node, running);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const JmContext context = order[i];
        const bool task = context != JM_CONTEXT_BACKGROUND;
        if (context == running || (task && !n->priority[context].active))
            continue;
        say_interrupted(d, frame++, node, context);
        if (task)
            say_beginning(d, node, context);
    }
}

bool cmd_backtrace(JmDebug *d, Args *args) {
    (void)d;
    return for_nodes(args, say_backtrace, NULL);
}
