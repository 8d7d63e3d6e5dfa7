/* The unknowns of the mean value analysis, and the sums of a sweep. */
#include <string.h>

#include "net/model/amva_parts.h"

void amva_unknowns_create(AmvaUnknowns *unknowns, const AmvaLayout *layout) {
    const bool requests = layout->kinds == 2;
    const size_t nodes = layout->node_orbits;
    const size_t replies = !requests         ? 0
                           : layout->by_pair ? nodes * layout->nodes
                                             : nodes;
    *unknowns = (AmvaUnknowns){.cycles = requests ? nodes : 1};
    unknowns->count = (size_t)layout->edge_orbits + layout->channel_orbits + nodes +
                      replies + unknowns->cycles;
    unknowns->x = heap_doubles(layout->heap, unknowns->count);
    unknowns->queue = heap_doubles(layout->heap, nodes);
    unknowns->edge_wait = unknowns->x;
    unknowns->wire_wait = unknowns->edge_wait + layout->edge_orbits;
    unknowns->node_wait = unknowns->wire_wait + layout->channel_orbits;
    unknowns->reply_wait = unknowns->node_wait + nodes;
    unknowns->cycle = unknowns->reply_wait + replies;
}

void amva_unknowns_start(AmvaUnknowns *unknowns, const AmvaLayout *layout) {
    memset(unknowns->x, 0, unknowns->count * sizeof *unknowns->x);
    double service = 0; /* the mean over nodes, as it rounds: results keep their bits */
    for (uint32_t i = 0; i < layout->node_orbits; i++) {
        unknowns->queue[i] = layout->problem.outstanding / 2.0;
        service += layout->problem.service * layout->node_size[i] / layout->nodes;
    }
    const double visits = layout->kinds == 1 ? layout->nodes : 1;
    for (size_t i = 0; i < unknowns->cycles; i++)
        unknowns->cycle[i] = visits * (4 * service + 100);
}

void amva_sums_create(AmvaSums *sums, const AmvaLayout *layout) {
    const size_t edges = layout->edge_orbits, kinds = layout->kinds;
    const size_t orbits = layout->node_orbits;
    Heap *const heap = layout->heap;
    *sums = (AmvaSums){.stride = kinds * layout->flits};
    sums->rate = heap_doubles(heap, edges * kinds);
    sums->stay = heap_doubles(heap, edges * sums->stride);
    sums->before = heap_doubles(heap, edges * sums->stride);
    sums->sent = heap_doubles(heap, orbits);
    sums->answered = heap_doubles(heap, orbits);
    if (layout->by_pair) {
        sums->source_stay = heap_doubles(heap, orbits * layout->nodes * layout->flits);
    } else if (layout->corrected) {
        sums->source_all = heap_doubles(heap, orbits);
        sums->own = heap_doubles(heap, orbits * orbits);
    }
}

void amva_sums_clear(AmvaSums *sums, const AmvaLayout *layout) {
    const size_t edges = layout->edge_orbits;
    memset(sums->rate, 0, edges * layout->kinds * sizeof(double));
    memset(sums->stay, 0, edges * sums->stride * sizeof(double));
    memset(sums->before, 0, edges * sums->stride * sizeof(double));
    memset(sums->sent, 0, layout->node_orbits * sizeof(double));
    memset(sums->answered, 0, layout->node_orbits * sizeof(double));
}
