/* Everywhere that a name is written, in all sources that know it. */
#ifndef JM_MDPAS_SITES_H
#define JM_MDPAS_SITES_H

#include "tools/mdpas/answers/target.h"

typedef struct {
    Unit *unit;
    AsmSpot at; /* without a length where a macro puts the name together */
    AsmUseRole role;
} Site;

typedef struct {
    Site *items;
    int count;
} Sites;

/* Finds the sites of a target, each place once. */
Sites sites_find(Work *work, const At *at, const Target *target);
void sites_free(Sites *sites);
/* Adds a place, unless it is there. */
void sites_add(Sites *sites, Site site);

/* Whether two symbols of units are the same: defined at the same place, or global with
 * the same name. */
bool same_symbol(const Unit *unit, int symbol, const Unit *other, int of_other);
/* Whether a symbol may be known in sources that its own does not include. */
bool is_shared(const AsmIndexSymbol *symbol);

#endif
