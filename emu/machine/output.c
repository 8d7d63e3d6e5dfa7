/* Collects the characters that nodes write to the host into lines.
 *
 * Characters wait at their node until its line is complete, so that lines of different
 * nodes do not mix. A line is written in the cycle of its newline; within a cycle nodes
 * run by rank, so lines come by rank. Unfinished lines are written, by rank, when the
 * run ends. The lines of a kernel's report of a fault wait for its last one, because
 * other nodes may report at the same time. A line begins with "node N: " if more than
 * one node has written a character by then. A line that reaches OUTPUT_LINE_MAX
 * characters is written up to there; text of another node that comes before its end
 * begins on a new line. */
#include <stdio.h>
#include <string.h>

#include "emu/machine/calls_inline.h"
#include "emu/machine/machine.h"

enum { OUTPUT_PREFIX_MAX = 32 };

/* How messages of the kernel begin, the first line of a report of kernel/fault.s, and
 * its last. */
static const char kernel_begins[] = "kernel: ", report_begins[] = "kernel: fault ",
                  report_ends[] = "\n  FOP1 ";

/* Counts text and passes it to the writer, if there is one. */
static void emit(Output *output, const char *bytes, size_t count) {
    if (!count)
        return;
    output->bytes += count;
    if (output->writer)
        output->writer(output->context, bytes, count);
}

/* Writes text of a node: a whole line, a part of one, or its rest. */
static void emit_text(Output *output, uint32_t node, const char *bytes, size_t count) {
    const uint32_t before = output->open;
    if (before != OUTPUT_NOBODY && before != node)
        emit(output, "\n", 1);
    output->open = node;
    if (before != node && output->several) {
        char prefix[OUTPUT_PREFIX_MAX];
        const int length = snprintf(prefix, sizeof prefix, "node %u: ", node);
        emit(output, prefix, (size_t)length);
    }
    emit(output, bytes, count);
    if (bytes[count - 1] == '\n')
        output->open = OUTPUT_NOBODY;
}

static bool begins(const OutputLine *line, const char *text) {
    return line->count >= strlen(text) && memcmp(line->bytes, text, strlen(text)) == 0;
}

/* Whether whole lines wait for more of a report. */
static bool is_unfinished(const OutputLine *line) {
    const size_t length = strlen(report_ends);
    if (!begins(line, report_begins) || line->count >= OUTPUT_LINE_MAX)
        return false;
    for (size_t i = 0; i + length <= line->count; i++)
        if (memcmp(line->bytes + i, report_ends, length) == 0)
            return false;
    return true;
}

/* Writes a node's collected text: a line, a part of one, or a report. */
static void emit_line(Output *output, uint32_t node) {
    OutputLine *line = &output->line[node];
    for (size_t at = 0; at < line->count;) {
        const char *end = memchr(line->bytes + at, '\n', line->count - at);
        const size_t next = end ? (size_t)(end - line->bytes) + 1 : line->count;
        emit_text(output, node, line->bytes + at, next - at);
        at = next;
    }
    line->count = 0;
}

/* Adds a character to a line. */
static void collect(OutputLine *line, Heap *heap, char byte) {
    line->bytes = heap_grow(heap, line->bytes, line->count, &line->capacity, 1);
    line->bytes[line->count++] = byte;
}

/* Writes characters immediately, after what had been collected before. */
static void put_raw(Output *output, uint32_t node, const char *bytes, size_t count) {
    emit_line(output, node);
    emit(output, bytes, count);
    output->open = bytes[count - 1] == '\n' ? OUTPUT_NOBODY : node;
}

void output_put(JmMachine *machine, uint32_t node, const char *bytes, size_t count) {
    Output *output = &machine->output;
    if (machine_is_starved(machine))
        return; /* its nodes may compute wrong results */
    if (output->first == OUTPUT_NOBODY)
        output->first = node;
    output->several |= output->first != node;
    if (output->raw) {
        put_raw(output, node, bytes, count);
        return;
    }
    OutputLine *line = &output->line[node];
    for (size_t i = 0; i < count; i++) {
        collect(line, machine->heap, bytes[i]);
        if ((bytes[i] == '\n' && !is_unfinished(line)) ||
            line->count == OUTPUT_LINE_MAX)
            emit_line(output, node);
    }
}

/* Drops the last line of a report if it is unfinished: the run ended in its middle. */
static void cut_report(OutputLine *line) {
    uint32_t whole = line->count;
    while (whole && line->bytes[whole - 1] != '\n')
        whole--;
    line->count = whole ? whole : line->count;
}

void output_end(JmMachine *machine) {
    Output *output = &machine->output;
    for (uint32_t i = 0; i < machine->nodes; i++) {
        const bool kernel = begins(&output->line[i], kernel_begins);
        if (kernel)
            cut_report(&output->line[i]);
        emit_line(output, i);
        if (kernel && output->open == i) {
            emit(output, "\n", 1);
            output->open = OUTPUT_NOBODY;
        }
    }
}

/* ---- checkpoints ----------------------------------------------------------------- */

/* Returns how many lines are unfinished. */
static uint32_t count_lines(const JmMachine *machine) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < machine->nodes; i++)
        count += machine->output.line[i].count > 0;
    return count;
}

static void save_lines(Archive *archive, const JmMachine *machine) {
    uint32_t lines = count_lines(machine);
    jm_archive_count(archive, &lines);
    for (uint32_t i = 0; lines && i < machine->nodes; i++) {
        OutputLine *line = &machine->output.line[i];
        if (!line->count)
            continue;
        jm_archive_u32(archive, &i, UINT32_MAX);
        jm_archive_count(archive, &line->count);
        jm_archive_block(archive, line->bytes, line->count);
    }
}

static void load_line(Archive *archive, JmMachine *machine) {
    uint32_t node = 0, count = 0;
    char text[OUTPUT_LINE_MAX];
    jm_archive_u32(archive, &node, machine->nodes - 1);
    jm_archive_count(archive, &count);
    if (!archive_demand(archive, count < OUTPUT_LINE_MAX))
        return;
    jm_archive_block(archive, text, count);
    OutputLine *line = &machine->output.line[node];
    for (uint32_t i = 0; i < count && archive_good(archive); i++)
        collect(line, machine->heap, text[i]);
    archive_demand(archive, line->count == count); /* a node has one line */
}

static void load_lines(Archive *archive, JmMachine *machine) {
    uint32_t lines = 0;
    for (uint32_t i = 0; i < machine->nodes; i++)
        machine->output.line[i].count = 0;
    jm_archive_count(archive, &lines);
    for (uint32_t i = 0; i < lines && archive_good(archive); i++)
        load_line(archive, machine);
}

void output_archive(Archive *archive, JmMachine *machine) {
    Output *output = &machine->output;
    jm_archive_u64(archive, &output->bytes, UINT64_MAX);
    jm_archive_index(archive, &output->first, machine->nodes);
    jm_archive_index(archive, &output->open, machine->nodes);
    jm_archive_bool(archive, &output->several);
    if (archive->saving)
        save_lines(archive, machine);
    else
        load_lines(archive, machine);
}

/* ---- the public interface -------------------------------------------------------- */

void jm_set_output(JmMachine *machine, JmOutput *output, void *context) {
    call_looks(machine);
    machine->output.writer = output;
    machine->output.context = context;
}

void jm_set_raw_output(JmMachine *machine, bool raw) {
    call_looks(machine);
    machine->output.raw = raw;
}

void jm_end_output(JmMachine *machine) {
    call_changes(machine);
    output_end(machine);
}

uint64_t jm_output_bytes(const JmMachine *machine) {
    call_looks(machine);
    return machine->output.bytes;
}
