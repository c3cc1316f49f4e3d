/* Rung 4: rebuild, but not for each batch: arcs are appended to a log, and when that is an eighth of the graph, a new CSR is made.  Should win:
 * appending, as fast as memory takes it.  Should lose: readers of what is in the log, for whom it has to be sorted and merged first. */
#include "dynamic.h"

typedef struct logged {
    changing_rows side[2];
    int now;
    weft_eid arcs;
    uint64_t *log;
    size_t length;
} logged;

/* --- excerpt --- */
static void fold(const changing_stream *s, logged *l, size_t end) {
    changing_sort(s, end - l->length, end);
    changing_merge(&l->side[l->now], s->key, l->length, s->n, &l->side[!l->now]);
    l->now = !l->now;
    l->arcs += l->length;
    l->length = 0;
}

static void apply(const changing_stream *s, logged *l, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) l->log[l->length++] = (uint64_t)s->u[i] << 32 | s->v[i];
    if (8 * l->length > l->arcs) fold(s, l, end);
}
/* --- end --- */

static weft_status run(lab_run *r) {
    changing_stream s;
    weft_status st = changing_open(r, &s);
    if (st) return st;
    logged l = {.log = lab_take(r, ((size_t)r->out.arcs / 8 + CHANGING_BATCH) * sizeof *l.log), .arcs = s.base_arcs};
    for (int i = 0; i < 2; i++) {
        l.side[i].offsets = lab_take(r, (s.n + (size_t)1) * sizeof *l.side[i].offsets);
        l.side[i].targets = lab_take(r, (size_t)r->out.arcs * sizeof *l.side[i].targets);
        if (!l.side[i].offsets || !l.side[i].targets || !l.log) return WEFT_ENOMEM;
    }
    lab_turn(r, LAB_COPY_IN);
    changing_merge(&s.base, NULL, 0, s.n, &l.side[0]);
    lab_turn(r, LAB_KERNELS);
    for (size_t first = 0; first < s.count && !lab_stopped(r); first = changing_batch_end(&s, first))
        apply(&s, &l, first, changing_batch_end(&s, first));
    lab_turn(r, LAB_COPY_OUT); /* who reads pays for what is in the log */
    if (!lab_stopped(r)) fold(&s, &l, s.count);
    return changing_close(&s, changing_row_of, &l.side[l.now]);
}

const lab_rung changing_log = {
    .name = "log",
    .title = "a log, and a snapshot now and then",
    .against = "rebuild",
    .changed = "A batch is appended to a log; when the log is an eighth of the graph, it is sorted and merged into a "
               "new CSR, the "
               "next snapshot.",
    .wins = "Batches: each arc is merged some ten times on its way in, however small its batch.",
    .loses = "Readers who want the newest state: the log is sorted and merged for them, in the time of the reading. "
             "Memory: two "
             "CSRs and the log.",
    .source = "lab/dynamic/log.c",
    .device = LAB_CPU,
    .serves = changing_serves,
    .run = run,
};
