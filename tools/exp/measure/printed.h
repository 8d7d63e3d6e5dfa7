/* The values that papers print in their tables, as far as they are known
 * (printed_*.def). */
#ifndef JM_TOOLS_EXP_MEASURE_PRINTED_H
#define JM_TOOLS_EXP_MEASURE_PRINTED_H

/* A printed cell. */
typedef struct {
    const char *series; /* its id: SERIES-NUMBER, with three digits */
    unsigned number;
    const char *origin, *table, *params, *quantity; /* as in cells.def */
    double value;
    double margin; /* tolerance of a figure; negative: it is not judged */
} PrintedCell;

/* Returns the cell of a table with these params and this quantity; NULL if it is not
 * known. */
const PrintedCell *printed_find(const char *origin, const char *table,
                                const char *params, const char *quantity);

#endif
