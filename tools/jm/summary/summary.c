/* Prints the figures of `jm report`, and for the Snakes the thesis's quantities. */
#include "tools/jm/summary/summary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "tools/host/memory.h"

enum { DIMENSIONS = 3, OVERFLOW_ROWS = 20, FLITS_PER_WORD = 2 };

/* A run, from its statistics. */
typedef struct {
    const json_t *root, *nodes;
    size_t node_count;
    double size[DIMENSIONS];
    uint64_t cycles; /* of the whole run */
    uint64_t start, timed_cycles;
    double clock_hz;
} Run;

static Run read_run(const json_t *root) {
    Run run = {.root = root, .nodes = json_object_get(root, "nodes")};
    run.node_count = json_array_size(run.nodes);
    run.cycles = count_of(root, "cycles");
    run.clock_hz = json_number_value(json_object_get(root, "clock_hz"));
    const json_t *mesh = json_object_get(root, "mesh");
    for (unsigned d = 0; d < DIMENSIONS; d++)
        run.size[d] = json_number_value(json_array_get(mesh, d));
    run.timed_cycles = count_of(root, "makespan");
    run.start = count_of(json_array_get(json_object_get(root, "marks"), 0), "cycle");
    return run;
}

/* ---- any program ----------------------------------------------------------------- */

static void print_timed(const Run *run, FILE *out) {
    if (!run->timed_cycles)
        return;
    fprintf(out, "Between first and last mark: %" PRIu64 " cycles", run->timed_cycles);
    if (run->clock_hz > 0)
        fprintf(out, ", %.6g ms", (double)run->timed_cycles / run->clock_hz * 1000);
    fprintf(out, ", from cycle %" PRIu64 " on\n", run->start);
}

/* Sums an object of counts over all nodes, member by member. */
static json_t *sums(const Run *run, const char *key) {
    json_t *total = json_object();
    for (size_t i = 0; i < run->node_count; i++) {
        json_t *object = json_object_get(json_array_get(run->nodes, i), key);
        const char *name;
        json_t *value;
        json_object_foreach (object, name, value) {
            const json_int_t sum = json_integer_value(json_object_get(total, name)) +
                                   json_integer_value(value);
            json_object_set_new(total, name, json_integer(sum));
        }
    }
    return total;
}

/* Prints how the processors spent their cycles, faults summed up. */
static void print_processors(const Run *run, FILE *out) {
    json_t *cycles = sums(run, "cycles");
    const double all = (double)run->cycles * (double)run->node_count;
    if (json_object_size(cycles) && all > 0) {
        double faults = 0;
        const char *name;
        json_t *value;
        json_object_foreach (cycles, name, value) {
            if (strncmp(name, "fault_", strlen("fault_")) == 0)
                faults += json_number_value(value);
        }
        const double idle = (double)count_of(cycles, "idle");
        const double waiting = (double)count_of(cycles, "send_wait");
        fprintf(out,
                "Processors: %.1f%% running, %.1f%% waiting to send, %.1f%% entering "
                "faults, %.1f%% idle\n",
                (all - idle - waiting - faults) / all * 100, waiting / all * 100,
                faults / all * 100, idle / all * 100);
    }
    json_decref(cycles);
}

static void print_faults(const Run *run, FILE *out) {
    json_t *faults = json_object_get(run->root, "faults");
    if (!faults)
        return;
    const char *name;
    json_t *value;
    const char *separator = "Faults:";
    json_object_foreach (faults, name, value) {
        char shown[64];
        fprintf(out, "%s %s %" PRIu64, separator,
                jm_printable(name, shown, sizeof shown),
                (uint64_t)json_integer_value(value));
        separator = ",";
    }
    fputs(json_object_size(faults) ? "\n" : "Faults: none\n", out);
}

/* Sorts nodes by the cycle of their first overflow. */
static int by_first_overflow(const void *a, const void *b) {
    const uint64_t first = count_of(*(json_t *const *)a, "first_overflow");
    const uint64_t second = count_of(*(json_t *const *)b, "first_overflow");
    return (first > second) - (first < second);
}

static void print_overflow_rows(const json_t **nodes, size_t count, FILE *out) {
    for (size_t i = 0; i < count && i < OVERFLOW_ROWS; i++) {
        const json_t *node = nodes[i];
        fprintf(out,
                "  node %" PRIu64 " (%" PRIu64 ",%" PRIu64 ",%" PRIu64 "): %" PRIu64
                ", first in cycle %" PRIu64 "\n",
                count_of(node, "rank"), count_of(node, "x"), count_of(node, "y"),
                count_of(node, "z"), count_of(node, "overflows"),
                count_of(node, "first_overflow"));
    }
    if (count > OVERFLOW_ROWS)
        fprintf(out, "  and more, on %zu nodes in all\n", count);
}

static void print_longest_queue(const Run *run, FILE *out) {
    const json_t *longest = NULL;
    for (size_t i = 0; i < run->node_count; i++) {
        const json_t *node = json_array_get(run->nodes, i);
        if (!longest ||
            count_of(node, "queue_max_words") > count_of(longest, "queue_max_words"))
            longest = node;
    }
    fprintf(out,
            "Longest priority-0 queue: %" PRIu64 " words, node %" PRIu64 " (%" PRIu64
            ",%" PRIu64 ",%" PRIu64 ")\n",
            count_of(longest, "queue_max_words"), count_of(longest, "rank"),
            count_of(longest, "x"), count_of(longest, "y"), count_of(longest, "z"));
}

/* Prints how often software was called to empty a full queue. An overflow alone, which
 * only holds the network back, is no fault. */
static void print_queue_faults(const Run *run, FILE *out) {
    const json_t *faults = json_object_get(run->root, "faults");
    if (!faults)
        return;
    const uint64_t count = count_of(faults, "QUEUE");
    if (count)
        fprintf(out, "  QUEUE faults, which call the overflow handler: %" PRIu64 "\n",
                count);
    else
        fputs("  no QUEUE fault: a full queue held the network back, and its node "
              "emptied it\n",
              out);
}

/* Prints the queue overflows: how many, the first nodes, and their consequences. An
 * overflow is a queue that has become full. */
static void print_overflows(const Run *run, FILE *out) {
    const json_t **nodes = memory_array(run->node_count, sizeof *nodes);
    size_t count = 0;
    uint64_t total = 0;
    for (size_t i = 0; i < run->node_count; i++) {
        const json_t *node = json_array_get(run->nodes, i);
        total += count_of(node, "overflows");
        if (count_of(node, "overflows"))
            nodes[count++] = node;
    }
    if (count) {
        qsort(nodes, count, sizeof *nodes, by_first_overflow);
        fprintf(out, "Queue overflows: %" PRIu64 " on %zu node%s\n", total, count,
                count == 1 ? "" : "s");
        print_overflow_rows(nodes, count, out);
        print_queue_faults(run, out);
    } else {
        fputs("Queue overflows: none\n", out);
    }
    free(nodes);
}

/* ---- Snakes (Lethin 1997, section 4.1) ------------------------------------------- */

/* Parameters of table 4.1 and results of the program. h is 0 if the program stopped
 * while it calibrated the handler. */
typedef struct {
    double m, l, p, h, hops;
} Snakes;

/* Reads the parameters of the Snakes from the words of the program. False if it is
 * another program. */
static bool read_snakes(const json_t *root, Snakes *snakes) {
    const struct {
        const char *key;
        double *value;
    } rows[] = {{"snakes_m", &snakes->m},
                {"snakes_l", &snakes->l},
                {"snakes_p", &snakes->p},
                {"snakes_h_got", &snakes->h},
                {"snakes_hops", &snakes->hops}};
    const json_t *words = json_object_get(root, "words");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const json_t *value = json_object_get(words, rows[i].key);
        if (!json_is_integer(value))
            return false;
        *rows[i].value = json_number_value(value);
    }
    return snakes->m > 0 && snakes->l > 0 && snakes->p > 0 && snakes->h > 0;
}

/* Prints the utilisation of the bisection by equation 4.3: a word is two flits, and
 * half of the hops cross the middle. Its N^(2/3), the number of wires there, is Y Z
 * here. */
static void print_bisection(const Run *run, const Snakes *snakes, FILE *out) {
    const double time = (double)run->timed_cycles;
    const double wires = run->size[1] * run->size[2];
    const double nodes = (double)run->node_count;
    const double volume = (snakes->p + 1) * snakes->m * nodes * snakes->l;
    const json_t *network = json_object_get(run->root, "network");
    const double crossed =
        (double)count_of(json_object_get(network, "bisection_flits"), "x");
    const double header =
        (double)count_of(json_object_get(run->root, "parameters"), "header_flits");
    const double flits = FLITS_PER_WORD * (snakes->p + 1);
    fprintf(out, "  bisection utilisation: %.4f by eq. 4.3", volume / (wires * time));
    fprintf(out, "; on the x wires %.4f, header flits apart %.4f\n",
            crossed / (wires * time),
            crossed / (wires * time) * flits / (flits + header));
}

static void print_snakes(const Run *run, FILE *out) {
    Snakes snakes = {0};
    if (!read_snakes(run->root, &snakes) || !run->timed_cycles)
        return;
    const double time = (double)run->timed_cycles;
    const double nodes = (double)run->node_count;
    const double work = snakes.m * snakes.l * snakes.h;
    fprintf(out, "Snakes: m %.0f, L %.0f, p %.0f, h %.0f, Q %" PRIu64 "\n", snakes.m,
            snakes.l, snakes.p, snakes.h,
            count_of(json_object_get(run->root, "words"), "kernel_queue0"));
    fprintf(out, "  %.0f hops of %.0f; T = %.0f cycles", snakes.hops,
            snakes.m * nodes * snakes.l, time);
    if (run->clock_hz > 0)
        fprintf(out, " = %.6g ms", time / run->clock_hz * 1000);
    fprintf(out, " = %.4f m L h\n", time / work);
    fprintf(out, "  processor utilisation: %.4f by eq. 4.4\n", work / time);
    if (run->size[0] > 1)
        print_bisection(run, &snakes, out);
}

void summary_print(const json_t *root, FILE *out) {
    const Run run = read_run(root);
    print_timed(&run, out);
    print_processors(&run, out);
    print_faults(&run, out);
    print_longest_queue(&run, out);
    print_overflows(&run, out);
    print_snakes(&run, out);
}
