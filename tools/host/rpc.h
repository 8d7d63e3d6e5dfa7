/* Messages to and from an editor: JSON behind a header that gives its length, over
 * standard input and output. The language server and the debug adapter share this.
 *
 *     Content-Length: 17\r\n
 *     \r\n
 *     {"jsonrpc":"2.0"} */
#ifndef JM_TOOLS_HOST_RPC_H
#define JM_TOOLS_HOST_RPC_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "emu/core/status.h"
#include "tools/host/memory.h"

enum {
    RPC_MESSAGE_MAX = 64 << 20, /* bytes of a message */
    RPC_HEADER_MAX = 4096,      /* bytes of the lines in front of it */
    RPC_BROKEN_STATUS = 1,      /* exit status after broken framing */
    RPC_FOR_EVER = -1
};

/* Results of rpc_read(). */
typedef enum {
    RPC_MESSAGE, /* a value of JSON */
    RPC_NO_JSON, /* a message that is not JSON; the next one can be read */
    RPC_NOTHING, /* no whole message came in time */
    RPC_END,     /* the input has ended between two messages */
    RPC_BROKEN /* the framing is broken, which was reported; nothing more can be read */
} RpcResult;

typedef struct {
    const char *program; /* the program's name, which begins its error messages */
    FILE *log;           /* gets both directions, a message a line; NULL: none */
    MemoryBytes read;    /* that no message was taken from yet */
    char wrong[JSON_ERROR_TEXT_LENGTH]; /* of RPC_NO_JSON: why */
} Rpc;

/* Begins; with a `log` other than NULL writes a log there. Returns false and fills
 * `error` if that file cannot be written. */
bool rpc_open(Rpc *rpc, const char *program, const char *log, JmError *error);
/* Reads a message, which the caller owns. Waits for it as long as `milliseconds`; 0
 * looks whether one is there. Broken framing is reported in one line on standard error.
 */
RpcResult rpc_read(Rpc *rpc, int milliseconds, json_t **message);
/* Writes a message and takes it over. */
void rpc_write(Rpc *rpc, json_t *message);
void rpc_close(Rpc *rpc);

#endif
