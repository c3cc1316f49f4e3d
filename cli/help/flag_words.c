/* The library names parameters in back quotes: `ids=string`.  Here they become flags: --ids string. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* Flags whose names differ from the parameter's. */
static const char *const others[][2] = {
    {"weights=ignore", "--no-weights"},
    {"keep=\"\"", "weft convert FILE NEW.weft --keep \"\""},
    {"weights=require", "--require-weights"},
    {"direction=directed", "--directed"},
    {"direction=undirected", "--undirected"},
    {"sides=two", "--bipartite"},
    {"sides=one", "--one-set"},
    {"header=yes", "--header"},
    {"header=no", "--no-header"},
    {"write.format", "--to"},
    {"read_only", "by weft dynamic info, log and snapshot"},
};

static bool same(const char *flag, const char *name, size_t length) {
    if (strlen(flag) != length) return false;
    for (size_t i = 0; i < length; i++)
        if ((flag[i] == '_' ? '-' : flag[i]) != (name[i] == '_' ? '-' : name[i])) return false;
    return true;
}

static bool in_subject(cli_subject subject, const char *name, size_t length) {
    for (size_t i = 0; i < cli_param_count(subject); i++)
        if (same(cli_param_at(subject, i)->name, name, length)) return true;
    return false;
}

static bool is_flag(const char *name, size_t length) {
    for (size_t i = 0; i < cli_option_flag_count; i++)
        if (same(cli_option_flags[i].name, name, length)) return true;
    for (size_t i = 0; i < weft_algorithm_count(); i++)
        if (in_subject((cli_subject){weft_algorithm_at(i), NULL}, name, length)) return true;
    for (size_t i = 0; i < weft_generator_count(); i++)
        if (in_subject((cli_subject){NULL, weft_generator_at(i)}, name, length)) return true;
    return false;
}

/* Writes the word between the quotes as a flag to `to`, which has three bytes more than the word; 0 if it is no
 * parameter. */
static size_t put_flag(char *to, const char *word, size_t length) {
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strlen(others[i][0]) == length && strncmp(others[i][0], word, length) == 0)
            return (size_t)sprintf(to, "%s", others[i][1]);
    const char *equals = memchr(word, '=', length);
    size_t name = equals ? (size_t)(equals - word) : length;
    if (!name || !is_flag(word, name)) return 0;
    memcpy(to, "--", 2);
    for (size_t i = 0; i < length; i++) to[2 + i] = i < name && word[i] == '_' ? '-' : i == name ? ' ' : word[i];
    return 2 + length;
}

const char *cli_flag_line(cli_line buffer, const char *text) {
    char *words = cli_flag_words(text);
    snprintf(buffer, sizeof(cli_line), "%s", words ? words : text);
    free(words);
    return buffer;
}

char *cli_flag_words(const char *text) {
    size_t length = strlen(text), marks = 0, used = 0;
    for (size_t i = 0; i < length; i++) marks += text[i] == '`';
    char *made = malloc(length + 16 * marks + 1); /* a flag is longer than its parameter by at most this */
    for (size_t i = 0; made && i < length;) {
        const char *stop = text[i] == '`' ? strchr(text + i + 1, '`') : NULL;
        size_t put = stop ? put_flag(made + used, text + i + 1, (size_t)(stop - text) - i - 1) : 0;
        used += put;
        if (put)
            i = (size_t)(stop - text) + 1;
        else
            made[used++] = text[i++];
    }
    if (made) made[used] = 0;
    return made;
}
