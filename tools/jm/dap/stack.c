/* Threads, which are nodes, and their frames: the contexts of a node, and who
 * sent the messages that led to it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/memory.h"
#include "tools/jm/dap/dap.h"

enum { THREADS_MOST = 512, SENDERS_MOST = 256 };

/* ---- threads --------------------------------------------------------------------- */

bool want_thread(Dap *dap, const json_t *arguments, unsigned *node) {
    int64_t id;
    if (!want_number(dap, arguments, "threadId", &id))
        return false;
    if (id < 1 || id > (int64_t)jm_node_count(dap->machine))
        return dap_fail(dap, "there is no thread %" PRId64 ": node N is thread N+1",
                        id);
    *node = (unsigned)id - 1;
    return true;
}

/* Whether a node is among the threads of a large machine. */
static bool is_shown(const Dap *dap, unsigned node, const JmDebugNode *state) {
    if (!state->started)
        return false;
    bool asked = node == jm_debug_state(dap->debug).node;
    for (size_t i = 0; i < dap->frame_count; i++)
        asked |= dap->frames[i].node == node;
    return asked || !state->rests || jm_node_count(dap->machine) <= THREADS_MOST;
}

bool request_threads(Dap *dap, const json_t *arguments) {
    json_t *threads = json_array();
    (void)arguments;
    for (unsigned node = 0; node < jm_node_count(dap->machine); node++) {
        const JmDebugNode state = jm_debug_node(dap->debug, node);
        unsigned x, y, z;
        if (!is_shown(dap, node, &state))
            continue;
        jm_node_position(dap->machine, node, &x, &y, &z);
        json_array_append_new(threads,
                              json_pack("{s:i,s:o}", "id", (int)node + 1, "name",
                                        jvalue_textf("node %u (%u,%u,%u) %s", node, x,
                                                     y, z, state.activity)));
    }
    return dap_give(dap, json_pack("{s:o}", "threads", threads));
}

/* ---- frames ---------------------------------------------------------------------- */

bool may_frame(Dap *dap, const json_t *arguments, const JmDebugFrame **frame) {
    int64_t id = 0;
    *frame = NULL;
    if (!may_number(dap, arguments, "frameId", &id))
        return false;
    if (id < 0 || id > (int64_t)dap->frame_count)
        return dap_fail(dap, "there is no frame %" PRId64 " now", id);
    if (id)
        *frame = &dap->frames[id - 1];
    return true;
}

void stack_forget(Dap *dap) {
    dap->frame_count = dap->scope_count = dap->target_count = 0;
    dap->repl_frame = 0;
}

/* Keeps a frame; returns its id. One that was kept before keeps its id. */
static int64_t keep(Dap *dap, const JmDebugFrame *frame) {
    for (size_t i = 0; i < dap->frame_count; i++)
        if (dap->frames[i].node == frame->node &&
            dap->frames[i].context == frame->context &&
            dap->frames[i].sender == frame->sender &&
            dap->frames[i].cycle == frame->cycle)
            return (int64_t)i + 1;
    dap->frames = memory_more(dap->frames, dap->frame_count, sizeof *dap->frames);
    dap->frames[dap->frame_count++] = *frame;
    return (int64_t)dap->frame_count;
}

/* Returns a frame's name: "main+2, priority 1"; of a sender "node 3 at cycle 120:
 * arrive+4". */
static json_t *frame_name(const Dap *dap, const JmDebugFrame *frame) {
    json_t *place = place_name(dap, &frame->place);
    json_t *name =
        frame->sender
            ? jvalue_textf("node %u sent it in cycle %" PRIu64 ": %s", frame->node,
                           frame->cycle, json_string_value(place))
            : jvalue_textf("%s, %s", json_string_value(place),
                           jm_context_name(frame->context));
    json_decref(place);
    return name;
}

static void add_frame(Dap *dap, json_t *frames, const JmDebugFrame *frame) {
    json_t *object =
        json_pack("{s:I,s:o,s:i,s:o}", "id", (json_int_t)keep(dap, frame), "name",
                  frame_name(dap, frame), "column", dap->columns_from_0 ? 0 : 1,
                  "instructionPointerReference",
                  place_reference(frame->node, frame->place.address, frame->place.low));
    if (!place_add(dap, object, "source", &frame->place))
        json_object_set_new(object, "line", json_integer(0));
    if (frame->sender)
        json_object_set_new(object, "presentationHint", jvalue_text("subtle"));
    json_array_append_new(frames, object);
}

/* Adds frames for the senders of messages, from number `first` on. The past is replayed
 * as far as it takes to find that one; the editor asks again for more. Other requests
 * do not wait for that. Returns how many frames there are for it to ask for. */
static int64_t add_senders(Dap *dap, json_t *frames, unsigned node, JmContext context,
                           int64_t first, int64_t last) {
    JmDebugFrame senders[SENDERS_MOST];
    const unsigned most = last < SENDERS_MOST ? (unsigned)last : SENDERS_MOST;
    const unsigned from = first < 0 ? 0 : first < SENDERS_MOST ? (unsigned)first : most;
    dap_wait(dap, "Who sent the message", dap->request);
    dap->interrupted = false;
    dap->interrupts_all = dap->may_yield;
    const unsigned count =
        jm_debug_senders(dap->debug, node, context, from + 1, senders, most);
    dap->interrupts_all = false;
    dap->yields = dap->interrupted && !dap->must_end;
    dap_wait(dap, NULL, 0);
    for (unsigned i = from; i < count; i++)
        add_frame(dap, frames, &senders[i]);
    return count + (count > from && count < SENDERS_MOST &&
                    senders[count - 1].context != JM_CONTEXT_BACKGROUND);
}

/* Without a number of levels only the tasks are returned. */
bool request_stackTrace(Dap *dap, const json_t *arguments) {
    JmDebugFrame tasks[JM_DEBUG_FRAMES];
    unsigned node;
    int64_t first = 0, levels = 0;
    if (!want_thread(dap, arguments, &node) ||
        !may_number(dap, arguments, "startFrame", &first) ||
        !may_number(dap, arguments, "levels", &levels))
        return false;
    if (first < 0 || levels < 0)
        return dap_fail(dap, "'startFrame' and 'levels' are 0 or more");
    const int64_t count = jm_debug_frames(dap->debug, node, tasks);
    const int64_t last = levels ? first + levels : count;
    json_t *frames = json_array();
    for (int64_t i = first; i < count && i < last; i++)
        add_frame(dap, frames, &tasks[i]);
    const bool is_task = tasks[0].context != JM_CONTEXT_BACKGROUND;
    const int64_t total =
        count + (last > count && is_task
                     ? add_senders(dap, frames, node, tasks[0].context, first - count,
                                   last - count)
                     : is_task);
    return dap_give(dap, json_pack("{s:o,s:I}", "stackFrames", frames, "totalFrames",
                                   (json_int_t)total));
}
