/* Computes when flits enter channels. With H(j) the cycle in which a worm's head enters
 * its j-th channel, and B its places, flit k enters in cycle
 *
 *     E(j,k) = max( H(j) + k,                        a flit a cycle
 *                   E(j+1, k - B)   if k >= B,       when flit k - B frees its place
 *                   E of the flit B before it, if that belongs to a worm ahead )
 *
 * That flits come no faster than from the previous channel adds nothing: the head came
 * that way too, and waits only make a worm denser. If k >= B a worm ahead adds nothing
 * either, as this one's head has moved on behind its tail. So a question is a chain of
 * steps, each of which needs a head's cycle; if that is not known yet, the question
 * waits for that worm. */
#include "net/programs/worms.h"

/* Moves to the flit `back` flits before the first of a worm in the channel of a step,
 * and on to where that flit goes next. False if it does not matter: there was none, or
 * it left long ago. */
static bool go_ahead(const Worms *worms, WormQuestion *q, uint64_t number) {
    const WormStep *step = &worm_of(worms, q->at)->step[q->at_step];
    while (worm_is_kept(worms, step->ahead)) {
        const WormStep *ahead = &worm_of(worms, step->ahead)->step[step->step_ahead];
        if (number >= ahead->first) {
            q->at = step->ahead;
            q->at_step = step->step_ahead + 1;
            q->at_flit = (uint32_t)(number - ahead->first);
            return true;
        }
        step = ahead;
    }
    return false;
}

/* Moves from flit `at_flit` entering `at_step` to the flit whose place it needs. */
static bool go_to_place(const Worms *worms, WormQuestion *q) {
    const WormStep *step = &worm_of(worms, q->at)->step[q->at_step];
    if (step->point >= worms->graph->channels)
        return false;
    const uint32_t places = worm_places(worms, step->point);
    if (q->at_flit >= places) {
        q->at_flit -= places;
        q->at_step++;
        return true;
    }
    return step->first + q->at_flit >= places &&
           go_ahead(worms, q, step->first + q->at_flit - places);
}

/* Follows the chain. True if the answer is known: `best`. */
static bool follow(const Worms *worms, WormQuestion *q) {
    do {
        const Worm *worm = worm_of(worms, q->at);
        if (q->at_step >= worm->steps || worm->step[q->at_step].head == WORM_NEVER)
            return false;
        const uint64_t head = worm->step[q->at_step].head + q->at_flit;
        if (head > q->best)
            q->best = head;
        if (worm->end <= q->best)
            return true; /* all of it has left before */
    } while (go_to_place(worms, q));
    return true;
}

static void keep(Worms *worms, const WormQuestion *q) {
    uint32_t place = worms->free_question;
    if (place != NET_NONE) {
        worms->free_question = worms->questions[place].next;
    } else {
        worms->questions =
            heap_grow(worms->heap, worms->questions, worms->question_count,
                      &worms->question_room, sizeof *worms->questions);
        place = worms->question_count++;
    }
    Worm *worm = worm_of(worms, q->at);
    worms->questions[place] = *q;
    worms->questions[place].next = worm->questions;
    worm->questions = place;
}

static void work_on(Worms *worms, WormQuestion *q) {
    if (!follow(worms, q))
        keep(worms, q);
    else if (q->ask == ASK_ROOM)
        worm_head_enters(worms, q->worm, q->best);
    else
        worm_tail_enters(worms, q->worm, q->step, q->best);
}

void worm_ask_room(Worms *worms, uint64_t number, uint64_t from) {
    const Worm *worm = worm_of(worms, number);
    const WormStep *step = &worm->step[worm->steps - 1];
    WormQuestion q = {.worm = number,
                      .step = worm->steps - 1,
                      .ask = ASK_ROOM,
                      .at = number,
                      .at_step = worm->steps - 1,
                      .best = from};
    const bool full =
        step->point < worms->graph->channels &&
        step->first >= worm_places(worms, step->point) &&
        go_ahead(worms, &q, step->first - worm_places(worms, step->point));
    if (full)
        work_on(worms, &q);
    else
        worm_head_enters(worms, number, from);
}

/* A tail's cycle depends on the head at each step that its worm then covers, so it is
 * asked for only once the known steps cover the worm or reach the sink. */
void worm_ask_tails(Worms *worms, uint64_t number) {
    Worm *worm = worm_of(worms, number);
    const uint32_t last = worm->packet.flits - 1;
    while (worm->tails < worm->steps) {
        uint32_t covered = 0, step = worm->tails;
        for (; covered <= last && step < worm->steps; step++) {
            if (worm->step[step].point >= worms->graph->channels)
                break;
            covered += worm_places(worms, worm->step[step].point);
        }
        if (step == worm->steps && covered <= last)
            return;
        WormQuestion q = {.worm = number,
                          .step = worm->tails,
                          .ask = ASK_TAIL,
                          .at = number,
                          .at_step = worm->tails,
                          .at_flit = last};
        worm->tails++;
        work_on(worms, &q);
    }
}

void worm_answer(Worms *worms, uint64_t number) {
    uint32_t next = worm_of(worms, number)->questions;
    worm_of(worms, number)->questions = NET_NONE;
    while (next != NET_NONE) {
        WormQuestion q = worms->questions[next];
        const uint32_t place = next;
        next = q.next;
        worms->questions[place].next = worms->free_question;
        worms->free_question = place;
        work_on(worms, &q);
    }
}
