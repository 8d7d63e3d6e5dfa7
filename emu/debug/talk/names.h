/* Texts for nodes, places, words, source lines and channels, and back.
 * For emu/debug. */
#ifndef JM_DEBUG_TALK_NAMES_H
#define JM_DEBUG_TALK_NAMES_H

#include "emu/debug/talk/talk.h"
#include "net/net.h"

/* ---- nodes ----------------------------------------------------------------------- */

/* Returns the context that registers without a suffix mean: the selected one, or the
 * running one. */
JmContext context_of(const JmDebug *d, unsigned node);
/* Returns a node of the machine. */
const Node *node_at(const JmDebug *d, unsigned node);
/* Returns the address of the running context's next instruction. */
uint32_t address_of_ip(const JmDebug *d, unsigned node);
/* The activity of a node. */
typedef enum {
    ACTIVITY_STOPPED,
    ACTIVITY_NOT_STARTED,
    ACTIVITY_IDLE,
    ACTIVITY_FAULT,
    ACTIVITY_WAITING, /* to send */
    ACTIVITY_SENDING,
    ACTIVITY_BACKGROUND,
    ACTIVITY_TASK_0,
    ACTIVITY_TASK_1
} Activity;
Activity activity_of(const JmDebug *d, unsigned node);
/* Return an activity's text, such as "waiting to send", and its letter for pictures. */
const char *activity_text(Activity activity);
char activity_letter(Activity activity);
/* Returns what a queue's network input is, such as "shut by the brake", or `otherwise`
 * if nothing but the queue itself shuts it; NULL: it is open. */
const char *gate_text(const JmDebug *d, unsigned rank, unsigned priority,
                      const char *otherwise);

/* Prints where a node stands: "node 0 (0,0,0) idle: 01012 main+4  add r0,1,r0". */
void say_next(JmDebug *d, unsigned node);
/* Returns the place of the running context's next instruction. */
JmDebugPlace next_of(const JmDebug *d, unsigned node);
/* Makes `x`, `list` and `disassemble` start over. */
void look_anew(JmDebug *d);

/* ---- as text --------------------------------------------------------------------- */

/* Each of these texts lives until TEXTS others have been made. */

/* Returns a file's name without its folders, which are those of a build. */
const char *file_name(const char *path);
/* Returns the same without control characters. */
const char *file_text(const JmDebug *d, const char *path);
/* Returns a place, "01012 main+4", with the source line if `line`. */
const char *place_text(const JmDebug *d, uint32_t address, bool line);
/* Returns a node: "node 5 (5,0,0)". */
const char *node_text(const JmDebug *d, unsigned node);
/* Returns a word as TAG:HEX8. */
const char *bits_text(const JmDebug *d, JmWord word);
/* Returns a word and what it means: "MSG:00401402  main, 2 words". */
const char *word_text(const JmDebug *d, JmWord word);
/* Returns an instruction of a word in assembly. */
const char *code_text(const JmDebug *d, JmWord word, bool low);

/* ---- source lines ---------------------------------------------------------------- */

/* Whether two places are the same instruction. */
bool same_place(JmDebugPlace a, JmDebugPlace b);
/* Whether two places are in the same line; those in unknown lines are. */
bool same_line(JmDebugPlace a, JmDebugPlace b);
/* Whether a name, or the end of its path, is a file of the program. */
bool is_source_file(const JmDebug *d, const char *file, size_t length);
/* Finds the files of the program that a name, or the end of its path, means. Returns
 * how many there are; *found is the first, and `names` lists them. */
unsigned source_files(const JmDebug *d, const char *file, size_t length,
                      const char **found, char *names, size_t size);
/* Returns which lines near one without code have some: "; line 12 has some", or "". */
const char *lines_near_text(const JmDebug *d, const char *file, size_t length,
                            int line);

/* ---- places of code -------------------------------------------------------------- */

/* The code of a name or a line, which may be in several places. */
typedef struct {
    JmDebugPlace *list;
    size_t count, capacity;
} Places;

/* Adds a place, unless it is there already. */
void places_add(const JmDebug *d, Places *places, JmDebugPlace place);
/* Adds all places of a source line. False if there are none. */
bool line_places(const JmDebug *d, const char *file, size_t length, int line,
                 Places *places);
/* Adds all places of "symbol" or "FILE:symbol". False if there are none. */
bool symbol_places(const JmDebug *d, const char *name, Places *places);
/* Appends places, "00101 same (a.s:5), 00105 same (b.s:4)". */
void places_text(const JmDebug *d, const JmDebugPlace *places, size_t count,
                 Text *text);

/* ---- channels and messages ------------------------------------------------------- */

/* Returns a node's position: "1,2,0". */
const char *position_text(const JmDebug *d, unsigned node);
/* Return a channel, by its state or its number: "1,2,0 p0 +X". */
const char *channel_text(const JmDebug *d, const NetChannelState *c);
const char *channel_name(const JmDebug *d, int32_t channel);
/* Appends a channel to a path, "2,0,0 -X; 1,0,0 -X; 0,0,0 RX RY RZ". A node, kept in
 * *node, is named once. */
void path_add(const JmDebug *d, Text *path, unsigned *node, uint32_t channel);
/* Returns which way messages from `source` to `destination` enter dimension X, */
NetChannelKind first_kind(const JmDebug *d, unsigned source, unsigned destination);
/* and the channel that messages from `source` to `destination` enter first. */
uint32_t first_channel(const JmDebug *d, unsigned source, unsigned destination,
                       unsigned priority);
/* Whether a message has words still to come. Its number may be in use a little
 * longer. */
bool message_flies(const Net *net, uint32_t number, NetMessageState *state);

#endif
