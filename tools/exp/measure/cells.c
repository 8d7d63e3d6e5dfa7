#include "tools/exp/measure/cells.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/exp/measure/row.h"

static const CellRow rows[] = {
#define CELL(...) {__VA_ARGS__},
#include "tools/exp/measure/cells.def"
#undef CELL
};

static const PrintedCell printed_cells[] = {
#define PRINTED(...) {__VA_ARGS__},
#include "tools/exp/measure/printed_scott.def"
#undef PRINTED
};
enum {
    ROWS = sizeof rows / sizeof rows[0],
    PRINTED_CELLS = sizeof printed_cells / sizeof printed_cells[0]
};

const CellRow *cell_row_at(unsigned index) {
    return index < ROWS ? &rows[index] : NULL;
}

/* Splits "NAME=VALUE" off a list; false at its end. */
static bool next_pair(const char **list, char separator, Setting *pair) {
    *pair = (Setting){0};
    const char *at = *list;
    if (!*at)
        return false;
    const char stops[] = {separator, '\0'};
    const size_t length = strcspn(at, stops), name = strcspn(at, "=");
    if (name < length && name < SETTING_TEXT_MAX && length - name <= SETTING_TEXT_MAX) {
        memcpy(pair->name, at, name);
        memcpy(pair->value, at + name + 1, length - name - 1);
    }
    *list = at + length + (at[length] == separator);
    return true;
}

bool cell_is_of(const CellRow *row, const Run *run) {
    Setting pair;
    for (const char *at = row->conditions; next_pair(&at, ' ', &pair);) {
        const char *text = settings_text(&run->settings, pair.name);
        if (!text || strcmp(text, pair.value) != 0)
            return false;
    }
    return true;
}

char *cell_params(const CellRow *row, const Run *run, char text[CELL_PARAMS_MAX]) {
    Setting pair;
    size_t length = 0;
    text[0] = '\0';
    for (const char *at = row->params; next_pair(&at, ';', &pair);) {
        const char *value = settings_text(&run->settings, pair.value);
        char number[SETTING_TEXT_MAX];
        snprintf(number, sizeof number, "%.10g", row_number(run, pair.value));
        const int wrote =
            snprintf(text + length, CELL_PARAMS_MAX - length, "%s%s=%s",
                     length ? ";" : "", pair.name, value ? value : number);
        if (wrote < 0 || (length += (size_t)wrote) >= CELL_PARAMS_MAX)
            break;
    }
    return text;
}

const PrintedCell *cell_printed(const CellRow *row, const char *params) {
    for (unsigned i = 0; i < PRINTED_CELLS; i++) {
        const PrintedCell *cell = &printed_cells[i];
        if (strcmp(cell->quantity, row->quantity) == 0 &&
            strcmp(cell->table, row->table) == 0 && strcmp(cell->params, params) == 0)
            return cell;
    }
    return NULL;
}

bool cell_agrees(const PrintedCell *printed, double value) {
    return fabs(value - printed->value) <= printed->half_digit * (1 + 1e-4);
}

/* Counts the printed cells that stand for a selected run: all, or those that agree. */
static double count(const Selection *s, bool agreeing) {
    double sum = 0;
    for (unsigned i = 0; i < ROWS; i++)
        for (size_t k = 0; k < s->count; k++) {
            char params[CELL_PARAMS_MAX];
            if (!cell_is_of(&rows[i], s->runs[k]))
                continue;
            const PrintedCell *printed =
                cell_printed(&rows[i], cell_params(&rows[i], s->runs[k], params));
            sum += printed &&
                   (!agreeing ||
                    cell_agrees(printed, row_number(s->runs[k], rows[i].column)));
        }
    return sum;
}

double statistic_cells(const Selection *s) {
    return count(s, false);
}

double statistic_cells_within(const Selection *s) {
    return count(s, true) / count(s, false);
}
