/* Parameters of generators: defaults from the table that --help prints, ranges checked against the same table, so that
 * what is promised and what is done cannot differ. */
#include "gen/gen.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static weft_status check_u64(weft_ctx *ctx, const weft_param_info *info, uint64_t *value, bool is_default) {
    if (is_default) return WEFT_OK;
    /* The bounds are whole numbers below 2^53, or a max that excludes nothing. */
    if ((double)*value >= info->min && (double)*value <= info->max) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL, "`%s` is %" PRIu64 ", expected a whole number from %.0f to %.0f", info->name,
                    *value, info->min, info->max);
}

static weft_status resolve_u64(weft_ctx *ctx, const weft_param_info *info, uint64_t *value) {
    /* 0 means "not given" except where 0 is a value of its own, and there it is the value either way. */
    bool is_default = *value == 0 && info->min > 0;
    if (is_default && !info->standard) return wfi_fail(ctx, WEFT_EINVAL, "`%s` must be given", info->name);
    if (is_default) *value = strtoull(info->standard, NULL, 10);
    return check_u64(ctx, info, value, is_default);
}

/* A number as the table writes it, whatever the program's locale says about decimal points; false = it is none. */
static bool number_of(const char *text, double *number) {
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    char *end;
    *number = plain ? strtod_l(text, &end, plain) : strtod(text, &end);
    if (plain) freelocale(plain);
    return end != text;
}

static weft_status resolve_f64(weft_ctx *ctx, const weft_param_info *info, double *value) {
    if (!isnan(*value)) {
        if (*value >= info->min && *value <= info->max) return WEFT_OK;
        return wfi_fail(ctx, WEFT_EINVAL, "`%s` is %g, expected a number from %g to %g", info->name, *value, info->min,
                        info->max);
    }
    if (!info->standard) return wfi_fail(ctx, WEFT_EINVAL, "`%s` must be given", info->name);
    /* A default in words ("from --degree") stays open; the generator knows what it means. */
    double number;
    if (number_of(info->standard, &number)) *value = number;
    return WEFT_OK;
}

static weft_status resolve_bool(weft_ctx *ctx, const weft_param_info *info, const int *value) {
    if (*value == 0 || *value == 1) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL, "`%s` is %d, expected 0 or 1", info->name, *value);
}

static weft_status resolve(weft_ctx *ctx, const weft_param_info *info, weft_generate_params *p) {
    void *field = (char *)p + info->offset;
    switch (info->type) {
    case WEFT_PARAM_U64: return resolve_u64(ctx, info, field);
    case WEFT_PARAM_F64: return resolve_f64(ctx, info, field);
    case WEFT_PARAM_BOOL: return resolve_bool(ctx, info, field);
    case WEFT_PARAM_CHOICE:
    case WEFT_PARAM_TEXT:
    case WEFT_PARAM_VERTEX:
    case WEFT_PARAM_VERTICES:
    case WEFT_PARAM_WEIGHTS:
    case WEFT_PARAM_MATRIX: break;
    }
    return WEFT_OK;
}

weft_status wfi_params_resolve(weft_ctx *ctx, const wfi_generator *generator, const weft_generate_params *given,
                               weft_generate_params *p) {
    *p = (weft_generate_params)WEFT_GENERATE_DEFAULTS;
    weft_status st = wfi_sized_in(ctx, "weft_generate_params", given, p, sizeof *p);
    for (size_t i = 0; !st && i < generator->info.param_count; i++) st = resolve(ctx, &generator->params[i], p);
    return st;
}

uint64_t wfi_round_product(uint64_t x, double y) {
    /* The product and the half are rounded apart: fused, they could differ in the last bit between machines. */
    volatile double product = (double)x * y;
    return (uint64_t)(product + 0.5);
}
