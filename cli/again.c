/* Repeated flags.  Most flags have one value: the same value again is accepted, a different one is refused, and the
 * message shows both.  The values of flags that take several (cli_flag.again, FLAG_WORDS) are joined. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static cli_list joined; /* joined texts, which live as long as the program's parameters */

void cli_words_free(void) {
    for (size_t i = 0; i < joined.count; i++) free((void *)(uintptr_t)joined.items[i]);
    free(joined.items);
    joined = (cli_list){NULL, 0};
}

int cli_list_append(cli_list *list, const char *text) {
    const char **grown = realloc(list->items, (list->count + 1) * sizeof *grown);
    if (!grown) return cli_fail(EXIT_MEMORY, "out of memory");
    list->items = grown;
    list->items[list->count++] = text;
    return EXIT_DONE;
}

int cli_refuse_again(const cli_flag *flag, const char *first, const char *second) {
    return cli_fail(EXIT_USAGE, "--%s is given twice, with different values: '%s' and '%s'", flag->name, first, second);
}

/* May A stand in "(A) and (B)": does none of its parentheses close the one that we add? */
static bool stands_alone(const char *condition) {
    int depth = 0;
    for (const char *c = condition; *c && depth >= 0; c++) {
        if (strchr("'\"`", *c)) c = strchr(c + 1, *c);
        if (!c) return false;
        depth += (*c == '(') - (*c == ')');
    }
    return depth == 0;
}

static bool is_among(const char *words, char separator, const char *text) {
    size_t length = strlen(text);
    for (const char *word = words; word; word = strchr(word, separator), word += word != NULL)
        if (strncmp(word, text, length) == 0 && (!word[length] || word[length] == separator)) return true;
    return false;
}

int cli_join_again(const cli_flag *flag, const char **words, const char *first, const char *text) {
    char *both = NULL, between[2] = {(char)flag->again, 0};
    int length;
    if (flag->again == AGAIN_AND) {
        if (!stands_alone(first) || !stands_alone(text))
            return cli_fail(EXIT_USAGE, "--%s: '%s' has a parenthesis or a quote without its other half", flag->name,
                            stands_alone(first) ? text : first);
        length = asprintf(&both, *words == first ? "(%s) and (%s)" : "%s and (%s)", *words, text);
    } else {
        if (is_among(*words, between[0], text)) return EXIT_DONE;
        if (!*first || !*text) return cli_refuse_again(flag, first, text);
        length = asprintf(&both, "%s%s%s", *words, between, text);
    }
    if (length < 0) return cli_fail(EXIT_MEMORY, "out of memory");
    *words = both;
    int code = cli_list_append(&joined, both);
    if (code) free(both);
    return code;
}

int cli_each_word(const char *words, cli_again separator, int (*visit)(void *user, const char *word), void *user) {
    char between[2] = {(char)separator, 0}, *copy = words ? strdup(words) : NULL, *rest = copy, *word;
    int code = words && !copy ? cli_fail(EXIT_MEMORY, "out of memory") : EXIT_DONE;
    while (!code && (word = strsep(&rest, between))) code = visit(user, word);
    free(copy);
    return code;
}
