/* What the page gives to the machine: functions that are imported. For tools/web. */
#ifndef JM_WEB_WASM_PAGE_H
#define JM_WEB_WASM_PAGE_H

/* Milliseconds, from any beginning. */
double web_clock(void);
/* Ends the instance; the page says why, and makes another. */
_Noreturn void web_no_memory(void);

#endif
