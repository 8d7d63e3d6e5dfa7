/* Sets of terms by name. */
#include <string.h>

#include "net/model/shared/shared.h"

static const struct {
    const char *name;
    SharedTerms terms;
} sets[] = {
    {"printed", {0}},
    {"queue", {.link = SHARED_LINK_QUEUE}},
    {"twice", {.link = SHARED_LINK_TWICE}},
    {"worst", {.worst_wire = true}},
    {"rate", {.by_rate = true}},
    {"no_tail", {.no_tail = true}},
    {"own", {.keep_own = true}},
    {"longer", {.link = SHARED_LINK_TWICE, .no_tail = true}},
    {"thesis", {.link = SHARED_LINK_QUEUE, .worst_wire = true, .by_rate = true}},
};
enum { SETS = sizeof sets / sizeof sets[0] };

const char *net_shared_terms_name(unsigned number) {
    return number < SETS ? sets[number].name : NULL;
}

bool net_shared_terms(const char *name, SharedTerms *terms) {
    for (unsigned i = 0; i < SETS; i++)
        if (strcmp(sets[i].name, name) == 0) {
            *terms = sets[i].terms;
            return true;
        }
    return false;
}
