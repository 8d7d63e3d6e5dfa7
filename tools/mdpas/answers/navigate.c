/* From a name to its definition and to all places that it is written at. */
#include <stdlib.h>
#include <string.h>

#include "tools/host/values.h"
#include "tools/mdpas/answers/answers.h"

static void add_location(const Server *server, json_t *locations, Unit *unit,
                         AsmSpot at) {
    json_array_append_new(locations, spot_location(&server->work, unit, at));
}

/* Adds the definition in another source of a symbol that this one does not define. */
static void add_other_definition(const Named *named, json_t *locations) {
    const AsmIndex *index = named->at.unit->result.index;
    const Definition other =
        find_global(&named->server->work, index->symbols[named->target.index].name);
    if (other.unit)
        add_location(named->server, locations, other.unit,
                     symbol_definition(other.unit->result.index, other.symbol));
}

/* A file that is included is defined at its beginning. */
json_t *answer_definition(Server *server, const json_t *params) {
    Named named;
    json_t *locations = json_array();
    named_find(&named, server, params);
    for (int i = 0; i < named.sites.count; i++) {
        const Site *site = &named.sites.items[i];
        if (site->role == ASM_ROLE_DEFINITION)
            add_location(server, locations, site->unit, site->at);
    }
    if (named.target.kind == TARGET_FILE)
        add_location(server, locations, named.at.unit,
                     (AsmSpot){.file = named.target.index});
    else if (named.target.kind == TARGET_SYMBOL && json_array_size(locations) == 0)
        add_other_definition(&named, locations);
    named_free(&named);
    return locations;
}

json_t *answer_references(Server *server, const json_t *params) {
    Named named;
    json_t *locations = json_array();
    const bool declaration = json_is_true(
        json_object_get(json_object_get(params, "context"), "includeDeclaration"));
    named_find(&named, server, params);
    for (int i = 0; i < named.sites.count; i++) {
        const Site *site = &named.sites.items[i];
        if (declaration || site->role != ASM_ROLE_DEFINITION)
            add_location(server, locations, site->unit, site->at);
    }
    named_free(&named);
    return locations;
}

/* The sites in the same document: definitions are written, others read. */
json_t *answer_highlight(Server *server, const json_t *params) {
    enum { READ = 2, WRITE };
    Named named;
    json_t *highlights = json_array();
    named_find(&named, server, params);
    for (int i = 0; i < named.sites.count; i++) {
        const Site *site = &named.sites.items[i];
        if (strcmp(site->unit->reals[site->at.file], named.at.document->real) == 0)
            json_array_append_new(
                highlights,
                json_pack("{s:o,s:i}", "range",
                          spot_range(&server->work, site->unit, site->at), "kind",
                          site->role == ASM_ROLE_DEFINITION ? WRITE : READ));
    }
    named_free(&named);
    return highlights;
}
