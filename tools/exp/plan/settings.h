/* The settings of a run: names and values as text, in one canonical order, so that the
 * same run has the same key in every experiment. The names are in settings.def.
 *
 * If `model` is set (models.def), a model solves the point instead of the machine; the
 * other settings are then those of model_settings.def. If `program` is set, the machine
 * runs that program instead of the Snakes. */
#ifndef JM_TOOLS_EXP_PLAN_SETTINGS_H
#define JM_TOOLS_EXP_PLAN_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "emu/core/suggest.h"
#include "emu/jm.h"

enum { SETTING_TEXT_MAX = 32, SETTINGS_MAX = 40, SETTINGS_KEY_MAX = 1024 };

/* Values of the setting `probe`; see run/probe.h. */
typedef enum {
    PROBE_NONE,
    PROBE_COSTS,
    PROBE_FRAMES,
    PROBE_JAM,
    PROBE_TASKS,
    PROBES
} Probe;

/* A setting. */
typedef struct {
    char name[SETTING_TEXT_MAX], value[SETTING_TEXT_MAX];
} Setting;

/* Settings in canonical order. */
typedef struct {
    Setting item[SETTINGS_MAX];
    unsigned count;
} Settings;

/* Returns the machine's defaults, of all rows that have one. */
Settings settings_default(void);

/* Adds or replaces a setting; `model` and `program` replace all by the defaults of that
 * model or program. Returns false and fills `error` if the name is unknown or the value
 * is not allowed for it. */
bool settings_set(Settings *settings, const char *name, const char *value,
                  JmError *error);

/* Returns what accepts the settings of a point: NULL, the machine with Snakes or wire;
 * SETTING_TAKER_PROGRAM (setting_rows.h), with a named program; or a model. */
const char *settings_taker(const Settings *settings);

/* Whether that, or anything, accepts a setting. */
bool settings_takes(const char *taker, const char *name);
bool settings_known(const char *name);

/* Whether the program is a file, which may be another one by now. */
bool settings_runs_file(const Settings *settings);

/* Reports that neither the machine nor a model accepts a setting, and the nearest one.
 * Returns false. */
bool settings_unknown(const char *name, JmError *error);

/* Considers all settings, of the machine and of models. */
void settings_suggest(JmSuggestion *suggestion);

/* Returns who accepts an existing setting: "the machine", the names of models,
 * separated by |, or what a word of a program needs. */
const char *settings_takers(const char *name);

/* Whether the model of the point is deterministic, so that seeds change nothing. */
bool settings_is_solved(const Settings *settings);

/* Whether both have the same settings with the same values. */
bool settings_equal(const Settings *a, const Settings *b);

/* Whether both have the same value of a setting, or neither has it. */
bool settings_share(const Settings *a, const Settings *b, const char *name);

/* Whether a setting has this value. */
bool settings_has(const Settings *settings, const char *name, const char *value);

/* Takes the name off "NAME=VALUES"; "" if it is too long for one. Returns the values;
 * NULL if there is no "=". */
const char *settings_split(const char *text, char name[SETTING_TEXT_MAX]);

/* Return the value of a setting as text, NULL if it is not set, or as a number, 0 if it
 * is not set. */
const char *settings_text(const Settings *settings, const char *name);
double settings_number(const Settings *settings, const char *name);

/* Gives the sides of the setting `mesh`; false if it is not set. */
bool settings_mesh(const Settings *settings, unsigned size[3]);

/* Whether the setting has a default, and hence its own column in reports. */
bool settings_is_main(const char *name);

/* Writes "mesh=8x8x8 m=5 ..." and returns `text`. `main`: include the settings with a
 * default. */
char *settings_print(const Settings *settings, bool main, char *text, size_t size);

/* Writes the key of a run, all settings and then the seed, and returns `text`. */
char *settings_key(const Settings *settings, uint64_t seed, char *text, size_t size);

/* Sets the mesh and the parameters in a configuration; words of the program are set by
 * settings_apply(). */
bool settings_configure(const Settings *settings, JmConfig *config, JmError *error);

/* Returns the name of the program: that of `program`; "wire" if `streams` is set; else
 * "snakes". Of a point that a model solves, the model's. */
const char *settings_program(const Settings *settings);

/* Sets the words of the program on all nodes of a machine. */
bool settings_apply(const Settings *settings, JmMachine *machine, JmError *error);

/* Prints the names of all settings with their meaning. */
void settings_help(void);

#endif
