/* Puts figures under the chapters of chapters.def, and measured values into their
 * texts. */
#include "tools/report/chapters.h"

#include <string.h>

#include "tools/host/values.h"
#include "tools/report/figures.h"
#include "tools/report/files/folder.h"

enum { PARAGRAPHS = 3 };

typedef struct {
    const char *id, *name, *first, *heading, *text[PARAGRAPHS];
} Chapter;

static const Chapter chapters[] = {
#define CHAPTER(id, name, first, heading, models, fails, found)                        \
    {id, name, first, heading, {models, fails, found}},
#define INTRODUCTION(...)
#include "tools/report/chapters.def"
#undef CHAPTER
#undef INTRODUCTION
};
enum { CHAPTERS = sizeof chapters / sizeof chapters[0] };

/* The text at the head of a chapter. */
static const struct {
    const char *chapter, *text;
} introductions[] = {
#define CHAPTER(...)
#define INTRODUCTION(id, text) {id, text},
#include "tools/report/chapters.def"
#undef CHAPTER
#undef INTRODUCTION
};
enum { INTRODUCTIONS = sizeof introductions / sizeof introductions[0] };

/* An error in a source. */
typedef struct {
    const char *chapter, *where, *printed, *used, *why;
} Slip;

static const Slip slips[] = {
#define SLIP(chapter, where, printed, used, why) {chapter, where, printed, used, why},
#include "tools/report/slips.def"
#undef SLIP
};
enum { SLIPS = sizeof slips / sizeof slips[0] };

static const char *const terms[PARAGRAPHS] = {"Models", "Fails, says the thesis",
                                              "Looked for here"};

/* The last that begins before the experiment or there; the last of all if it is none of
 * figures.def. */
unsigned chapters_with(const char *experiment) {
    unsigned chapter = 0;
    const Figure *figure;
    for (unsigned i = 0; (figure = figure_at(i)); i++) {
        for (unsigned k = 0; k < CHAPTERS; k++)
            if (strcmp(figure->experiment, chapters[k].first) == 0)
                chapter = k;
        if (strcmp(figure->experiment, experiment) == 0)
            return chapter;
    }
    return CHAPTERS - 1;
}

unsigned chapters_count(void) {
    return CHAPTERS;
}

const char *chapters_name(unsigned chapter, const char **heading) {
    if (chapter + 1 >= CHAPTERS)
        return NULL;
    *heading = chapters[chapter].heading;
    return chapters[chapter].name;
}

/* ---- texts ----------------------------------------------------------------------- */

/* Returns the claim with this id, or an object with the id alone. */
static json_t *claim_of(const json_t *claims, const char *id, size_t length) {
    size_t i;
    json_t *claim;
    json_array_foreach (claims, i, claim) {
        const char *found = folder_member(claim, "id");
        if (strlen(found) == length && strncmp(found, id, length) == 0)
            return json_incref(claim);
    }
    return json_pack("{s:o}", "id", jvalue_text_of(id, length));
}

/* Splits a text into parts: the text before each [id], with the claim of that id. */
static json_t *parts_of(const char *text, const json_t *claims) {
    json_t *parts = json_array();
    while (*text) {
        const size_t length = strcspn(text, "[");
        json_t *part = json_pack("{s:o}", "text", jvalue_text_of(text, length));
        text += length;
        if (*text) {
            const size_t id = strcspn(++text, "]");
            json_object_set_new(part, "claim", claim_of(claims, text, id));
            text += id + (text[id] == ']');
        }
        json_array_append_new(parts, part);
    }
    return parts;
}

static json_t *about(const Chapter *chapter, const json_t *claims) {
    json_t *list = json_array();
    for (unsigned i = 0; i < PARAGRAPHS; i++)
        if (chapter->text[i][0])
            json_array_append_new(list, json_pack("{s:o, s:o}", "term",
                                                  jvalue_text(terms[i]), "parts",
                                                  parts_of(chapter->text[i], claims)));
    return list;
}

/* Returns the introductions of a chapter, each an object with its parts. */
static json_t *introductions_of(const Chapter *chapter, const json_t *claims) {
    json_t *list = json_array();
    for (unsigned i = 0; i < INTRODUCTIONS; i++)
        if (strcmp(introductions[i].chapter, chapter->id) == 0)
            json_array_append_new(
                list,
                json_pack("{s:o}", "parts", parts_of(introductions[i].text, claims)));
    return list;
}

static json_t *slips_of(const Chapter *chapter) {
    json_t *list = json_array();
    for (unsigned i = 0; i < SLIPS; i++)
        if (strcmp(slips[i].chapter, chapter->id) == 0)
            json_array_append_new(list,
                                  json_pack("{s:o, s:o, s:o, s:o}", "where",
                                            jvalue_text(slips[i].where), "printed",
                                            jvalue_text(slips[i].printed), "used",
                                            jvalue_text(slips[i].used), "why",
                                            jvalue_text(slips[i].why)));
    return list;
}

/* ---- chapters -------------------------------------------------------------------- */

static bool is_among(const json_t *list, const json_t *wanted) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_array_get(list, i) == wanted)
            return true;
    return false;
}

/* Adds the claims of a figure that are reproduced in part or not. */
static void add_failing(json_t *failing, const json_t *figure) {
    size_t i;
    json_t *claim;
    json_array_foreach (json_object_get(figure, "claims"), i, claim) {
        const json_t *judged = json_object_get(claim, "judged");
        if (json_is_true(json_object_get(judged, "doubtful")) &&
            !is_among(failing, claim))
            json_array_append(failing, claim);
    }
}

static json_t *failing_of(const json_t *figures) {
    json_t *failing = json_array();
    for (size_t i = 0; i < json_array_size(figures); i++)
        add_failing(failing, json_array_get(figures, i));
    return failing;
}

static json_t *chapter_with(const Chapter *chapter, json_t *figures,
                            const json_t *claims) {
    json_t *texts = about(chapter, claims);
    json_t *failing = json_array_size(texts) ? failing_of(figures) : json_array();
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "chapter",
                     jvalue_text(chapter->id), "chapter_name",
                     jvalue_text(chapter->name), "heading",
                     jvalue_text(chapter->heading), "introductions",
                     introductions_of(chapter, claims), "figures", figures, "about",
                     texts, "failing", failing, "slips", slips_of(chapter));
}

json_t *chapters_of(const json_t *figures, const json_t *claims) {
    json_t *list = json_array();
    for (unsigned k = 0; k < CHAPTERS; k++) {
        json_t *own = json_array();
        size_t i;
        json_t *figure;
        json_array_foreach (figures, i, figure)
            if (chapters_with(folder_member(figure, "name")) == k)
                json_array_append(own, figure);
        if (json_array_size(own))
            json_array_append_new(list, chapter_with(&chapters[k], own, claims));
        else
            json_decref(own);
    }
    return list;
}
