/* Messages to and from an editor; see rpc.h. */
#include "tools/host/rpc.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "emu/core/printable.h"
#include "tools/host/memory.h"
#include "tools/host/progress.h"

enum { CHUNK = 65536 };

bool rpc_open(Rpc *rpc, const char *program, const char *log, JmError *error) {
    *rpc = (Rpc){.program = program};
    if (!log)
        return true;
    rpc->log = fopen(log, "w");
    return rpc->log ||
           jm_fail(error, log, "cannot write '%s': %s", log, strerror(errno));
}

void rpc_close(Rpc *rpc) {
    free(rpc->read.bytes);
    if (rpc->log)
        fclose(rpc->log);
}

/* A message may hold line ends between its values; a line of the log must not. */
static void log_message(const Rpc *rpc, const char *arrow, const char *text,
                        size_t length) {
    if (!rpc->log)
        return;
    fprintf(rpc->log, "%s ", arrow);
    for (size_t i = 0; i < length; i++)
        putc(text[i] == '\n' || text[i] == '\r' ? ' ' : text[i], rpc->log);
    putc('\n', rpc->log);
    fflush(rpc->log);
}

/* ---- reading --------------------------------------------------------------------- */

static RpcResult broken(const Rpc *rpc, const char *what) {
    fprintf(stderr, "%s: error: standard input: %s\n", rpc->program, what);
    return RPC_BROKEN;
}

/* Where the header ends and the message begins; 0: not all of the header is there. */
static size_t header_length(const Rpc *rpc) {
    for (size_t i = 0; i + 4 <= rpc->read.length; i++)
        if (memcmp(rpc->read.bytes + i, "\r\n\r\n", 4) == 0)
            return i + 4;
    return 0;
}

/* Reads the number behind "Content-Length:", which ends the line. */
static bool read_length(const char *at, size_t *length) {
    while (*at == ' ' || *at == '\t')
        at++;
    if (!isdigit((unsigned char)*at))
        return false;
    *length = 0;
    for (; isdigit((unsigned char)*at) && *length <= RPC_MESSAGE_MAX; at++)
        *length = *length * 10 + (size_t)(*at - '0');
    return strncmp(at, "\r\n", 2) == 0 || *length > RPC_MESSAGE_MAX;
}

/* Looks at the header of `end` bytes; NULL, or what is wrong with it. Fields other than
 * the length are stepped over. */
static const char *read_header(const Rpc *rpc, size_t end, size_t *length) {
    static const char name[] = "Content-Length:";
    bool found = false;
    for (const char *at = rpc->read.bytes, *stop = at + end - 2; at < stop;) {
        const char *line_end = memchr(at, '\n', (size_t)(stop - at));
        if (strncasecmp(at, name, sizeof name - 1) == 0) {
            if (!read_length(at + sizeof name - 1, length))
                return "Content-Length is not a number";
            found = true;
        }
        at = line_end ? line_end + 1 : stop;
    }
    if (!found)
        return "a message without Content-Length";
    return *length > RPC_MESSAGE_MAX ? "a message of more than 64 MiB" : NULL;
}

/* Editors send what stands in a text, which may be half a character: bytes that are not
 * UTF-8 become U+FFFD, so that the rest is understood. */
static json_t *load(const char *text, size_t length, json_error_t *error) {
    enum { FLAGS = JSON_ALLOW_NUL | JSON_DECODE_ANY };
    json_t *message = json_loadb(text, length, FLAGS, error);
    if (message || jm_is_utf8(text, length))
        return message;
    char *bytes = memory_text("%.*s", (int)length, text);
    const size_t size = length * JM_UTF8_FACTOR + 1;
    char *valid = memory_array(size, 1);
    message = json_loads(jm_utf8(bytes, valid, size), FLAGS, error);
    free(valid);
    free(bytes);
    return message;
}

static RpcResult parse(Rpc *rpc, const char *text, size_t length, json_t **message) {
    json_error_t error;
    log_message(rpc, "<-", text, length);
    *message = load(text, length, &error);
    if (*message)
        return RPC_MESSAGE;
    snprintf(rpc->wrong, sizeof rpc->wrong, "%s", error.text);
    return RPC_NO_JSON;
}

/* Takes the first message from what was read; RPC_NOTHING if it is not whole. */
static RpcResult take(Rpc *rpc, json_t **message) {
    const size_t header = header_length(rpc);
    size_t length = 0;
    if (header == 0)
        return rpc->read.length > RPC_HEADER_MAX
                   ? broken(rpc, "a message without a header")
                   : RPC_NOTHING;
    const char *problem = read_header(rpc, header, &length);
    if (problem)
        return broken(rpc, problem);
    if (rpc->read.length - header < length)
        return RPC_NOTHING;
    const RpcResult result = parse(rpc, rpc->read.bytes + header, length, message);
    rpc->read.length -= header + length;
    memmove(rpc->read.bytes, rpc->read.bytes + header + length, rpc->read.length);
    return result;
}

/* Reads what is there, at least a byte; false at the end of the input. */
static bool fill(Rpc *rpc) {
    char *chunk = memory_room(&rpc->read, CHUNK);
    ssize_t got;
    do
        got = read(STDIN_FILENO, chunk, CHUNK);
    while (got < 0 && errno == EINTR);
    if (got <= 0)
        return false;
    rpc->read.length += (size_t)got;
    rpc->read.bytes[rpc->read.length] = '\0';
    return true;
}

/* Whether there is input, or its end, before the clock is at `until`; a negative time
 * never comes. */
static bool wait_until(double until) {
    for (;;) {
        const double left = (until - progress_clock(NULL)) * 1000;
        struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
        const int ready = poll(&input, 1, until < 0 ? -1 : left > 0 ? (int)left : 0);
        if (ready != 0 && !(ready < 0 && errno == EINTR))
            return true;
        if (ready == 0)
            return false;
    }
}

RpcResult rpc_read(Rpc *rpc, int milliseconds, json_t **message) {
    const double until =
        milliseconds < 0 ? -1 : progress_clock(NULL) + milliseconds / 1000.0;
    *message = NULL;
    for (;;) {
        const RpcResult result = take(rpc, message);
        if (result != RPC_NOTHING)
            return result;
        if (!wait_until(until))
            return RPC_NOTHING;
        if (!fill(rpc))
            return rpc->read.length > 0 ? broken(rpc, "it ends inside a message")
                                        : RPC_END;
    }
}

/* ---- writing --------------------------------------------------------------------- */

void rpc_write(Rpc *rpc, json_t *message) {
    char *text = memory_checked(json_dumps(message, JSON_COMPACT));
    const size_t length = strlen(text);
    printf("Content-Length: %zu\r\n\r\n", length);
    fwrite(text, 1, length, stdout);
    fflush(stdout);
    log_message(rpc, "->", text, length);
    free(text);
    json_decref(message);
}
