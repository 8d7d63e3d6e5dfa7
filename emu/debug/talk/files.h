/* Files of the user that may be pipes: waiting for the other end can be interrupted.
 * For emu/debug. */
#ifndef JM_DEBUG_FILES_H
#define JM_DEBUG_FILES_H

#include <stdio.h>

#include "emu/core/outfile.h"
#include "emu/debug/talk/talk.h"

/* Opens a file for reading; the caller closes it. NULL and a message if it cannot be
 * read, or if a command is writing it. An interrupt looks like the end of the file. */
FILE *open_input(JmDebug *d, const char *path);

/* Opens an output as jm_outfile_open() does. False and a message, also if it would
 * replace a file that was read or that another command writes. */
bool open_output(JmDebug *d, Writer writer, JmOutFile *file, const char *path);

/* Saves the machine to a file. False and a message, as above. */
bool save_machine(JmDebug *d, const char *path);

#endif
