#include "tools/exp/claims.h"
bool claims_write(const Campaign *campaign, const char *folder, JmError *error) {
    (void)campaign;
    (void)folder;
    (void)error;
    return true;
}
void claims_print(const Campaign *campaign, const char *folder) {
    (void)campaign;
    (void)folder;
}
