/* The data that the page draws in three dimensions: figures of every node, and its
 * queues over time. */
#ifndef JM_TOOLS_REPORT_SPACE_H
#define JM_TOOLS_REPORT_SPACE_H

#include <jansson.h>

#include "emu/core/status.h"

/* Returns
 *
 *     {mesh: [x, y, z],
 *      maps: [{name, label, unit, values: [by rank]}],
 *      frames: [[ms, [rank, queue words, buffer words, ...]]],
 *      frames_of: "m = 2"}
 *
 * from the maps of figure 4-11 and the frames of `view`, as far as they were run; NULL
 * and an error on failure. Where settings were swept there are maps of each value, and
 * the mesh and the frames are those of the first: `frames_of` names it, and is empty
 * otherwise. */
json_t *space_of(const char *folder, const json_t *experiments, JmError *error);

/* Whether there is anything to draw. */
bool space_is_there(const json_t *space);

#endif
