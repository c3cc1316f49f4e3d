/* The program weft-lab: what its parts share.  main.c sorts the words, words.c understands what is asked for, run.c runs it, show.c shows
 * it, with table.c and json.c.  Flags, files and messages are those of cli/; measuring and the report are the lab's own (lab/). */
#ifndef WEFT_LAB_PROGRAM_H
#define WEFT_LAB_PROGRAM_H

#include "bench/bench.h"
#include "report.h"

/* One ladder, with the parameters, rungs and sizes that were asked for. */
typedef struct lab_asked {
    const lab_ladder *ladder;
    const char *words; /* its parameters, as given */
    bench_spec spec;
    bool *chosen;
    uint64_t *sizes; /* numbers of vertices, rising, each once */
    size_t size_count;
} lab_asked;

typedef struct lab_order {
    lab_asked *asked;
    size_t asked_count;
    int blocks[LAB_MOST_SWEEP];
    size_t block_count;
    const char *json_file, *report; /* NULL: none is wanted; "-": standard output, at most one of them */
} lab_order;

/* All of `weft lab`, from parsed words to the exit code. */
int lab_command(cli_call *call);

/* From the command line; free with lab_order_free in any case. */
int lab_understand(lab_order *order, const cli_call *call);
void lab_order_free(lab_order *order);
/* Parameters from the algorithm's defaults, what prepare() makes of them, and the words after the ladder's name. */
int lab_read_params(lab_asked *asked, void (*prepare)(void *params));

/* The table or the files that were asked for. */
int lab_show(const lab_book *book, const lab_order *order, const cli_options *options);
/* After Ctrl-C or a failure, which has been told: no file is written. */
void lab_show_incomplete(lab_book *book, const lab_order *order, const cli_options *options);
/* The ladders there are, as text or to --json. */
int lab_list_asked(const cli_options *options);

void lab_list(void);
void lab_list_json(const lab_book *none, FILE *to);
void lab_print(const lab_book *book);
void lab_json(const lab_book *book, FILE *to);

#endif
