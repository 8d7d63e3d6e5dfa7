/* `jm net run --workload trace=FILE`: runs message-passing programs to their end. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/objects/bytes.h"
#include "emu/core/printable.h"
#include "net/programs/replay.h"
#include "tools/host/values.h"
#include "tools/jm/commands.h"
#include "tools/model/request.h"
#include "tools/net/net.h"

static const char command[] = "jm net run", prefix[] = "trace=";

bool net_run_is_trace(const NetRun *run) {
    return run->load.workload &&
           strncmp(run->load.workload, prefix, sizeof prefix - 1) == 0;
}

/* ---- trace=FILE[,OPTION=VALUE]... ------------------------------------------------ */

/* Reads a decimal number of at most `most`. strtoul() alone would accept signs and
 * blanks. */
static bool read_number(const char *value, uint32_t most, uint32_t *number) {
    char *end;
    const unsigned long read = strtoul(value, &end, 10);
    *number = (uint32_t)read;
    return *value >= '0' && *value <= '9' && *end == 0 && read <= most;
}

static bool read_engine(const char *value, NetReplayEngine *engine) {
    static const char *const names[] = {"auto", "flits", "worms"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(value, names[i]) == 0) {
            *engine = (NetReplayEngine)i;
            return true;
        }
    return false;
}

/* Sets one OPTION=VALUE; writes a 0 in the place of the =. */
static bool set_option(NetReplay *replay, char *text, JmError *error) {
    char *value = strchr(text, '=');
    if (!value)
        return jm_fail(error, command, "--workload: OPTION=VALUE is expected at '%s'",
                       text);
    *value++ = 0;
    if (strcmp(text, "engine") == 0)
        return read_engine(value, &replay->engine) ||
               jm_fail(error, command,
                       "--workload: engine is auto, flits or worms, not '%s'", value);
    const struct {
        const char *name;
        uint32_t *number;
    } times[] = {
        {"setup", &replay->times.setup},
        {"accept", &replay->times.accept},
        {"packet", &replay->times.packet},
        {"reorder", &replay->times.reorder},
    };
    for (unsigned i = 0; i < sizeof times / sizeof times[0]; i++)
        if (strcmp(text, times[i].name) == 0)
            return read_number(value, NET_PROGRAMS_MAX_CYCLES, times[i].number) ||
                   jm_fail(error, command,
                           "--workload: %s is '%s', not a number of cycles", text,
                           value);
    return jm_fail(error, command,
                   "--workload: a trace has no option '%s'; there are setup, accept, "
                   "packet, reorder and engine",
                   text);
}

/* Removes options from the end of a copy of the text; the rest is the file's name. */
static bool read_specification(char *text, NetReplay *replay, JmError *error) {
    char *next = strchr(text, ',');
    if (next)
        *next++ = 0;
    if (!*text)
        return jm_fail(error, command, "--workload trace=FILE: the file is missing");
    while (next) {
        char *option = next;
        next = strchr(option, ',');
        if (next)
            *next++ = 0;
        if (!set_option(replay, option, error))
            return false;
    }
    return true;
}

/* ---- results --------------------------------------------------------------------- */

/* Only the engine `worms` measures blocking; NaN from the other. */
static void print(const NetRun *run, const NetReplay *replay,
                  const NetReplayFigures *f) {
    printf("%s, %s: engine %s\n", JM_SHOWN(run->load.topology),
           JM_SHOWN(run->load.workload), f->engine);
    if (f->complete)
        printf("  run_time            %" PRIu64 " cycles\n", f->cycles);
    else
        printf("  not ended in %" PRIu64 " cycles\n", replay->most_cycles);
    printf("  messages            %" PRIu64 "\n", f->messages);
    printf("  packets             %" PRIu64 "\n", f->packets);
    printf("  send_away           %.6g cycles\n", f->send_away);
    printf("  receive_idle        %.6g cycles\n", f->receive_idle);
    if (f->blocking_total == f->blocking_total) {
        printf("  total_blocking      %.6g cycles\n", f->blocking_total);
        printf("  effective_blocking  %.6g cycles\n", f->blocking_effective);
    }
}

static json_t *channels_json(const NetReplayChannels *channels) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < channels->count; i++) {
        const NetReplayChannel *c = &channels->items[i];
        json_array_append_new(
            array,
            json_pack("{s:I,s:b,s:I,s:I,s:I}", "node", (json_int_t)c->node, "wire",
                      c->has_wire, "packets", (json_int_t)c->packets, "effective_wait",
                      (json_int_t)c->effective, "total_wait", (json_int_t)c->total));
    }
    return array;
}

static json_t *to_json(const NetRun *run, const NetReplay *replay,
                       const NetReplayFigures *f, const NetReplayChannels *channels) {
    return json_pack(
        "{s:o,s:o,s:o,s:b,s:I,s:I,s:I,s:I,s:o,s:o,s:o,s:o,s:o}", "topology",
        jvalue_text(run->load.topology), "workload_text",
        jvalue_text(run->load.workload), "engine", jvalue_text(f->engine), "complete",
        f->complete, "seed", (json_int_t)run->load.seed, "run_time",
        f->complete ? (json_int_t)f->cycles : (json_int_t)replay->most_cycles,
        "messages", (json_int_t)f->messages, "packets", (json_int_t)f->packets,
        "send_away", jvalue_number(f->send_away), "receive_idle",
        jvalue_number(f->receive_idle), "total_blocking",
        jvalue_number(f->blocking_total), "effective_blocking",
        jvalue_number(f->blocking_effective), "channels", channels_json(channels));
}

static bool report(NetRun *run, const NetReplay *replay,
                   const NetReplayFigures *figures, const NetReplayChannels *channels,
                   JmError *error) {
    if (!net_run_open(run, error))
        return false;
    if (net_run_has_text(run))
        print(run, replay, figures);
    return net_run_put_json(run, to_json(run, replay, figures, channels), error);
}

int net_run_trace(NetRun *run, bool limited, JmError *error) {
    char copy[512], *text = copy + sizeof prefix - 1;
    NetReplayFigures figures;
    NetReplayChannels channels = {0};
    NetReplay replay = {.topology = run->load.topology,
                        .params = &run->load.params,
                        .times = net_node_times,
                        .seed = run->load.seed,
                        .most_cycles = limited ? run->cycles : UINT64_C(1) << 38};
    if ((size_t)snprintf(copy, sizeof copy, "%s", run->load.workload) >= sizeof copy) {
        jm_fail(error, command, "--workload: the text is too long");
        return EXIT_USAGE;
    }
    if (!read_specification(text, &replay, error))
        return EXIT_USAGE;
    size_t size;
    unsigned char *bytes = asm_bytes_read(text, &size, error);
    jm_inputs_add(&run->inputs, text);
    NetPrograms *programs =
        bytes ? net_programs_read(text, (const char *)bytes, size, error) : NULL;
    replay.programs = programs;
    const bool good =
        programs &&
        (!run->stats || jm_outfile_check(run->stats, &run->inputs, error)) &&
        net_replay(&replay, &figures, &channels, error) &&
        report(run, &replay, &figures, &channels, error);
    net_programs_destroy(programs);
    free(channels.items);
    free(bytes);
    return good ? EXIT_SUCCESS : EXIT_USAGE;
}
