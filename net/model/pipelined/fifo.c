#include "net/model/pipelined/fifo_inline.h"

#include <stdlib.h>

enum { FIRST_ROOM = 16 };

static bool grow(Fifo *fifo) {
    const unsigned room = fifo->room ? 2 * fifo->room : FIRST_ROOM;
    Packet *items = room > fifo->room ? malloc(room * sizeof *items) : NULL;
    if (!items)
        return false;
    for (unsigned i = 0; i < fifo->count; i++)
        items[i] = fifo->items[(fifo->first + i) & (fifo->room - 1)];
    free(fifo->items);
    *fifo = (Fifo){items, 0, fifo->count, room};
    return true;
}

Packet *fifo_push(Fifo *fifo, Packet packet) {
    if (fifo->count == fifo->room && !grow(fifo))
        return NULL;
    Packet *place = &fifo->items[(fifo->first + fifo->count++) & (fifo->room - 1)];
    *place = packet;
    return place;
}

void fifo_pop(Fifo *fifo) {
    fifo->first = (fifo->first + 1) & (fifo->room - 1);
    fifo->count--;
}

void fifo_free(Fifo *fifo) {
    free(fifo->items);
    *fifo = (Fifo){0};
}
