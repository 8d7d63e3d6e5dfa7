/* A browser gives no advice about pages of memory, and takes none. */
#ifndef JM_WEB_MMAN_H
#define JM_WEB_MMAN_H
#endif
