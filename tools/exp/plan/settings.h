/* The settings of a run: names and values as text, in one canonical order, so that the
 * same run has the same key in every experiment. The names are in settings.def. */
#ifndef JM_TOOLS_EXP_PLAN_SETTINGS_H
#define JM_TOOLS_EXP_PLAN_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "emu/jm.h"

enum { SETTING_TEXT_MAX = 32, SETTINGS_MAX = 24, SETTINGS_KEY_MAX = 1024 };

typedef enum {
    SETTING_MESH,
    SETTING_WORD,
    SETTING_MORE,
    SETTING_PROBE,
    SETTING_PARAM
} SettingKind;

typedef enum { PROBE_NONE, PROBE_COSTS, PROBE_FRAMES, PROBE_JAM, PROBES } Probe;

typedef struct {
    char name[SETTING_TEXT_MAX], value[SETTING_TEXT_MAX];
} Setting;

typedef struct {
    Setting item[SETTINGS_MAX];
    unsigned count;
} Settings;

/* The defaults of the rows that have one. */
Settings settings_default(void);

/* Sets or replaces; false and a message if there is no such name or the value is none
 * for it. */
bool settings_set(Settings *settings, const char *name, const char *value,
                  JmError *error);

/* Whether both have the same settings with the same values. */
bool settings_equal(const Settings *a, const Settings *b);

/* The value of a setting, NULL if it has none; as a number (0 if it has none). */
const char *settings_text(const Settings *settings, const char *name);
double settings_number(const Settings *settings, const char *name);

/* Whether a column of its own shows the setting in reports: it has a default. */
bool settings_is_main(const char *name);

/* Writes "mesh=8x8x8 m=5 ..."; `main`: the settings with a default, `other`: the rest.
 * Returns `text`. */
char *settings_print(const Settings *settings, bool main, bool other, char *text,
                     size_t size);

/* The key of a run: all settings, then the seed. Returns `text`. */
char *settings_key(const Settings *settings, uint64_t seed, char *text, size_t size);

/* Puts all but the words of the program into a configuration. */
bool settings_configure(const Settings *settings, JmConfig *config, JmError *error);

/* The program that runs: wire if they say what it sends, else snakes. */
const char *settings_program(const Settings *settings);

/* Puts the words of the program into a machine. */
bool settings_apply(const Settings *settings, JmMachine *machine, JmError *error);

/* Prints the names and what they are. */
void settings_help(void);

#endif
