/* Locks where there is one thread: they are always free. */
#ifndef JM_WEB_PTHREAD_H
#define JM_WEB_PTHREAD_H

typedef int pthread_mutex_t;

static inline int pthread_mutex_init(pthread_mutex_t *lock, const void *kind) {
    (void)kind;
    return *lock = 0;
}
static inline int pthread_mutex_lock(pthread_mutex_t *lock) {
    return *lock = 0;
}
static inline int pthread_mutex_unlock(pthread_mutex_t *lock) {
    return *lock = 0;
}
static inline int pthread_mutex_destroy(pthread_mutex_t *lock) {
    return *lock = 0;
}

#endif
