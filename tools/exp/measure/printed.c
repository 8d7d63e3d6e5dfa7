/* The printed cells of tables; see printed.h. */
#include "tools/exp/measure/printed.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* A figure that is simulated and solved by a model, and the model's error in percent;
 * margins are shares of these figures. */
#define COMPARED(series, first, solver, table, params, quantity, simulated, solved,    \
                 error, margin, solved_margin)                                         \
    PRINTED(series, first, "simulation", table, params, quantity, simulated,           \
            (margin) * (simulated))                                                    \
    PRINTED(series, first + 1, solver, table, params, quantity, solved,                \
            (solved_margin) * (solved))                                                \
    PRINTED(series, first + 2, "percent_error", table, params, quantity, error, -1)

static const PrintedCell cells[] = {
#define NONE NAN
#define PRINTED(...) {__VA_ARGS__},
#include "tools/exp/measure/printed_adve.def"
#include "tools/exp/measure/printed_quaglia.def"
#include "tools/exp/measure/printed_scott.def"
#undef PRINTED
#undef NONE
};
enum { CELLS = sizeof cells / sizeof cells[0] };

const PrintedCell *printed_find(const char *origin, const char *table,
                                const char *params, const char *quantity) {
    for (unsigned i = 0; i < CELLS; i++)
        if (strcmp(cells[i].quantity, quantity) == 0 &&
            strcmp(cells[i].params, params) == 0 &&
            strcmp(cells[i].table, table) == 0 &&
            strcmp(cells[i].origin, origin) == 0 && !isnan(cells[i].value))
            return &cells[i];
    return NULL;
}
