/* What `jm report` prints of statistics files: the picture of a run, the figures below
 * it, and the differences of two runs. */
#ifndef JM_TOOLS_JM_SUMMARY_SUMMARY_H
#define JM_TOOLS_JM_SUMMARY_SUMMARY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Returns the whole number under `key`; 0 if there is none or it is negative. */
static inline uint64_t count_of(const json_t *object, const char *key) {
    const json_int_t value = json_integer_value(json_object_get(object, key));
    return value > 0 ? (uint64_t)value : 0;
}

/* ---- picture.c ------------------------------------------------------------------- */

enum { PICTURE_DIMENSIONS = 3 };

/* Flits over the wire from a node to its higher neighbour, both ways, by dimension. */
typedef struct {
    uint64_t flits[PICTURE_DIMENSIONS];
} PictureLinks;

/* The activity of a node. */
typedef struct {
    unsigned rank;
    uint64_t busy, instructions, messages_in; /* cycles it was not idle; counts */
    uint64_t queue_max; /* longest queue of priority 0, in words */
} PictureNode;

/* The data of a picture. */
typedef struct {
    char *program, *stop;
    unsigned size[PICTURE_DIMENSIONS], nodes;
    uint64_t cycles, instructions, messages, overflows;
    double seconds, wire_utilisation[PICTURE_DIMENSIONS];
    PictureNode *node;   /* by rank */
    PictureLinks *links; /* by rank */
} Picture;

/* Reads a statistics file; false if it is not one. Call picture_free() in either case.
 */
bool picture_read(Picture *picture, const json_t *root);
void picture_free(Picture *picture);

/* Draws messages and flits, or the longest queues alone, in at most 80 columns where
 * the mesh allows. Planes that nothing happened in are only named. */
void picture_draw(const Picture *picture, FILE *out);
void picture_draw_queues(const Picture *picture, FILE *out);

/* ---- summary.c, compare.c: of files that picture_read() accepted ----------------- */

/* Prints the timed part of a run (between its first and its last HOST_MARK), what the
 * processors did, faults and queue overflows, and for the Snakes workload the derived
 * quantities of the thesis. Keys that are missing (older files) leave their lines
 * out. */
void summary_print(const json_t *root, FILE *out);

/* Two runs with the names of their files. */
typedef struct {
    const json_t *root[2];
    const char *name[2];
} CompareRuns;

/* Prints the differences in setup (jm, program, configuration), then the results that
 * differ, largest relative difference first. A quantity of nodes stands for all of
 * them: the sum, the most of *_max_* and *_peak, the mean of *_mean_*, the first of
 * first_*. Returns whether there is any difference. */
bool compare_print(const CompareRuns *runs, FILE *out);

#endif
