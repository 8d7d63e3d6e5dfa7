/* Solves a point of an experiment by a model instead of running the machine. The record
 * is a JSON object, kept like that of a run (run/trial.h):
 *
 *   key, version
 *   stop       "solved", "clipped", "saturated" or "not converged"
 *   status     0: a point without a solution is no failure
 *   the figures of the model, all null without a solution
 *
 * closed, servers:
 *   per_node   K/N
 *   p_no_overflow, overflow_rate           the rate in the time of one service
 * closed:
 *   log10_s, log10_t, p_run_length, p_product, rate_exact, rate_first
 * closed with `slow`, servers:
 *   mean_first, p_full                     of server 0; so is the rate of `closed`
 * estimate:
 *   p_run_length, queue_needed, most_per_node
 * servers of few customers:
 *   chi_square, stacked                    of the time spent in each state
 * amva:
 *   rate, bisection, sweeps
 *   channels                               of a node, that of priority 0
 *   channel_values, node_values            that the model has without symmetry
 *   node_queue, processor_queue            by node
 * network:
 *   rate, bisection
 *   packing                                flits in a channel of a blocked message
 *   node_queue                             by node: all messages there
 * confluence:
 *   accepted                               by node: flits a cycle
 * abstract:
 *   T                                      makespan; null if it came to a deadlock
 *   deadlock                               1 if it did
 *   overflows, overflows1                  times a queue of priority 0, 1 became full
 *   first_overflow, first_node             cycle and place; null if there was none
 *   longest, longest1                      words of the longest queue
 *   share1                                 share of messages sent at priority 1
 *   spilled, spill_peak                    words in all; most in a node's rings
 * cube:
 *   the columns of a row of Scott and Goodman's figures 5, 7, 9, and radix
 * optimum:
 *   best_dimensions, best_radix, latency, latency_wires
 * cube_node:
 *   radix, link_width, max_throughput, throughput, latency, latency_half, dropped,
 *   link_used, converged (1 or 0), iterations
 * memory, poisson:
 *   the measures of the workload (`jm net list`), and NAME_half for each: half of its
 *   95 % interval by 20 batches
 *   state                                  as of jm net run: whether it had settled
 * memory:
 *   by_processor                           efficiency of each, percent
 *   processors, L_msg1, L_resp1, L_msg2, L_resp2
 * poisson:
 *   blocking_per_hop                       latency above that of an empty network
 * shared:
 *   sweeps, by_processor; of the measures of `memory` processor_efficiency,
 *   max_efficiency, min_efficiency, max_min_ratio, network_residence_time,
 *   response_time
 *   node_wait_middle, node_wait_ends       of messages that leave a column's nodes, its
 *                                          inner half, its ends
 *   first_channel_middle, first_channel_ends   cycles of a head on the first channel
 * adaptive:
 *   mean_latency, blocking_per_hop
 * routes:
 *   mean_distance                          wires between two nodes
 *   high_share                             of the routes over the wire that leaves
 *                                          `row`, percent that use its upper lane */
#ifndef JM_TOOLS_EXP_MODELS_SOLVE_H
#define JM_TOOLS_EXP_MODELS_SOLVE_H

#include <jansson.h>

#include "tools/exp/plan/settings.h"

/* Called some times a second; true: the result is no longer wanted. */
typedef bool ModelStop(void *context);

/* Whether a model solves the point. */
bool model_solves(const Settings *settings);

/* Solves a point and returns its record. Returns NULL and fills `error` for settings
 * that do not fit together or without memory; NULL with an empty text in `error` if
 * `stop` ended the work. */
json_t *model_solve(const Settings *settings, uint64_t seed, ModelStop *stop,
                    void *context, JmError *error);

/* Estimates the time of a point, as the machine cycles of a run that takes as long. */
double model_work(const Settings *settings);

#endif
