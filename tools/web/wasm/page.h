/* Functions that the machine imports from the page. For tools/web. */
#ifndef JM_WEB_WASM_PAGE_H
#define JM_WEB_WASM_PAGE_H

/* Milliseconds since an arbitrary start. */
double web_clock(void);
/* Ends the instance; the page says why, and makes another. */
_Noreturn void web_no_memory(void);

#endif
