/* Streams to pipes that nobody may read. Programs that keep results block the signals
 * that ask them to end, and would never end if a write waited forever. Anyone may
 * include this header. */
#ifndef JM_CORE_PIPES_H
#define JM_CORE_PIPES_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Number of signals in jm_ending_signals. */
enum { JM_ENDING_SIGNALS = 5 };

/* Signals that ask a program to end: SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, and last
 * SIGINT, which some programs take as a request to interrupt a command. */
extern const int jm_ending_signals[JM_ENDING_SIGNALS];

/* Returns a pending signal that asks this program to end and that it blocks; 0: none.
 * SIGINT is returned only if no other is pending. Signals that the program ignores do
 * not count. */
int jm_pending_signal(void);

/* Whether a descriptor is a pipe or socket, whose reader may let it fill up. */
bool jm_is_pipe(int descriptor);

/* Returns a new stream that writes to an open descriptor, or NULL with errno; fclose()
 * closes the descriptor. For a pipe or socket the stream gives up when the reader has
 * taken nothing for two seconds and a signal is pending: that write and all later ones
 * fail with EINTR. Without a pending signal it waits like any other stream. */
FILE *jm_pipe_stream(int descriptor);

#ifdef __cplusplus
}
#endif

#endif
