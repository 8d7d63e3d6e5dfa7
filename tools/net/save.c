/* Saved runs: the options, the sums so far, the traffic and its network. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/objects/bytes.h"
#include "emu/core/outfile.h"
#include "tools/net/net.h"

/* Increment the version whenever any saved state changes. */
static const char magic[8] = {'J', 'M', 'N', 'E', 'T', 0, 0, 7};

/* Saves or loads the options of the run. When loaded, the run owns the texts. */
static void archive_request(Archive *a, NetRun *run) {
    jm_archive_text(a, &run->texts[0]);
    jm_archive_text(a, &run->texts[1]);
    jm_archive_u32(a, &run->cycles, UINT32_MAX);
    jm_archive_u32(a, &run->warmup, run->cycles);
    jm_archive_u32(a, &run->batches, 1000);
    jm_archive_u32(a, &run->seed, UINT32_MAX);
    jm_archive_u32(a, &run->backlog, UINT32_MAX);
    archive_demand(a, run->batches >= 2 && run->cycles - run->warmup >= run->batches);
#define NET_PARAM(name, ...) jm_archive_u32(a, &run->params.name, UINT32_MAX);
#include "net/params.def"
#undef NET_PARAM
}

/* Saves or loads the ends that lie before the current cycle. The network, which knows
 * that cycle, must be archived first. */
static void archive_run(Archive *a, NetRun *run) {
    NetWindow *window = &run->window;
    const unsigned parts = NET_WINDOW_PARTS * window->batches;
    archive_demand(a, net_traffic_archive(run->traffic, a));
    jm_archive_u32(a, &window->done, parts + 1);
    for (size_t i = 0; i < (size_t)window->sums * window->done && archive_good(a); i++)
        net_traffic_archive_real(a, &window->ends[i]);
    jm_archive_u64(a, &window->busiest.busy_cycles, net_now(run->net));
    jm_archive_u64(a, &window->busiest.messages, UINT32_MAX);
    const uint64_t now = net_now(run->net);
    archive_demand(
        a, now <= window->cycles &&
               (window->done == 0 || net_window_end(window, window->done - 1) <= now) &&
               (window->done > parts || now <= net_window_end(window, window->done)));
}

bool net_run_save(NetRun *run, const char *path, JmError *error) {
    NetRun copy = *run;
    JmOutFile file;
    Archive archive = jm_archive_save();
    copy.texts[0] = (char *)run->topology;
    copy.texts[1] = (char *)run->workload;
    archive_request(&archive, &copy);
    archive_run(&archive, &copy);
    bool good =
        archive_good(&archive) || jm_fail(error, path, "no memory to save the run");
    if (good && (good = jm_outfile_open(&file, path, &run->inputs, error))) {
        fwrite(magic, sizeof magic, 1, file.stream);
        fwrite(archive.bytes, archive.size, 1, file.stream);
        good = jm_outfile_commit(&file, error);
    }
    jm_archive_free(&archive);
    return good;
}

/* Makes the network that the file describes and loads its state. The file is not
 * trusted: its contents are checked. */
static bool restore_from(NetRun *run, Archive *archive, JmError *error) {
    const char *path = run->restore;
    archive_request(archive, run);
    if (!archive_good(archive))
        return jm_fail(error, path, "the saved run is damaged");
    run->topology = run->texts[0];
    run->workload = run->texts[1];
    if (!net_params_check(&run->params, error) || !net_run_make(run, error))
        return false;
    archive_run(archive, run);
    if (archive->starved)
        return jm_fail(error, path, "no memory for the saved run");
    return (archive_good(archive) && archive->at == archive->end) ||
           jm_fail(error, path, "the saved run is damaged");
}

bool net_run_restore(NetRun *run, JmError *error) {
    size_t size;
    uint8_t *bytes = asm_bytes_read(run->restore, &size, error);
    jm_inputs_add(&run->inputs, run->restore);
    if (!bytes)
        return false;
    bool good = size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
    if (good) {
        Archive archive = jm_archive_load(bytes + sizeof magic, size - sizeof magic);
        good = restore_from(run, &archive, error);
    } else {
        jm_fail(error, run->restore, "no saved run of jm net, or of another version");
    }
    free(bytes);
    return good;
}
