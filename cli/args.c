/* The flag parser.  Flags are rows of a table (cli_flag); a command's words are matched against one or two groups of
 * them, its own parameters first.  Rules: --flag value and --flag=value, -x value, flags before or after the operands,
 * -- ends the flags, a word such as -5 is an operand; a flag that is given again adds its value (again.c) or says the
 * same. */
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct parser {
    const char *command;
    const cli_group *groups;
    bool *given[CLI_GROUPS];       /* per flag */
    const char **said[CLI_GROUPS]; /* its first value; NULL: the flag stands alone */
    int argc, at;
    char **argv;
} parser;

/* --- finding a flag ---------------------------------------------------------------- */

static bool same_part(const char *flag, const char *word, size_t length) {
    for (size_t i = 0; i < length; i++) {
        char a = flag[i] == '_' ? '-' : flag[i], b = word[i] == '_' ? '-' : word[i];
        if (a != b) return false;
    }
    return true;
}

static bool same_name(const char *flag, const char *word, size_t length) {
    return strlen(flag) == length && same_part(flag, word, length);
}

static const cli_flag *find_long(const cli_group *group, const char *word, size_t length) {
    for (size_t i = 0; i < group->count; i++)
        if ((group->flags[i].uses & group->uses) && same_name(group->flags[i].name, word, length))
            return &group->flags[i];
    return NULL;
}

static const cli_flag *find_letter(const cli_group *group, char letter) {
    for (size_t i = 0; i < group->count; i++)
        if ((group->flags[i].uses & group->uses) && group->flags[i].letter == letter) return &group->flags[i];
    return NULL;
}

/* --no-x turns a BOOL flag off. */
static const cli_flag *find_negated(const cli_group *group, const char *word, size_t length) {
    if (length < 4 || !same_name("no-", word, 3)) return NULL;
    const cli_flag *flag = find_long(group, word + 3, length - 3);
    return flag && flag->kind == FLAG_BOOL ? flag : NULL;
}

/* A flag with this name in earlier versions, "together each=no" of `each`; *value is the value that the old name stood
 * for. */
static const cli_flag *find_former(const cli_group *group, const char *word, size_t length, const char **value) {
    for (size_t i = 0; i < group->count; i++) {
        const char *former = group->flags[i].formerly;
        if (!former || strcspn(former, " ") != length || !same_part(former, word, length)) continue;
        *value = strncmp(strchr(former, '=') + 1, "no", 2) ? "yes" : "no";
        return &group->flags[i];
    }
    return NULL;
}

const cli_flag *cli_flag_named(const cli_group *group, const char *word, size_t length) {
    const char *value;
    const cli_flag *flag = find_long(group, word, length);
    if (!flag) flag = find_negated(group, word, length);
    return flag ? flag : find_former(group, word, length, &value);
}

static bool looks_like_a_flag(const char *word) {
    return word[0] == '-' && word[1] != 0 && !isdigit((unsigned char)word[1]) && word[1] != '.';
}

/* Another program's name for --top (truss --k), where no flag has exactly that name. */
static bool limits_rows(const parser *p, const char *word) {
    static const char *const names[] = {"-n", "-k", "--limit"};
    size_t length = strcspn(word, "=");
    bool named = false, has = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        named |= strlen(names[i]) == length && !strncmp(names[i], word, length);
    const char *bare = word + strspn(word, "-");
    for (int g = 0; g < CLI_GROUPS && named; g++) {
        named = !find_long(&p->groups[g], bare, strcspn(bare, "="));
        has |= find_long(&p->groups[g], "top", 3) != NULL;
    }
    return named && has;
}

static int unknown_flag(const parser *p, const char *word) {
    if (limits_rows(p, word))
        return cli_fail(EXIT_USAGE, "weft %s has no flag %.*s; --top K shows K rows", p->command,
                        (int)strcspn(word, "="), word);
    char name[64];
    const char *bare = word + strspn(word, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(bare, "="), bare);
    cli_nearest nearest = {name, NULL, 0};
    for (int g = 0; g < CLI_GROUPS; g++)
        for (size_t i = 0; i < p->groups[g].count; i++)
            if (p->groups[g].flags[i].uses & p->groups[g].uses) cli_nearest_try(&nearest, p->groups[g].flags[i].name);
    int shown = (int)strcspn(word, "=");
    if (nearest.best)
        return cli_fail(EXIT_USAGE, "weft %s has no flag %.*s; did you mean --%s?", p->command, shown, word,
                        nearest.best);
    const char *blank = strrchr(p->command, ' '); /* "generate rmat" is explained by: weft help rmat */
    return cli_fail(EXIT_USAGE, "weft %s has no flag %.*s; see: weft help %s", p->command, shown, word,
                    blank ? blank + 1 : p->command);
}

/* strtod reads hexadecimal numbers as well: they are none here. */
static bool is_hexadecimal(const char *text) { return strpbrk(text, "xX") != NULL; }

/* --- values ------------------------------------------------------------------------- */

static const char *range_text(const cli_flag *flag, char *buffer, size_t size) {
    if (isinf(flag->min))
        snprintf(buffer, size, "of any size");
    else if (flag->max >= 9e18 || isinf(flag->max))
        snprintf(buffer, size, "%.15g or more", flag->min);
    else
        snprintf(buffer, size, "from %.15g to %.15g", flag->min, flag->max);
    return buffer;
}

static int bad_number(const cli_flag *flag, const char *what, const char *text) {
    char range[64];
    return cli_fail(EXIT_USAGE, "--%s must be %s %s, not '%s'", flag->name, what, range_text(flag, range, sizeof range),
                    text);
}

static int read_u64(const cli_flag *flag, const char *text, uint64_t *value) {
    char *end;
    errno = 0;
    unsigned long long x = strtoull(text, &end, 10);
    bool digits_only = isdigit((unsigned char)text[0]) && *end == 0;
    if (!digits_only || errno == ERANGE || (double)x < flag->min || (double)x > flag->max)
        return bad_number(flag, "a whole number", text);
    *value = x;
    return EXIT_DONE;
}

static int read_f64(const cli_flag *flag, const char *text, double *value) {
    char *end;
    double x = strtod(text, &end);
    if (end == text || *end || is_hexadecimal(text) || !isfinite(x) || x < flag->min || x > flag->max)
        return bad_number(flag, "a number", text);
    *value = x;
    return EXIT_DONE;
}

/* 4096, 512M, 1.5G, 2GiB: powers of 1024. */
static int read_size(const cli_flag *flag, const char *text, uint64_t *value) {
    static const char units[] = "KMGTP";
    char *end;
    double x = strtod(text, &end);
    bool bad = end == text || !isdigit((unsigned char)text[0]) || is_hexadecimal(text) || !isfinite(x);
    if (!bad && *end && *end != 'B') {
        const char *unit = strchr(units, toupper((unsigned char)*end));
        if (unit)
            x = ldexp(x, 10 * (int)(unit - units + 1));
        else
            bad = true;
        end++;
        if (*end == 'i') end++;
    }
    if (!bad && (*end == 'B' || *end == 'b')) end++;
    if (bad || *end || x >= 0x1p63)
        return cli_fail(EXIT_USAGE, "--%s must be a size such as 4096, 512M or 4G, not '%s'", flag->name, text);
    *value = (uint64_t)x;
    return EXIT_DONE;
}

/* Index of `text` in "a|b|c", or -1. */
static int choice_index(const char *choices, const char *text) {
    size_t length = strlen(text);
    int index = 0;
    for (const char *c = choices;; index++) {
        size_t width = strcspn(c, "|");
        if (length && width == length && strncmp(c, text, width) == 0) return index;
        if (!c[width]) return -1;
        c += width + 1;
    }
}

static int read_choice(const cli_flag *flag, const char *text, int *value) {
    int index = choice_index(flag->choices, text);
    if (index < 0) return cli_fail(EXIT_USAGE, "--%s must be one of %s, not '%s'", flag->name, flag->choices, text);
    *value = index;
    return EXIT_DONE;
}

static int read_bool(const cli_flag *flag, const char *text, int *value) {
    int index = choice_index("no|yes|false|true|0|1|off|on", text);
    if (index < 0) return cli_fail(EXIT_USAGE, "--%s is yes or no, not '%s'", flag->name, text);
    *value = index & 1;
    return EXIT_DONE;
}

/* --- one flag ------------------------------------------------------------------------ */

static bool takes_value(const cli_flag *flag) { return flag->kind != FLAG_SET && flag->kind != FLAG_BOOL; }

/* May the value be left out, as in --weights? */
static bool may_be_bare(const cli_flag *flag) { return flag->kind == FLAG_CHOICE && flag->set >= 0; }

/* The word after the flag; NULL if it is missing, after an error message. */
static const char *next_value(parser *p, const cli_flag *flag) {
    const char *word = p->at + 1 < p->argc ? p->argv[p->at + 1] : NULL;
    if (!word || looks_like_a_flag(word)) {
        cli_fail(EXIT_USAGE, "--%s needs a value: %s", flag->name,
                 flag->value     ? flag->value
                 : flag->choices ? flag->choices
                                 : "VALUE");
        return NULL;
    }
    p->at++;
    return word;
}

static int store(parser *p, const cli_flag *flag, void *fields, const char *text) {
    void *place = (char *)fields + flag->offset;
    switch (flag->kind) {
    case FLAG_SET: *(int *)place = flag->set; return EXIT_DONE;
    case FLAG_BOOL: return read_bool(flag, text, place);
    case FLAG_U64: return read_u64(flag, text, place);
    case FLAG_F64: return read_f64(flag, text, place);
    case FLAG_SIZE: return read_size(flag, text, place);
    case FLAG_CHOICE: return read_choice(flag, text, place);
    case FLAG_TEXT:
    case FLAG_WORDS:
        if (!*text && flag->value && strncmp(flag->value, "FILE", 4) == 0)
            return cli_fail(EXIT_USAGE, "--%s: the name of the file is empty", flag->name);
        *(const char **)place = text;
        return EXIT_DONE;
    case FLAG_LIST: return cli_list_append(place, text);
    case FLAG_PAIR: {
        const char **pair = place;
        pair[0] = text;
        pair[1] = next_value(p, flag);
        return pair[1] ? EXIT_DONE : EXIT_USAGE;
    }
    }
    return EXIT_USAGE;
}

/* The field that a flag sets. */
typedef union setting {
    int number;
    uint64_t u64;
    double f64;
    const char *text, *pair[2];
} setting;

static setting setting_of(const cli_flag *flag, const void *place) {
    setting v = {.pair = {NULL, NULL}};
    bool number = flag->kind == FLAG_SET || flag->kind == FLAG_BOOL || flag->kind == FLAG_CHOICE;
    size_t bytes = number                                                ? sizeof v.number
                   : flag->kind == FLAG_PAIR                             ? sizeof v.pair
                   : flag->kind == FLAG_TEXT || flag->kind == FLAG_WORDS ? sizeof v.text
                                                                         : sizeof v.u64;
    memcpy(&v, place, bytes);
    return v;
}

/* Item `index` of "a|b|c". */
static const char *choice_text(const cli_flag *flag, int index, cli_line buffer) {
    const char *c = flag->choices;
    while (index-- > 0) c += strcspn(c, "|") + 1;
    snprintf(buffer, sizeof(cli_line), "%.*s", (int)strcspn(c, "|"), c);
    return buffer;
}

/* The flag was given before, as `first`. */
static int store_again(parser *p, const cli_flag *flag, void *fields, const char *first, const char *text) {
    void *place = (char *)fields + flag->offset;
    if (flag->again) return cli_join_again(flag, place, first, text);
    setting before = setting_of(flag, place);
    int code = store(p, flag, fields, text);
    setting now = setting_of(flag, place);
    cli_line a, b;
    switch (code ? FLAG_SET : flag->kind) {
    case FLAG_U64:
    case FLAG_F64:
    case FLAG_SIZE: return now.u64 == before.u64 ? code : cli_refuse_again(flag, first, text);
    case FLAG_TEXT: return strcmp(before.text, now.text) == 0 ? code : cli_refuse_again(flag, before.text, now.text);
    case FLAG_CHOICE:
        if (now.number == before.number) return code;
        return cli_refuse_again(flag, choice_text(flag, before.number, a), choice_text(flag, now.number, b));
    case FLAG_PAIR:
        if (!strcmp(before.pair[0], now.pair[0]) && !strcmp(before.pair[1], now.pair[1])) return code;
        snprintf(a, sizeof a, "%s %s", before.pair[0], before.pair[1]);
        snprintf(b, sizeof b, "%s %s", now.pair[0], now.pair[1]);
        return cli_refuse_again(flag, a, b);
    default: return code;
    }
}

/* Of two flags with one name, the flag whose choices include the value: --ids string, not --ids FILE. */
static const cli_flag *meant_by(const cli_group *group, const cli_flag *flag, const char *value) {
    for (size_t i = 0; i < group->count; i++) {
        const cli_flag *other = &group->flags[i];
        if ((other->uses & group->uses) && other->kind == FLAG_CHOICE && strcmp(other->name, flag->name) == 0 &&
            choice_index(other->choices, value) >= 0)
            return other;
    }
    return flag;
}

static int exclude(const cli_flag *a, const cli_flag *b) {
    return cli_fail(EXIT_USAGE, "--%s and --%s exclude each other", a->name, b->name);
}

/* --x and --no-x; --directed and --undirected, which set the same field: the last must not win in silence. */
static int check_field(const parser *p, int group, const cli_flag *flag, const char *value) {
    const cli_group *all = &p->groups[group];
    const bool *given = p->given[group];
    int now = 0;
    if (flag->kind == FLAG_BOOL && given[flag - all->flags] && !read_bool(flag, value, &now) &&
        now != *(int *)((char *)all->fields + flag->offset))
        return cli_fail(EXIT_USAGE, "--%s and --no-%s exclude each other", flag->name, flag->name);
    for (size_t i = 0; i < all->count; i++) {
        const cli_flag *other = &all->flags[i];
        bool same = other == flag || other->offset != flag->offset;
        if (given[i] && !same && (flag->kind != FLAG_SET || flag->set != other->set)) return exclude(other, flag);
    }
    return EXIT_DONE;
}

/* attached: the value after = or directly after the letter, or NULL. */
static int take_flag(parser *p, int group, const cli_flag *flag, const char *attached) {
    void *fields = p->groups[group].fields;
    cli_line bare;
    if (attached && flag->kind == FLAG_SET) return cli_fail(EXIT_USAGE, "--%s takes no value", flag->name);
    if (!attached && flag->kind == FLAG_BOOL) attached = "yes";
    if (!attached && may_be_bare(flag)) {
        const char *word = p->at + 1 < p->argc ? p->argv[p->at + 1] : "";
        if (choice_index(flag->choices, word) < 0) attached = choice_text(flag, flag->set, bare);
    }
    if (!attached && takes_value(flag)) {
        attached = next_value(p, flag);
        if (!attached) return EXIT_USAGE;
    }
    if (takes_value(flag)) flag = meant_by(&p->groups[group], flag, attached);
    size_t row = (size_t)(flag - p->groups[group].flags);
    int code = check_field(p, group, flag, attached);
    if (!code)
        code = p->given[group][row] ? store_again(p, flag, fields, p->said[group][row], attached)
                                    : store(p, flag, fields, attached);
    if (!p->given[group][row])
        p->said[group][row] = attached == bare ? NULL : attached; /* the name without its value */
    p->given[group][row] = true;
    return code;
}

/* -n5 is -n 5; but -of is no -o f, because it is more often a slip for --of. */
static bool letter_takes(const cli_flag *flag, const char *attached) {
    return !attached || ((flag->kind == FLAG_U64 || flag->kind == FLAG_F64) && !isalpha((unsigned char)*attached));
}

static int take_word(parser *p, const char *word) {
    bool is_long = word[1] == '-';
    const char *name = word + (is_long ? 2 : 1);
    size_t length = is_long ? strcspn(name, "=") : 1;
    const char *attached = !name[length] ? NULL : is_long ? name + length + 1 : name + 1;
    for (int g = 0; g < CLI_GROUPS; g++) {
        const cli_group *group = &p->groups[g];
        const cli_flag *flag = is_long ? find_long(group, name, length) : find_letter(group, *name);
        if (flag && (is_long || letter_takes(flag, attached))) return take_flag(p, g, flag, attached);
    }
    /* After the search for the whole name: --no-weights is a flag of its own, even where an algorithm has a parameter
     * `weights`. */
    for (int g = 0; g < CLI_GROUPS && is_long && !attached; g++) {
        const cli_flag *flag = find_negated(&p->groups[g], name, length);
        if (flag) return take_flag(p, g, flag, "no");
    }
    for (int g = 0; g < CLI_GROUPS && is_long && !attached; g++) {
        const char *value = NULL;
        const cli_flag *flag = find_former(&p->groups[g], name, length, &value);
        if (!flag) continue;
        cli_note(p->groups[CLI_GROUPS - 1].fields, "%s is --%s=%s now, and will not be understood in the next version",
                 word, flag->name, value);
        return take_flag(p, g, flag, value);
    }
    return unknown_flag(p, word);
}

static int check_required(const parser *p) {
    for (int g = 0; g < CLI_GROUPS; g++)
        for (size_t i = 0; i < p->groups[g].count; i++) {
            const cli_flag *flag = &p->groups[g].flags[i];
            if (flag->required && !p->given[g][i])
                return cli_fail(EXIT_USAGE, "weft %s needs --%s: %s", p->command, flag->name, flag->help);
        }
    return EXIT_DONE;
}

/* Was a flag with this name given, with a value other than no? */
static const cli_flag *is_on(const parser *p, const char *name, size_t length) {
    for (int g = 0; g < CLI_GROUPS; g++)
        for (size_t i = 0; i < p->groups[g].count; i++) {
            const cli_flag *flag = &p->groups[g].flags[i];
            if (!p->given[g][i] || !same_name(flag->name, name, length)) continue;
            if (flag->kind != FLAG_BOOL || *(int *)((char *)p->groups[g].fields + flag->offset)) return flag;
        }
    return NULL;
}

/* The first flag of "a,b" that is on, or NULL.  In a descriptor the part after | is about another parameter. */
static const cli_flag *first_on(const parser *p, const char *names) {
    const cli_flag *found = NULL;
    while (!found && *names && *names != '|') {
        size_t length = strcspn(names, ",|");
        found = is_on(p, names, length);
        names += length + (names[length] == ',');
    }
    return found;
}

/* "a,b" as --a or --b */
static int lacks(const cli_flag *flag, const char *names) {
    char list[256] = "";
    for (size_t used = 0; *names && *names != '|' && used < sizeof list;) {
        size_t length = strcspn(names, ",|");
        used += (size_t)snprintf(list + used, sizeof list - used, "%s--%.*s", used ? " or " : "", (int)length, names);
        names += length + (names[length] == ',');
    }
    return cli_fail(EXIT_USAGE, "--%s needs %s", flag->name, list);
}

static int check_company(const parser *p) {
    for (int g = 0; g < CLI_GROUPS; g++)
        for (size_t i = 0; i < p->groups[g].count; i++) {
            const cli_flag *flag = &p->groups[g].flags[i];
            if (!p->given[g][i] || !is_on(p, flag->name, strlen(flag->name))) continue;
            const cli_flag *other = flag->without ? first_on(p, flag->without) : NULL;
            if (other) return exclude(flag, other);
            if (flag->with && !first_on(p, flag->with)) return lacks(flag, flag->with);
        }
    return EXIT_DONE;
}

int cli_parse(const char *command, const cli_group groups[CLI_GROUPS], int argc, char **argv, const char **operands,
              int *operand_count) {
    parser p = {command, groups, {NULL, NULL}, {NULL, NULL}, argc, 0, argv};
    int code = EXIT_DONE;
    bool flags_ended = false, help = false;
    *operand_count = 0;
    for (int g = 0; g < CLI_GROUPS; g++) {
        p.given[g] = calloc(groups[g].count + 1, sizeof(bool));
        p.said[g] = calloc(groups[g].count + 1, sizeof *p.said[g]);
        if (!p.given[g] || !p.said[g]) code = cli_fail(EXIT_MEMORY, "out of memory");
    }
    for (; !code && p.at < argc; p.at++) {
        const char *word = argv[p.at];
        if (flags_ended || !looks_like_a_flag(word)) {
            operands[(*operand_count)++] = word;
        } else if (strcmp(word, "--") == 0) {
            flags_ended = true;
        } else {
            help = help || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
            code = take_word(&p, word);
        }
    }
    if (!code && !help) code = check_required(&p);
    if (!code && !help) code = check_company(&p);
    for (int g = 0; g < CLI_GROUPS; g++) {
        for (size_t i = 0; groups[g].given && p.given[g] && i < groups[g].count; i++)
            groups[g].given[i] |= p.given[g][i];
        free(p.given[g]);
        free(p.said[g]);
    }
    return code;
}

bool cli_has_word(int argc, char **argv, const char *word) {
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], word) == 0) return true;
    return false;
}

/* Before the command is known, a flag counts as having a value only if it has one in every command: lab's --json has a
 * value, that of weft info has none. */
static const cli_flag *find_before_command(const cli_group *group, const char *word, size_t length) {
    cli_group always = *group;
    always.uses &= USE_ALWAYS;
    const cli_flag *flag = find_long(&always, word, length);
    return flag ? flag : find_long(group, word, length);
}

int cli_first_operand(const cli_group *group, int argc, char **argv) {
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--") == 0) return i + 1 < argc ? i + 1 : argc;
        if (!looks_like_a_flag(word)) return i;
        bool is_long = word[1] == '-';
        const cli_flag *flag =
            is_long ? find_before_command(group, word + 2, strlen(word + 2)) : find_letter(group, word[1]);
        if (!flag || !takes_value(flag) || (!is_long && word[2])) continue; /* the value may be attached */
        if (may_be_bare(flag) && (i + 1 == argc || choice_index(flag->choices, argv[i + 1]) < 0)) continue;
        i += flag->kind == FLAG_PAIR ? 2 : 1;
    }
    return argc;
}

/* Offset of the words: after the struct, aligned for a pointer. */
static size_t words_offset(size_t params_size) {
    return (params_size + sizeof(char *) - 1) / sizeof(char *) * sizeof(char *);
}

void *cli_params_new(size_t params_size, size_t count) {
    return cli_take(words_offset(params_size) + count * sizeof(char *), 1);
}

const char **cli_param_words(void *params, size_t params_size) {
    return (const char **)(void *)((char *)params + words_offset(params_size));
}

size_t cli_param_count(cli_subject subject) {
    return subject.algorithm ? subject.algorithm->param_count : subject.generator ? subject.generator->param_count : 0;
}

const weft_param_info *cli_param_at(cli_subject subject, size_t i) {
    return subject.algorithm ? weft_algorithm_param_at(subject.algorithm, i)
                             : weft_generator_param_at(subject.generator, i);
}

/* The part of "registers estimate|seed error" about this parameter, and the rest of it; NULL: there is none. */
static const char *company_of(const char *pairs, const char *name) {
    for (const char *at = pairs; at && *at; at += strcspn(at, "|"), at += *at == '|') {
        size_t length = strcspn(at, " ");
        if (same_name(name, at, length)) return at + length + 1;
    }
    return NULL;
}

/* The part of "no_parents parents=no|together each=no" that ends with this parameter. */
static const char *former_of(cli_subject subject, const char *name) {
    const char *at = subject.algorithm ? subject.algorithm->formerly : NULL;
    for (; at && *at; at += strcspn(at, "|"), at += *at == '|') {
        const char *now = strchr(at, ' ') + 1;
        if (same_name(name, now, strcspn(now, "="))) return at;
    }
    return NULL;
}

cli_flag *cli_flags_of_params(cli_subject subject, size_t params_size) {
    static const cli_kind kinds[] = {
        [WEFT_PARAM_U64] = FLAG_U64,        [WEFT_PARAM_F64] = FLAG_F64,       [WEFT_PARAM_BOOL] = FLAG_BOOL,
        [WEFT_PARAM_CHOICE] = FLAG_CHOICE,  [WEFT_PARAM_TEXT] = FLAG_TEXT,     [WEFT_PARAM_VERTEX] = FLAG_WORDS,
        [WEFT_PARAM_VERTICES] = FLAG_WORDS, [WEFT_PARAM_WEIGHTS] = FLAG_WORDS, [WEFT_PARAM_MATRIX] = FLAG_TEXT,
        [WEFT_PARAM_LABELS] = FLAG_TEXT,    [WEFT_PARAM_PAIRS] = FLAG_TEXT,
    };
    static const char *const values[] = {
        [WEFT_PARAM_U64] = "N",
        [WEFT_PARAM_F64] = "X",
        [WEFT_PARAM_TEXT] = "TEXT",
        [WEFT_PARAM_VERTEX] = "ID",
        [WEFT_PARAM_VERTICES] = "IDS|@FILE|random:K",
        [WEFT_PARAM_WEIGHTS] = "FILE",
        [WEFT_PARAM_MATRIX] = "FILE.npy",
        [WEFT_PARAM_LABELS] = "FILE",
        [WEFT_PARAM_PAIRS] = "FILE",
    };
    size_t count = cli_param_count(subject);
    cli_flag *flags = cli_take(count + 1, sizeof *flags);
    for (size_t i = 0; flags && i < count; i++) {
        const weft_param_info *param = cli_param_at(subject, i);
        bool waits = param->type == WEFT_PARAM_VERTEX || param->type == WEFT_PARAM_VERTICES ||
                     param->type == WEFT_PARAM_WEIGHTS || param->type == WEFT_PARAM_MATRIX ||
                     param->type == WEFT_PARAM_LABELS || param->type == WEFT_PARAM_PAIRS;
        flags[i] = (cli_flag){
            .name = param->name,
            .letter = param->name[1] ? 0 : param->name[0],
            .kind = kinds[param->type],
            .again = kinds[param->type] == FLAG_WORDS ? AGAIN_WORDS : AGAIN_REFUSED,
            .offset = waits ? words_offset(params_size) + i * sizeof(char *) : param->offset,
            .uses = USE_ALWAYS,
            .set = -1,
            .value = param->type == WEFT_PARAM_BOOL || param->type == WEFT_PARAM_CHOICE ? NULL : values[param->type],
            .choices = param->choices,
            .min = param->min,
            .max = param->max,
            .standard = param->standard,
            .required = !param->standard,
            .help = param->help,
            .formerly = former_of(subject, param->name),
            .with = subject.algorithm ? company_of(subject.algorithm->needs, param->name) : NULL,
            .without = subject.algorithm ? company_of(subject.algorithm->excludes, param->name) : NULL,
        };
    }
    return flags;
}
