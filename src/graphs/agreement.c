/* weft_partition_agreement. a_i and b_j are the sizes of communities, n_ij the sizes of overlaps, n the number of
 * members.
 *   entropy H = - sum of a_i/n log a_i/n;  mutual information I = sum of n_ij/n log (n n_ij / a_i b_j)
 *   NMI = I / mean H [1];  homogeneity I / H(a), completeness I / H(b), V-measure their harmonic mean [2]
 *   AMI = (I - E) / (mean H - E), E the mean of I over all partitions with these sizes [3]
 *   ARI = (pairs together in both - expected) / (mean - expected), in whole numbers [4];  VI = H(a) + H(b) - 2 I
 *   [5]
 * Method: overlaps are runs of sorted pairs (i, j). For E, an overlap has a hypergeometric distribution, which is
 * summed from its mode to both sides by ratios of neighbours until the terms are negligible, and divided by the sum
 * of its terms. Equal pairs of sizes are summed once.
 * Encoding: base-2 logarithms of whole numbers in fixed point (gen/skip.h), with 128-bit sums: no function of libm,
 * and the same bits everywhere.
 * [1] Strehl, Ghosh, "Cluster ensembles", JMLR 3, 2002.  [2] Rosenberg, Hirschberg, "V-measure", EMNLP 2007.
 * [3] Vinh, Epps, Bailey, "Information theoretic measures for clusterings comparison", JMLR 11, 2010.
 * [4] Hubert, Arabie, "Comparing partitions", J. Classification 2, 1985.
 * [5] Meilă, "Comparing clusterings by the variation of information", COLT 2003. */
#include "core/scan.h"
#include "gen/skip.h"
#include "graphs/partition.h"
#include "run/algorithm.h"

#include <math.h>

enum { LOG_BITS = 57 };
#define LN_2     0.6931471805599453
#define ROUNDING 0x1p-52 /* smaller results count as 0 */
#define TAIL     0x1p-75 /* smaller terms, relative to the mode's, are ignored */

__extension__ typedef unsigned __int128 wide;

/* A community size and the number of communities of that size. */
typedef struct kind {
    uint64_t size, count;
} kind;

typedef struct comparing {
    weft_ctx *ctx;
    uint64_t n;
    wfi_skipper logs;
    wfi_partition a, b;
    wide a_log, b_log, ab_log; /* sums of x log x over sizes and over overlaps */
    wide a_pairs, b_pairs, ab_pairs;
    uint64_t overlaps;
} comparing;

/* log2(x) * 2^57; needs 1 <= x < 2^32. */
static uint64_t log_of(const comparing *q, uint64_t x) {
    return ((uint64_t)64 << LOG_BITS) - wfi_minus_log2(&q->logs, x - 1);
}

static wide times_log(const comparing *q, uint64_t x) { return (wide)x * log_of(q, x); }
static wide pairs_of(uint64_t x) { return (wide)x * (x - 1) / 2; }

/* --- overlaps ------------------------------------------------------------------------------ */

static void add_sizes(const comparing *q, const wfi_partition *p, wide *logs, wide *pairs) {
    for (uint64_t c = 0; c < p->count; c++) {
        *logs += times_log(q, wfi_community_size(p, c));
        *pairs += pairs_of(wfi_community_size(p, c));
    }
}

static weft_status add_overlaps(comparing *q) {
    uint64_t *both = NULL;
    weft_status st = wfi_alloc(q->ctx, &both, (size_t)q->n);
    if (st) return st;
    for (uint64_t i = 0; i < q->n; i++) both[i] = (uint64_t)q->a.community[i] << 32 | q->b.community[i];
    st = wfi_sort_u64(q->ctx, both, (size_t)q->n);
    for (uint64_t i = 0, end; i < q->n && !st; i = end) {
        for (end = i + 1; end < q->n && both[end] == both[i]; end++) {}
        q->ab_log += times_log(q, end - i);
        q->ab_pairs += pairs_of(end - i);
        if (q->overlaps++ % WFI_POLL_EVERY == 0 && wfi_cancelled(q->ctx)) st = wfi_fail_cancelled(q->ctx);
    }
    wfi_free(both);
    return st;
}

/* --- expectation ------------------------------------------------------------------------------- */

static weft_status kinds_of(weft_ctx *ctx, const wfi_partition *p, kind **kinds, size_t *count) {
    uint64_t *size = NULL;
    weft_status st = wfi_alloc(ctx, &size, (size_t)p->count);
    if (!st) st = wfi_alloc(ctx, kinds, (size_t)p->count);
    for (uint64_t c = 0; c < p->count && !st; c++) size[c] = wfi_community_size(p, c);
    if (!st) st = wfi_sort_u64(ctx, size, (size_t)p->count);
    for (uint64_t c = 0; c < p->count && !st; c++) {
        if (!c || size[c] != size[c - 1]) (*kinds)[(*count)++] = (kind){size[c], 0};
        (*kinds)[*count - 1].count++;
    }
    wfi_free(size);
    return st;
}

/* Mean of k log2 (n k / a b) for a random overlap k of two communities of sizes a and b. */
static double mean_overlap(const comparing *q, uint64_t a, uint64_t b) {
    uint64_t n = q->n, least = a + b > n ? a + b - n : 0, most = a < b ? a : b;
    uint64_t mode = (uint64_t)((wide)(a + 1) * (b + 1) / (n + 2));
    int64_t base = (int64_t)(log_of(q, n) - log_of(q, a)) - (int64_t)log_of(q, b);
    double mass = 0, sum = 0, p = 1;
    mode = wfi_min_u64(wfi_max_u64(mode, least), most);
    for (uint64_t k = mode; k <= most && p > TAIL; k++) {
        mass += p;
        if (k) sum += p * ((double)k * (double)(base + (int64_t)log_of(q, k)));
        p *= ((double)(a - k) * (double)(b - k)) / ((double)(k + 1) * (double)(n + k + 1 - a - b));
    }
    p = 1;
    for (uint64_t k = mode; k > least && p > TAIL; k--) {
        p *= ((double)k * (double)(n + k - a - b)) / ((double)(a - k + 1) * (double)(b - k + 1));
        mass += p;
        if (k > 1) sum += p * ((double)(k - 1) * (double)(base + (int64_t)log_of(q, k - 1)));
    }
    return sum / mass;
}

/* Expected mutual information in units of 2^-57 bits. */
static weft_status expect(comparing *q, double *expected) {
    kind *rows = NULL, *columns = NULL;
    double *of_row = NULL;
    size_t row_count = 0, column_count = 0;
    weft_status st = kinds_of(q->ctx, &q->a, &rows, &row_count);
    if (!st) st = kinds_of(q->ctx, &q->b, &columns, &column_count);
    if (!st) st = wfi_alloc_zeroed(q->ctx, &of_row, row_count);
    if (st) goto done;
#pragma omp parallel for schedule(dynamic, 1) \
    num_threads(wfi_threads_for(q->ctx, (uint64_t)row_count *column_count, 1 << 8))
    for (size_t i = 0; i < row_count; i++)
        for (size_t j = 0; j < column_count && !wfi_cancelled(q->ctx); j++)
            of_row[i] +=
                (double)rows[i].count * ((double)columns[j].count * mean_overlap(q, rows[i].size, columns[j].size));
    if (wfi_cancelled(q->ctx)) st = wfi_fail_cancelled(q->ctx);
    *expected = 0;
    for (size_t i = 0; i < row_count; i++) *expected += of_row[i];
    *expected /= (double)q->n;
done:
    wfi_free(of_row);
    wfi_free(columns);
    wfi_free(rows);
    return st;
}

/* --- measures ------------------------------------------------------------------------------------ */

typedef struct figures {
    double nmi, ami, ari, homogeneity, completeness, v_measure, variation, mutual, entropy_a, entropy_b;
} figures;

/* (x - less) / n in bits, for sums of logarithms; 0 below ROUNDING. */
static double bits_of(const comparing *q, wide x, wide less) {
    double bits = x > less ? (double)(x - less) / (double)q->n * 0x1p-57 : 0;
    return bits > ROUNDING ? bits : 0;
}

static double adjusted_rand(const comparing *q) {
    wide all = pairs_of(q->n), together = q->ab_pairs, only_a = q->a_pairs - together, only_b = q->b_pairs - together;
    wide apart = all - together - only_a - only_b;
    wide agree = together * apart, differ = only_a * only_b;
    double excess = agree >= differ ? (double)(agree - differ) : -(double)(differ - agree);
    return 2 * excess / ((double)(q->a_pairs * (only_a + apart)) + (double)(q->b_pairs * (only_b + apart)));
}

static double adjusted_information(const figures *f, double mean, double expected) {
    double span = mean - expected;
    if (fabs(span) < ROUNDING) span = span < 0 ? -ROUNDING : ROUNDING;
    return (f->mutual - expected) / span;
}

/* Needs different partitions, so that one of them has a positive entropy. */
static weft_status compare(comparing *q, figures *f) {
    wide whole = times_log(q, q->n);
    double expected = 0;
    weft_status st = expect(q, &expected);
    f->entropy_a = bits_of(q, whole, q->a_log);
    f->entropy_b = bits_of(q, whole, q->b_log);
    f->mutual = bits_of(q, whole + q->ab_log, q->a_log + q->b_log);
    f->variation = bits_of(q, q->a_log + q->b_log, 2 * q->ab_log);
    double mean = (f->entropy_a + f->entropy_b) / 2;
    f->nmi = f->mutual / mean;
    f->ami = adjusted_information(f, mean, expected * 0x1p-57);
    f->ari = adjusted_rand(q);
    f->homogeneity = f->entropy_a > 0 ? f->mutual / f->entropy_a : 1;
    f->completeness = f->entropy_b > 0 ? f->mutual / f->entropy_b : 1;
    double both = f->homogeneity + f->completeness;
    f->v_measure = both > 0 ? 2 * f->homogeneity * f->completeness / both : 0;
    return st;
}

/* Measures of two equal partitions with any labels. */
static figures the_same(const comparing *q) {
    double entropy = q->n ? bits_of(q, times_log(q, q->n), q->a_log) : 0;
    return (figures){1, 1, 1, 1, 1, 1, 0, entropy, entropy, entropy};
}

static weft_status tell(const comparing *q, const figures *f, weft_result *r) {
    return WFI_TELL(q->ctx, r, WFI_F64("nmi", f->nmi), WFI_F64("ami", f->ami), WFI_F64("ari", f->ari),
                    WFI_F64("homogeneity", f->homogeneity), WFI_F64("completeness", f->completeness),
                    WFI_F64("v_measure", f->v_measure), WFI_F64("vi", f->variation * LN_2),
                    WFI_F64("mutual_information", f->mutual * LN_2), WFI_F64("entropy_a", f->entropy_a * LN_2),
                    WFI_F64("entropy_b", f->entropy_b * LN_2), WFI_U64("communities_a", q->a.count),
                    WFI_U64("communities_b", q->b.count));
}

weft_status weft_partition_agreement(weft_ctx *ctx, const uint32_t *a, const uint32_t *b, uint64_t count,
                                     weft_result **out) {
    if (out) *out = NULL;
    WFI_BEGIN_WITH_OR_RETURN(ctx, out);
    if (count) WFI_NEED_OR_RETURN(ctx, a, b);
    if (count >= WEFT_NO_VERTEX)
        return wfi_fail(ctx, WEFT_EINVAL, "agreement: `count` is %llu, expected less than 2^32 - 1",
                        (unsigned long long)count);
    comparing q = {.ctx = ctx, .n = count};
    figures f = {0};
    weft_result *r = NULL;
    wfi_skipper_set(&q.logs, 0.5);
    weft_status st = wfi_partition_of(ctx, a, count, &q.a);
    if (!st) st = wfi_partition_of(ctx, b, count, &q.b);
    if (!st) {
        add_sizes(&q, &q.a, &q.a_log, &q.a_pairs);
        add_sizes(&q, &q.b, &q.b_log, &q.b_pairs);
        st = add_overlaps(&q);
    }
    if (!st && q.overlaps == q.a.count && q.overlaps == q.b.count)
        f = the_same(&q);
    else if (!st)
        st = compare(&q, &f);
    if (!st && !(r = wfi_result_new(ctx, NULL))) st = WEFT_ENOMEM;
    if (!st) st = tell(&q, &f, r);
    wfi_partition_free(&q.a);
    wfi_partition_free(&q.b);
    if (st)
        weft_result_free(r);
    else
        *out = r;
    return st;
}
