/* The command `jm net trace`: writes message-passing programs. */
#include <stdio.h>
#include <stdlib.h>

#include "asm/objects/bytes.h"
#include "emu/core/outfile.h"
#include "net/programs/programs.h"
#include "tools/host/host.h"
#include "tools/host/outputs.h"
#include "tools/jm/commands.h"
#include "tools/model/request.h"
#include "tools/net/net.h"

static const char command[] = "jm net trace";
enum { WORD_BYTES = 4, MESSAGE_BYTES = 128 };

/* The parsed command line: either `program`, a NetProgramKind, is to be generated, or
 * the file `records` to be converted. */
typedef struct {
    FrameAsked asked;
    uint32_t program, nodes, bytes, rounds, from, to;
    const char *records, *output;
    JmInputs inputs; /* files that were read */
} Request;

/* Returns programs made of a file of records; NULL and an error. The caller destroys
 * them. */
static NetPrograms *convert(Request *request, JmError *error) {
    size_t size;
    unsigned char *text = asm_bytes_read(request->records, &size, error);
    jm_inputs_add(&request->inputs, request->records);
    NetPrograms *programs =
        text ? net_programs_convert(request->records, (const char *)text, size,
                                    request->nodes, request->bytes, error)
             : NULL;
    free(text);
    return programs;
}

/* Returns programs of one of the known kinds; NULL and an error. The caller destroys
 * them. */
static NetPrograms *generate(const Request *request, JmError *error) {
    const NetProgramPlan plan = {.kind = (NetProgramKind)request->program,
                                 .nodes = request->nodes,
                                 .bytes = request->bytes,
                                 .rounds = request->rounds,
                                 .from = request->from,
                                 .to = request->to};
    return net_programs_generate(&plan, error);
}

static bool write_line(void *stream, const char *line) {
    return fprintf(stream, "%s\n", line) > 0;
}

/* The file is complete or not written at all. */
static bool write_programs(const NetPrograms *programs, const Request *request,
                           JmError *error) {
    JmOutFile out;
    const char *path = request->output ? request->output : "-";
    if (!outputs_open(&(Output){&out, path}, 1, &request->inputs, error))
        return false;
    net_programs_write(programs, write_line, out.stream);
    return jm_outfile_commit(&out, error);
}

#define OPTIONS "tools/net/trace.def"
#define OPTION_FIELDS Request
#include "tools/host/option_table.def"

static const Frame frame = {
    .options = {.command = command, OPTION_TABLE, .alone = true},
    .column = MODEL_COLUMN,
    .head = "Usage: jm net trace --program NAME|--records FILE [OPTION]...\n"
            "Writes message-passing programs for jm net run --workload trace=FILE:\n"
            "what each node does, a line for each operation.\n\n"
            "  programs 1       the first line\n"
            "  nodes 2          how many there are\n"
            "  node 0           what follows is done by node 0, in order\n"
            "    compute 50     nothing else for 50 cycles\n"
            "    send 1 128     128 bytes to node 1, until it has received them\n"
            "    post 1 128     the same, until they have left\n"
            "    receive 1      waits for a message of node 1; any: of anyone\n"
            "  # a comment\n",
};

/* Fills in defaults that depend on other options; false if some options conflict. */
static bool complete(Request *request, JmError *error) {
    const bool program =
        option_is_given(&frame.options, request->asked.given, "program");
    if (program == (request->records != NULL))
        return jm_fail(error, command,
                       program ? "--program and --records exclude each other"
                               : "--program or --records is missing");
    if (!request->bytes)
        request->bytes = program ? MESSAGE_BYTES : WORD_BYTES;
    if (!request->rounds)
        request->rounds =
            net_program_rounds((NetProgramKind)request->program, request->nodes);
    if (!option_is_given(&frame.options, request->asked.given, "to"))
        request->to = request->nodes - 1;
    return true;
}

int net_command_trace(int argc, char **argv) {
    Request request = {.nodes = 64};
    JmError error;
    const int status = frame_options(&frame, argc, argv, &request);
    if (status != FRAME_GO_ON)
        return status;
    NetPrograms *programs = NULL;
    if (complete(&request, &error))
        programs =
            request.records ? convert(&request, &error) : generate(&request, &error);
    const bool good = programs && write_programs(programs, &request, &error);
    net_programs_destroy(programs);
    jm_inputs_free(&request.inputs);
    return good || host_report_for(command, &error) ? EXIT_SUCCESS : EXIT_USAGE;
}
