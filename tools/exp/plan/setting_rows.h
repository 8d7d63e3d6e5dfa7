/* The rows of settings.def and model_settings.def, and their allowed values. For
 * settings.c, for lists of settings, and for commands whose options are settings. */
#ifndef JM_TOOLS_EXP_PLAN_SETTING_ROWS_H
#define JM_TOOLS_EXP_PLAN_SETTING_ROWS_H

#include "tools/exp/plan/settings.h"

enum { SETTING_MESH_MAX = 64 };

/* What accepts the settings of a point, in place of a model's name, if it names a
 * program to run. */
#define SETTING_TAKER_PROGRAM "program"

typedef enum {
    SETTING_MODEL,   /* name of a model (models.def), which solves the point */
    SETTING_PROGRAM, /* name or file of a program */
    SETTING_MESH,    /* size of the machine: XxYxZ */
    SETTING_WORD,    /* a word of the program or the kernel */
    SETTING_MORE,    /* added to the word of the row above */
    SETTING_PROBE,   /* a Probe */
    SETTING_WATCH,   /* something watched during the run */
    SETTING_COUNT,   /* a whole number */
    SETTING_REAL,    /* of a model: any number, low .. high */
    SETTING_ABOVE,   /* the same, but not low itself */
    SETTING_CHOICE   /* one of the row's words */
} SettingKind;

/* A row of the tables. */
typedef struct {
    const char *models; /* that accept it, separated by |; NULL: the machine */
    const char *name;
    SettingKind kind;
    const char *standard; /* default; NULL: none, "": the option's */
    /* Of the program. CHOICE: its words, separated by |, and spellings of one by /. */
    const char *word;
    const char *text;
    double low, high;  /* of a model's number; of each side of its mesh */
    const char *owner; /* of the option that it is; NULL: it is none */
    const char *unset; /* what the option gets if it is not set; NULL: nothing */
    double preset;     /* default of the option */
} SettingRow;

/* Returns row `index`, from 0; NULL after the last. */
const SettingRow *setting_row_at(unsigned index);

/* Returns the row of a setting for what accepts the settings of a point: the machine
 * (NULL), a named program (SETTING_TAKER_PROGRAM) or a model. NULL if that does not
 * accept it. */
const SettingRow *setting_row_find(const char *taker, const char *name);

/* Returns the row with the kind, words, range, default and text of the option that it
 * is. The functions below take either. */
SettingRow setting_row_full(const SettingRow *row);
/* Writes the value that a model has if the setting is not set. False: it has none, or
 * one that depends on others. */
bool setting_standard(const SettingRow *row, char text[SETTING_TEXT_MAX]);

/* Returns NAME of the setting set.NAME, which sets a word of a named program; NULL for
 * other settings. */
const char *setting_word(const char *name);

/* Returns a parameter of jm run; NULL if there is none of this name. */
const JmParameter *setting_parameter(const char *name);

/* Writes a value of a model in its canonical form, so that equal runs have equal keys;
 * `words` are those of a choice. False: the row does not allow it. */
bool setting_read(const SettingRow *row, const char *words, const char *value,
                  char text[SETTING_TEXT_MAX]);
/* Writes what a model's row expects in place of a wrong value: "a whole number from 1
 * to 64". */
void setting_expect(const SettingRow *row, const char *words, const char *wrong,
                    char *text, size_t size);

/* The same for any setting, which must exist. False and `error` if it does not allow
 * the value. */
bool setting_print_value(char text[SETTING_TEXT_MAX], const char *taker,
                         const char *name, const char *value, JmError *error);

#endif
