#include "net/model/amva_parts.h"
#include <stdlib.h>
bool amva_paths_unique(const NetGraph *graph, bool *unique) {
    (void)graph;
    *unique = false;
    return true;
}
bool amva_paths_build(AmvaLayout *layout, uint8_t *used, JmError *error) {
    (void)layout;
    (void)used;
    (void)error;
    return false;
}
void amva_paths_free(AmvaPaths *paths) {
    free(paths);
}
void amva_paths_add(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                    AmvaSums *sums) {
    (void)layout;
    (void)unknowns;
    (void)sums;
}
