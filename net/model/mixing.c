/* Anderson mixing by the normal equations of the most recent steps. */
#include "net/model/mixing.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

/* Added to the diagonal of the normal equations, as a share of its largest value. */
static const double RIDGE = 1e-10, LONGEST_STEP = 1;

void mixing_create(Mixing *mixing, Heap *heap, size_t count) {
    const size_t size = count * sizeof(double);
    *mixing = (Mixing){.count = count,
                       .last_y = heap_alloc(heap, size),
                       .last_f = heap_alloc(heap, size),
                       .dy = heap_alloc(heap, MIXING_DEPTH * size),
                       .df = heap_alloc(heap, MIXING_DEPTH * size)};
}

void mixing_clear(Mixing *mixing) {
    mixing->held = mixing->next = 0;
    mixing->has_last = false;
}

static double product(const double *a, const double *b, size_t count) {
    double sums[4] = {0};
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (size_t j = 0; j < 4; j++)
            sums[j] += a[i + j] * b[i + j];
    for (; i < count; i++)
        sums[0] += a[i] * b[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/* Stores the step from the previous y to this one. */
static void remember(Mixing *mixing, const double *y, const double *f) {
    const size_t count = mixing->count;
    if (mixing->has_last) {
        const unsigned slot = mixing->next;
        double *const dy = mixing->dy + slot * count, *const df =
                                                          mixing->df + slot * count;
        for (size_t i = 0; i < count; i++) {
            dy[i] = y[i] - mixing->last_y[i];
            df[i] = f[i] - mixing->last_f[i];
        }
        mixing->next = (slot + 1) % MIXING_DEPTH;
        mixing->held += mixing->held < MIXING_DEPTH;
        for (unsigned i = 0; i < mixing->held; i++)
            mixing->gram[slot * MIXING_DEPTH + i] =
                mixing->gram[i * MIXING_DEPTH + slot] =
                    product(df, mixing->df + i * count, count);
    }
    memcpy(mixing->last_y, y, count * sizeof *y);
    memcpy(mixing->last_f, f, count * sizeof *f);
    mixing->has_last = true;
}

/* Finds the c that minimises |f - DF c|. False if the steps are degenerate. */
static bool combine(const Mixing *mixing, const double *f, double *c) {
    const unsigned held = mixing->held;
    double gram[MIXING_DEPTH * MIXING_DEPTH], largest = 0;
    for (unsigned i = 0; i < held; i++) {
        largest = fmax(largest, mixing->gram[i * MIXING_DEPTH + i]);
        c[i] = product(f, mixing->df + i * mixing->count, mixing->count);
        for (unsigned j = 0; j < held; j++)
            gram[i * held + j] = mixing->gram[i * MIXING_DEPTH + j];
    }
    if (!(largest > 0) || isinf(largest))
        return false;
    for (unsigned i = 0; i < held; i++)
        gram[i * held + i] += RIDGE * largest;
    gsl_matrix_view matrix = gsl_matrix_view_array(gram, held, held);
    gsl_vector_view side = gsl_vector_view_array(c, held);
    return gsl_linalg_cholesky_decomp1(&matrix.matrix) == 0 &&
           gsl_linalg_cholesky_svx(&matrix.matrix, &side.vector) == 0;
}

/* Shortens the step from y to g so that no component moves by more than
 * LONGEST_STEP. */
static void cut_step(const double *y, double *g, size_t count) {
    double longest = 0;
    for (size_t i = 0; i < count; i++)
        longest = fmax(longest, fabs(g[i] - y[i]));
    if (longest <= LONGEST_STEP)
        return;
    for (size_t i = 0; i < count; i++)
        g[i] = y[i] + (g[i] - y[i]) * LONGEST_STEP / longest;
}

void mixing_step(Mixing *mixing, const double *y, double *g) {
    const size_t count = mixing->count;
    double c[MIXING_DEPTH];
    for (size_t i = 0; i < count; i++)
        g[i] -= y[i]; /* f */
    remember(mixing, y, g);
    const bool useful = mixing->held > 0 && combine(mixing, g, c);
    for (size_t i = 0; i < count; i++)
        g[i] += y[i];
    for (unsigned j = 0; useful && j < mixing->held; j++) {
        const double *dy = mixing->dy + j * count, *df = mixing->df + j * count;
        for (size_t i = 0; i < count; i++)
            g[i] -= c[j] * (dy[i] + df[i]);
    }
    cut_step(y, g, count);
}
