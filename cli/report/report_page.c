/* The page of a report: a template (cli/page/) in which the figures take the place of a mark. */
#include "report/graph_report.h"

#include <string.h>

extern const char report_template[]; /* made of cli/page/ by the build */

/* JSON within <script>: the end of an element, or the start of a comment, cannot occur where there is no <. */
static void put_json(FILE *to, const char *text) {
    for (size_t plain; *text; text += plain) {
        plain = strcspn(text, "<");
        fwrite(text, 1, plain, to);
        if (!text[plain]) break;
        fputs("\\u003c", to);
        plain++;
    }
}

void report_page(const char *figures, const char *drawing, FILE *to) {
    static const char figures_mark[] = "{{figures}}", drawing_mark[] = "{{drawing}}";
    const char *middle = strstr(report_template, figures_mark), *end = strstr(report_template, drawing_mark);
    fwrite(report_template, 1, (size_t)(middle - report_template), to);
    put_json(to, figures);
    middle += sizeof figures_mark - 1;
    fwrite(middle, 1, (size_t)(end - middle), to);
    put_json(to, drawing);
    fputs(end + sizeof drawing_mark - 1, to);
}
