/* Texts for nodes, places, words, source lines and channels, and back. For emu/debug.
 * Functions that take a buffer return it. */
#ifndef JM_DEBUG_TALK_NAMES_H
#define JM_DEBUG_TALK_NAMES_H

#include "emu/debug/talk/talk.h"
#include "net/net.h"

/* ---- nodes ----------------------------------------------------------------------- */

/* Returns the context that registers without a suffix mean: the selected one, or that
 * which runs. */
JmContext context_of(const JmDebug *d, unsigned node);
/* Returns a node of the machine. */
const Node *node_at(const JmDebug *d, unsigned node);
/* Returns the address of the running context's next instruction. */
uint32_t address_of_ip(const JmDebug *d, unsigned node);
/* Returns what a node does, such as "waiting to send", and its letter for pictures. */
const char *activity_of(const JmDebug *d, unsigned node, char *letter);
/* What to say of a queue whose network input is shut, or "". */
const char *gate_text(const Node *node, unsigned priority);
/* Says a node, what it does and its next instruction: "01012 main+4  add r0,1,r0". */
void say_next(JmDebug *d, unsigned node);
/* Lets `x`, `list` and `disassemble` begin anew. */
void look_anew(JmDebug *d);

/* ---- as text --------------------------------------------------------------------- */

/* Returns a file's name without its folders, which are those of a build. */
const char *file_name(const char *path);
/* Writes a place, "01012 main+4", with the source line if `line`. */
const char *place_text(const JmDebug *d, uint32_t address, bool line, char *buffer,
                       size_t size);
/* Writes a node: "node 5 (5,0,0)". */
const char *node_text(const JmDebug *d, unsigned node, char *buffer, size_t size);
/* Writes a word as TAG:HEX8 and what it means: "MSG:00401402  main, 2 words". */
const char *word_text(const JmDebug *d, JmWord word, char *buffer, size_t size);

/* ---- source lines ---------------------------------------------------------------- */

/* Returns the source line of a node's next instruction. */
SourceLine line_of_next(const JmDebug *d, unsigned node);
/* Whether two lines are one; two unknown ones are. */
bool same_line(SourceLine a, SourceLine b);
/* Returns the file of the program that a name, or the end of its path, means, or
 * NULL. */
const char *source_file(const JmDebug *d, const char *file, size_t length);
/* Finds the nearest lines of a file that begin a word of code; 0: none. */
void lines_around(const JmDebug *d, const char *file, size_t length, int line,
                  int *below, int *above);
/* Whether a source line begins a word of code; *address is that word. */
bool line_address(const JmDebug *d, const char *file, size_t length, int line,
                  uint32_t *address);

/* ---- channels and messages ------------------------------------------------------- */

/* Writes a node's position: "1,2,0". */
const char *position_text(const JmDebug *d, unsigned node, char text[SHORT_TEXT]);
/* Writes a channel by its state: "1,2,0 p0 +X". */
const char *channel_text(const JmDebug *d, const NetChannelState *c,
                         char text[SHORT_TEXT]);
/* Writes a channel by its number. */
const char *channel_name(const JmDebug *d, int32_t channel, char text[SHORT_TEXT]);
/* Appends a channel to a path, "2,0,0 -X; 1,0,0 -X; 0,0,0 RX RY RZ". A node, kept in
 * *node, is named once. */
void path_add(const JmDebug *d, Text *path, unsigned *node, uint32_t channel);
/* Returns the channel that messages from `source` to `destination` enter first. */
uint32_t first_channel(const JmDebug *d, unsigned source, unsigned destination,
                       unsigned priority);
/* Whether a message has words still to come. Its number may be in use a little
 * longer. */
bool message_flies(const Net *net, uint32_t number, NetMessageState *state);

#endif
