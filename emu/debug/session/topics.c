/* `info`: finds a list by its name, or a prefix of it. */
#include <string.h>

#include "emu/debug/session/session.h"
#include "emu/debug/talk/commands.h"

/* The lists, from their rows in commands.def. */
static const struct {
    const char *name;
    InfoFunction *show;
    const char *text;
} topics[] = {
#define COMMAND(...)
#define INFO(name, function, text) {name, function, text},
#include "emu/debug/commands.def"
#undef COMMAND
};
enum { TOPICS = sizeof topics / sizeof *topics };

const char *info_topic(unsigned index) {
    return index < TOPICS ? topics[index].name : NULL;
}

void say_topics(JmDebug *d, const char *indent) {
    for (unsigned i = 0; i < TOPICS; i++)
        say(d, "%s%-12s %s\n", indent, topics[i].name, topics[i].text);
}

bool cmd_info(JmDebug *d, Args *args) {
    char word[32], part[64] = "";
    skip_blanks(args);
    const char *at = args->at;
    if (!next_word(args, word, sizeof word)) {
        say_topics(d, "  ");
        return true;
    }
    unsigned i = 0;
    while (i < TOPICS && strncmp(topics[i].name, word, strlen(word)) != 0)
        i++;
    if (i == TOPICS)
        return fail_at(args, at, "no such list; `info` names them all");
    if (topics[i].show == info_parameters)
        next_word(args, part, sizeof part);
    if (!expect_end(args))
        return false;
    topics[i].show(d, part);
    return true;
}

/* ---- lists of the session -------------------------------------------------------- */

void info_aliases(JmDebug *d, const char *part) {
    (void)part;
    for (size_t i = 0; i < d->session->alias_count; i++)
        say(d, "%s = %s\n", d->session->aliases[i].name, d->session->aliases[i].text);
}
