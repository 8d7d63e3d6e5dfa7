/* Saves and loads the senders of the messages in a queue. */
#include "emu/machine/sender.h"

#include <string.h>

/* Only rows that have a sender are archived, with their numbers. */
void sender_archive(Archive *archive, Senders *senders, uint32_t nodes) {
    uint32_t count = 0;
    for (unsigned row = 0; archive->saving && row < SENDER_ROWS; row++)
        count += senders->of_row[row] != 0;
    jm_archive_count(archive, &count);
    if (!archive->saving)
        memset(senders, 0, sizeof *senders);
    for (unsigned at = 0; count-- && archive_good(archive); at++) {
        while (archive->saving && !senders->of_row[at])
            at++;
        uint32_t row = at;
        jm_archive_below(archive, &row, SENDER_ROWS);
        jm_archive_u32(archive, &senders->of_row[row], nodes);
    }
}

void age_archive(Archive *archive, Ages *ages, uint64_t now) {
    for (unsigned row = 0; row < SENDER_ROWS && archive_good(archive); row++)
        jm_archive_u64(archive, &ages->of_row[row], now);
}
