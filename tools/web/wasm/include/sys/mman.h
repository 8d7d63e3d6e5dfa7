/* A browser takes no advice about pages of memory. */
#ifndef JM_WEB_MMAN_H
#define JM_WEB_MMAN_H
#endif
