/* Events as lines of a trace. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emu/machine/calls_inline.h"
#include "emu/machine/machine.h"

/* bytes of parts of a line */
enum { SYMBOL_MAX = 400, PART_MAX = 450 };

static const char *const names[JM_EVENT_COUNT] = {
    [JM_EVENT_DISPATCH] = "dispatch", [JM_EVENT_FAULT] = "fault",
    [JM_EVENT_SUSPEND] = "suspend",   [JM_EVENT_SEND] = "send",
    [JM_EVENT_ARRIVE] = "arrive",     [JM_EVENT_OVERFLOW] = "overflow",
    [JM_EVENT_RETURN] = "return",     [JM_EVENT_SPILL] = "spill",
    [JM_EVENT_BRAKE] = "brake",
};

const char *jm_event_name(JmEventKind kind) {
    return (unsigned)kind < JM_EVENT_COUNT ? names[kind] : NULL;
}

uint32_t jm_event_kinds(void) {
    uint32_t kinds = 0;
    for (unsigned kind = 0; kind < JM_EVENT_COUNT; kind++)
        kinds |= names[kind] ? UINT32_C(1) << kind : 0;
    return kinds;
}

JmEventKind jm_event_named(const char *name, size_t length) {
    unsigned kind = 0;
    assert(name);
    while (kind < JM_EVENT_COUNT && !(names[kind] && strlen(names[kind]) == length &&
                                      strncmp(names[kind], name, length) == 0))
        kind++;
    return (JmEventKind)kind;
}

/* Writes where an event happened: events of messages happen in the network, not at an
 * address of the program. */
static void put_place(const JmMachine *machine, const JmEvent *event,
                      char place[PART_MAX]) {
    char symbol[SYMBOL_MAX];
    switch (event->kind) {
    case JM_EVENT_SEND:
    case JM_EVENT_ARRIVE:
    case JM_EVENT_OVERFLOW:
    case JM_EVENT_RETURN:
    case JM_EVENT_SPILL:
        snprintf(place, PART_MAX, "- - p%u #%" PRIu32, event->priority, event->message);
        break;
    case JM_EVENT_BRAKE:
        snprintf(place, PART_MAX, "- - %s", event->count ? "on" : "off");
        break;
    default:
        jm_symbol_at(machine, event->address, symbol, sizeof symbol);
        snprintf(place, PART_MAX, "%05" PRIX32 " %s", event->address,
                 *symbol ? symbol : "-");
    }
}

/* Writes the details that only some kinds of events have, after a blank. */
static void put_detail(const JmEvent *event, char detail[PART_MAX]) {
    char word[32];
    jm_word_print(event->word, word, sizeof word);
    *detail = '\0';
    if (event->kind == JM_EVENT_SEND)
        snprintf(detail, PART_MAX, " %s %" PRIu32 "%s", word, event->count,
                 jm_redirection_text((JmRedirection)event->redirected));
    else if (event->kind == JM_EVENT_FAULT)
        snprintf(detail, PART_MAX, " %s", jm_fault_name(event->fault));
    else if (event->kind == JM_EVENT_DISPATCH)
        snprintf(detail, PART_MAX, " %s", word);
}

/* 0 and 1 are the priorities, b is the background. */
char *jm_event_text(const JmMachine *machine, const JmEvent *event,
                    char buffer[JM_EVENT_TEXT_MAX]) {
    char place[PART_MAX], detail[PART_MAX];
    call_looks(machine);
    assert(event && buffer);
    put_place(machine, event, place);
    put_detail(event, detail);
    snprintf(buffer, JM_EVENT_TEXT_MAX, "%" PRIu64 " %" PRIu32 " %c %s %s%s",
             event->cycle, event->node, "01b"[event->context],
             jm_event_name(event->kind), place, detail);
    return buffer;
}
