/*
 * drive.h - makes the functions that drive one writer, by direct calls, out of the generated documents.inc.
 *
 * The including file defines NAME(document), a name for the function; WRITER, the writer's type; DRIVER and
 * DRIVER_NAME; create and result, functions as in driver.h; and the calls on `w`, which give 0 when they succeed:
 * RESET START_ARRAY START_MAP START_INDEFINITE_MAP END_ARRAY END_MAP TEXT COPY.
 */
#include "driver.h"

/* The statuses are gathered and looked at once: as little as a caller can do who wants to know at all. */
#define CALL(call) failed |= (int)(call);

#define DOCUMENT(name, mode, hex)              \
    int NAME(name)(void *writer, long times);  \
    int NAME(name)(void *writer, long times) { \
        WRITER *w = writer;                    \
        int failed = 0;                        \
        while (times-- > 0) {                  \
            RESET();
#define TEXT(text, nbytes)          CALL(WRITE_TEXT(text, nbytes))
#define START_ARRAY(count)          CALL(WRITE_START_ARRAY(count))
#define START_MAP(count)            CALL(WRITE_START_MAP(count))
#define START_INDEFINITE_MAP(count) CALL(WRITE_START_INDEFINITE_MAP(count))
#define END_ARRAY()                 CALL(WRITE_END_ARRAY())
#define END_MAP()                   CALL(WRITE_END_MAP())
#define COPY_OUT()                  CALL(COPY(bench_span, sizeof bench_span))
#define END_DOCUMENT(name) \
    }                      \
    return failed;         \
    }

#include "documents.inc"

#undef DOCUMENT
#undef TEXT
#undef START_ARRAY
#undef START_MAP
#undef START_INDEFINITE_MAP
#undef END_ARRAY
#undef END_MAP
#undef COPY_OUT
#undef END_DOCUMENT

#define DOCUMENT(name, mode, hex) {#name, hex, mode, NAME(name)},
#define TEXT(text, nbytes)
#define START_ARRAY(count)
#define START_MAP(count)
#define START_INDEFINITE_MAP(count)
#define END_ARRAY()
#define END_MAP()
#define COPY_OUT()
#define END_DOCUMENT(name)

const bench_driver DRIVER = {DRIVER_NAME, create, result, {
#include "documents.inc"
}};
