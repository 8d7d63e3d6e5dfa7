/* Nodes, places, words, source lines and channels by name. For emu/debug. */
#ifndef JM_DEBUG_TALK_NAMES_H
#define JM_DEBUG_TALK_NAMES_H

#include "emu/debug/talk/talk.h"
#include "net/net.h"

/* ---- nodes ----------------------------------------------------------------------- */

JmContext context_of(const JmDebug *d, unsigned node);
const Node *node_at(const JmDebug *d, unsigned node);
/* Where the next instruction of the running context lies. */
uint32_t address_of_ip(const JmDebug *d, unsigned node);
/* "wait": what a node does, in one word, and its letter for pictures. */
const char *activity_of(const JmDebug *d, unsigned node, char *letter);
/* The next instruction as text: "01012 main+4  add r0,1,r0". */
void say_next(JmDebug *d, unsigned node);
/* `x`, `list` and `disassemble` begin anew. */
void look_anew(JmDebug *d);

/* ---- as text --------------------------------------------------------------------- */

/* A file without its folders: those of a build are of no interest. */
const char *file_name(const char *path);
/* "01012 main+4", with the source line if `line`. */
const char *place_text(const JmDebug *d, uint32_t address, bool line, char *buffer,
                       size_t size);
/* "node 5 (5,0,0)" */
const char *node_text(const JmDebug *d, unsigned node, char *buffer, size_t size);
/* A word as TAG:HEX8 and what it means ("MSG:00401402 main,2"). */
const char *word_text(const JmDebug *d, JmWord word, char *buffer, size_t size);

/* ---- source lines ---------------------------------------------------------------- */

/* That of a node's next instruction. */
SourceLine line_of_next(const JmDebug *d, unsigned node);
bool same_line(SourceLine a, SourceLine b);
/* The file of the program that is meant by a name, or by the end of its path; NULL. */
const char *source_file(const JmDebug *d, const char *file, size_t length);
/* The nearest lines of a file that have a word of code; 0: none. */
void lines_around(const JmDebug *d, const char *file, size_t length, int line,
                  int *below, int *above);
/* Whether an address is that of a source line; fills `address`. */
bool line_address(const JmDebug *d, const char *file, size_t length, int line,
                  uint32_t *address);

/* ---- channels and messages ------------------------------------------------------- */

/* "1,2,0" */
const char *position_text(const JmDebug *d, unsigned node, char text[SHORT_TEXT]);
/* "1,2,0 p0 +X": of a channel's state, or of its number. */
const char *channel_text(const JmDebug *d, const NetChannelState *c,
                         char text[SHORT_TEXT]);
const char *channel_name(const JmDebug *d, int32_t channel, char text[SHORT_TEXT]);
/* Adds a channel to a path, "2,0,0 -X; 1,0,0 -X; 0,0,0 RX RY RZ": a node, kept in
 * `*node`, is named once. */
void path_add(const JmDebug *d, Text *path, unsigned *node, uint32_t channel);
/* The channel that messages from `source` to `destination` enter first. */
uint32_t first_channel(const JmDebug *d, unsigned source, unsigned destination,
                       unsigned priority);
/* Whether a message has words to come; a number may be in use a little longer. */
bool message_flies(const Net *net, uint32_t number, NetMessageState *state);

#endif
