/* The data of the picture that `jm report` draws, taken from the statistics of a run.
 */
#ifndef JM_TOOLS_JM_SUMMARY_PICTURE_H
#define JM_TOOLS_JM_SUMMARY_PICTURE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

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

#endif
