/* Where what was measured goes: the terminal, files, standard output for a program. */
#include "program.h"

#include <string.h>

static int write_file(const lab_book *book, const char *path, void (*write)(const lab_book *, FILE *)) {
    out_file out;
    int code = out_open(&out, path);
    if (!code) write(book, out.to);
    return out_close(&out, code);
}

static bool is_dash(const char *path) { return path && strcmp(path, "-") == 0; }

int lab_show(const lab_book *book, const lab_order *order, const cli_options *options) {
    const char *data = order->json_file, *report = order->report;
    int code = EXIT_DONE;
    if (!is_dash(data) && !is_dash(report)) lab_print(book);
    if (data) code = write_file(book, data, lab_json);
    if (!report || code) return code;
    code = write_file(book, report, lab_report);
    cli_flush_stdout();
    if (!code && !is_dash(report)) cli_note(options, "the report is in %s", report);
    return code;
}

void lab_show_incomplete(lab_book *book, const lab_order *order, const cli_options *options) {
    const lab_page *last = book->page_count ? &book->pages[book->page_count - 1] : NULL;
    if (last && !last->table.row_count && !cli_interrupted()) { /* what failed has nothing to show */
        lab_table_free(&book->pages[--book->page_count].table);
        last = book->page_count ? last - 1 : NULL;
    }
    if (!last) return;
    if (is_dash(order->report)) { /* a reader of the report gets nothing else */
        cli_note(options, "no report is written");
        return;
    }
    cli_note(options, "what was measured so far is shown as incomplete; no file is written");
    if (is_dash(order->json_file)) {
        lab_json(book, stdout);
        return;
    }
    lab_print(book);
    if (last->table.complete) puts("INCOMPLETE: it ended before every graph was measured");
}

int lab_list_asked(const cli_options *options) {
    if (options->lab.rungs || options->lab.report || options->lab.blocks || options->lab.sizes)
        return cli_fail(EXIT_USAGE, "a ladder is missing, such as weft lab pagerank; weft lab lists them");
    int code = cli_check_output("--json", options->lab.json);
    if (!code && options->lab.json) return write_file(NULL, options->lab.json, lab_list_json);
    if (!code) lab_list();
    return code;
}
