/* Shared by the benchmarks of whole machines: machines with Snakes (programs/snakes)
 * loaded. */
#ifndef JM_BENCH_SNAKES_H
#define JM_BENCH_SNAKES_H

#include "emu/jm.h"
#include "tests/bench/bench.h"

static inline void set(JmMachine *machine, const char *symbol, int value) {
    uint32_t address;
    if (!jm_symbol_word(machine, symbol, &address))
        fail(symbol);
    jm_write_all(machine, address, jm_int(value));
}

/* Sets the words of the Snakes: m=5, p=3, L=4000. */
static inline void set_snakes(JmMachine *machine, int h) {
    set(machine, "snakes_m", 5);
    set(machine, "snakes_p", 3);
    set(machine, "snakes_h", h);
    set(machine, "snakes_l", 4000);
}

/* Snakes with m=5, p=3 and L=4000. FOLDER/../programs holds snakes.elf. */
static inline JmMachine *create_snakes_on(const JmConfig *config, const char *folder,
                                          int h) {
    JmError error;
    char path[4096];
    snprintf(path, sizeof path, "%s/../programs/snakes.elf", folder);
    JmMachine *machine = jm_create(config, &error);
    if (!machine || !jm_load_file(machine, path, JM_ALL_NODES, &error))
        fail(error.text);
    set_snakes(machine, h);
    return machine;
}

/* The same on a cube of `size` nodes a side. */
static inline JmMachine *create_snakes(const char *folder, unsigned size, int h,
                                       const char *engine, uint64_t seed) {
    JmConfig config = jm_config_default();
    config.size_x = config.size_y = config.size_z = size;
    config.engine = engine;
    config.seed = seed;
    return create_snakes_on(&config, folder, h);
}

/* Up to the mark that starts the timed part. */
static inline void run_to_start(JmMachine *machine) {
    size_t marks = 0;
    while (!marks) {
        if (jm_run(machine, jm_now(machine) + 1000) != JM_STOP_NONE)
            fail("the run ended before it began");
        jm_marks(machine, &marks);
    }
}

/* Runs on; returns the seconds of `clock` used. */
static inline double time_cycles(JmMachine *machine, uint64_t cycles, clockid_t clock) {
    const double started = seconds_of(clock);
    if (jm_run(machine, jm_now(machine) + cycles) != JM_STOP_NONE)
        fail("the run ended too early");
    return seconds_of(clock) - started;
}

#endif
