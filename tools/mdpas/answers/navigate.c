/* From a name to its definition and to all places that it is written at. */
#include <stdlib.h>
#include <string.h>

#include "tools/host/values.h"
#include "tools/mdpas/answers/describe.h"
#include "tools/mdpas/answers/sites.h"

/* The target of a request; false and perhaps a refusal if there is none. */
static bool find_target(Server *server, const json_t *params, At *at, Target *target) {
    if (!at_find(server, params, at))
        return false;
    *target = target_at(at);
    return target->kind != TARGET_NONE;
}

/* A file that is included is defined at its beginning. */
static json_t *file_location(const Server *server, const At *at, int file) {
    return spot_location(&server->work, at->unit, (AsmSpot){.file = file});
}

static json_t *site_location(const Server *server, const Site *site) {
    return spot_location(&server->work, site->unit, site->at);
}

static void add_kernel_definition(Server *server, const At *at, const Target *target,
                                  json_t *locations) {
    const AsmIndex *index = at->unit->result.index;
    const Definition other =
        find_global(&server->work, index->symbols[target->index].name);
    if (!other.unit)
        return;
    const AsmSpot spot = symbol_definition(other.unit->result.index, other.symbol);
    json_array_append_new(locations, spot_location(&server->work, other.unit, spot));
}

json_t *answer_definition(Server *server, const json_t *params) {
    At at;
    Target target;
    json_t *locations = json_array();
    if (find_target(server, params, &at, &target)) {
        Sites sites = sites_find(&server->work, &at, &target);
        for (int i = 0; i < sites.count; i++)
            if (sites.items[i].role == ASM_ROLE_DEFINITION)
                json_array_append_new(locations,
                                      site_location(server, &sites.items[i]));
        if (target.kind == TARGET_FILE)
            json_array_append_new(locations, file_location(server, &at, target.index));
        else if (target.kind == TARGET_SYMBOL && json_array_size(locations) == 0)
            add_kernel_definition(server, &at, &target, locations);
        sites_free(&sites);
    }
    at_free(&at);
    return locations;
}

json_t *answer_references(Server *server, const json_t *params) {
    At at;
    Target target;
    json_t *locations = json_array();
    const bool declaration = json_is_true(
        json_object_get(json_object_get(params, "context"), "includeDeclaration"));
    if (find_target(server, params, &at, &target)) {
        Sites sites = sites_find(&server->work, &at, &target);
        for (int i = 0; i < sites.count; i++)
            if (declaration || sites.items[i].role != ASM_ROLE_DEFINITION)
                json_array_append_new(locations,
                                      site_location(server, &sites.items[i]));
        sites_free(&sites);
    }
    at_free(&at);
    return locations;
}

/* The sites in the same document: definitions are written, others read. */
json_t *answer_highlight(Server *server, const json_t *params) {
    enum { READ = 2, WRITE };
    At at;
    Target target;
    json_t *highlights = json_array();
    if (find_target(server, params, &at, &target)) {
        Sites sites = sites_find(&server->work, &at, &target);
        for (int i = 0; i < sites.count; i++) {
            const Site *site = &sites.items[i];
            if (strcmp(site->unit->reals[site->at.file], at.document->real) == 0)
                json_array_append_new(
                    highlights,
                    json_pack("{s:o,s:i}", "range",
                              spot_range(&server->work, site->unit, site->at), "kind",
                              site->role == ASM_ROLE_DEFINITION ? WRITE : READ));
        }
        sites_free(&sites);
    }
    at_free(&at);
    return highlights;
}
