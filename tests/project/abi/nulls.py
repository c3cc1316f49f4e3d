"""nulls.py CC HEADERS LIBRARIES FOLDER: every function of the library, called once for each of its pointers with NULL in its
place and something sensible in the others.  Nothing crashes; what must be given is asked for by name; and what a failed
call would have made is NULL."""
import os
import re
import subprocess
import sys

from header import functions_of, texts_of

compiler, headers, libraries, folder = sys.argv[1:]

# Something sensible, by type and, where that does not tell, by name.
VALUES = {
    "weft_ctx *": "ctx", "const weft_ctx *": "ctx", "const weft_graph *": "g", "const weft_result *": "r",
    "weft_graph *": "NULL", "weft_result *": "r", "const weft_plan *": "plan", "weft_plan *": "plan",
    "const weft_algorithm_info *": "weft_algorithm_at(0)", "const weft_generator_info *": "weft_generator_at(0)",
    "weft_graph **": "&made_graph", "weft_result **": "&made_result", "weft_plan **": "&made_plan",
    "weft_ctx **": "&made_ctx", "uint64_t **": "&numbers", "const weft_vid **": "&order", "weft_vid **": "&groups", "char **": "&text_out",
    "weft_vid *": "vertices_out", "uint64_t *": "&number", "size_t *": "&size", "int *": "&flag", "weft_eid *": "&place",
    "const void *": "data", "const weft_vid *": "ends", "const uint32_t *": "labels", "const uint8_t *": "(const uint8_t *)labels", "uint32_t *": "labels_out", "weft_csr *": "&rows", "weft_graph_info *": "&info",
    "weft_machine *": "&machine", "weft_error_info *": "&error_info", "const weft_column *": "&column", "weft_column *": "&column", "const weft_arrays *": "&arrays", "weft_ids *": "&ids", "weft_attribute *": "&attribute", "const weft_attribute *": "&attribute", "const weft_attribute *const *": "attributes", "const int64_t *": "wide", "const weft_scalar *": "&scalar", "const weft_read_params *": "NULL",
    "weft_dynamic *": "d", "weft_dynamic **": "&made_dynamic", "const weft_batch *": "&batch", "weft_batch_stats *": "NULL",
    "weft_dynamic_info *": "&dynamic_info", "weft_subgraph_info *": "NULL", "weft_project_info *": "NULL", "weft_batch *": "&batch", "weft_tracker *": "tracker",
    "weft_tracker **": "&made_tracker", "weft_tracker_info *": "&tracker_info", "weft_checkpoint_info *": "&checkpoint_info",
    "weft_ctx *const *": "NULL", "const weft_graph *const *": "several", "const char **": "&word",
    "weft_alloc_fn": "NULL", "weft_free_fn": "NULL", "weft_progress_fn": "NULL", "weft_cancel_fn": "NULL",
    "weft_warning_fn": "NULL", "void *": "NULL",
}
TEXTS = {"algorithm": '"degree"', "kind": '"karate"', "text": '"1"', "column": '"total"', "name": '"degree"',
         "path": '"some.csv"', "buffer": "buffer"}
# NULL is a value of these: the defaults, nothing to tell, nobody to call.
MAY_BE_NULL = {"cuda_stream", "params", "build", "weights", "position", "user", "alloc", "release", "progress", "cancel", "warning",
               "note", "buffer", "first", "second", "rules", "block", "base", "stats", "how", "left_out", "projection", "counted", "mpi_comm", "folder", "stop"}
# Their NULL is allowed where nothing is asked of them: no edges, no bytes.
NUMBERS = {"count": "1", "bytes": "1", "vertices": "2", "room": "64", "v": "0", "u": "0", "i": "0", "seed": "1",
           "threads": "1", "measure": "0", "warm": "0", "stay": "0", "weight_type": "WEFT_WEIGHT_NONE",
           "at": "0", "side": "WEFT_SIDE_OUT", "device": "WEFT_DEVICE_CPU", "status": "WEFT_OK", "type": "WEFT_U32", "k": "1", "number": "1", "from": "0", "to": "1"}
SILENT = {"weft_ctx_error"}  # it leaves the message of the failure that it is about
ALLOWED = {("weft_graph_weighted_by", "column")}  # NULL asks of something else

declared = "".join(text for name, text in texts_of(headers).items() if name != "weft/check.h")
calls, count = [], 0
for result, name, params in functions_of(declared):
    kinds, names = [], []
    for p in params:
        m = re.match(r"(.*?)(\w+)$", p)
        kinds.append(m.group(1).strip())
        names.append(m.group(2))
    values = []
    for kind, parameter in zip(kinds, names):
        if kind == "weft_order":
            values.append("WEFT_LARGEST_FIRST")
        elif parameter in MAY_BE_NULL and parameter != "buffer":
            values.append("NULL")
        elif kind in ("const char *", "char *"):
            values.append(TEXTS.get(parameter, "buffer"))
        elif kind in VALUES:
            values.append(VALUES[kind])
        elif parameter in NUMBERS:
            values.append(NUMBERS[parameter])
        elif kind.endswith("*"):
            sys.exit("nulls.py: what is a sensible '%s %s' of %s?" % (kind, parameter, name))
        else:
            values.append("0")
    for i, (kind, parameter) in enumerate(zip(kinds, names)):
        if not kind.endswith("*") and not kind.endswith("_fn"):
            continue
        given = values[:i] + ["NULL"] + values[i + 1:]
        if name.endswith("_free") and name != "weft_free" and values[i] != "NULL":
            given = ["NULL"]
        call = "%s(%s)" % (name, ", ".join(given))
        label = "%s, %s" % (name, parameter)
        count += 1
        if result != "weft_status":
            calls.append("    about(\"%s\");\n    (void)%s;" % (label, call))
        elif parameter in MAY_BE_NULL or (name, parameter) in ALLOWED:
            calls.append("    about(\"%s\");\n    (void)%s;\n    drop();" % (label, call))
        else:
            outs = [values[j].lstrip("&") for j, k in enumerate(kinds) if k.endswith("**") and j != i]
            calls.append("    about(\"%s\");\n    st = %s;\n    refused(st, \"%s\", %s, %s);" %
                         (label, call, parameter, "0" if parameter in ("ctx", "plan") or "ctx" not in values or name in SILENT else "1",
                          " && ".join("!" + o for o in outs) or "1"))

program = """#include "weft_experimental.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static weft_ctx *ctx, *made_ctx;
static weft_graph *g, *made_graph;
static const weft_graph *several[1];
static weft_result *r, *made_result;
static weft_plan *plan, *made_plan;
static weft_dynamic *d, *made_dynamic;
static weft_dynamic_info dynamic_info = {.size = sizeof dynamic_info};
static weft_tracker *tracker, *made_tracker;
static weft_tracker_info tracker_info = {.size = sizeof tracker_info};
static weft_checkpoint_info checkpoint_info = {.size = sizeof checkpoint_info};
static uint64_t *numbers, number;
static const char *word;
static const weft_vid *order;
static weft_vid *groups;
static char *text_out, buffer[64];
static weft_vid vertices_out[4], ends[] = {0, 1};
static size_t size;
static int flag, failures;
static weft_eid place;
static const char data[] = "0 1\\n";
static weft_csr rows = {.size = sizeof rows};
static weft_graph_info info = {.size = sizeof info};
static weft_machine machine = {.size = sizeof machine};
static weft_error_info error_info = {.size = sizeof error_info};
static weft_ids ids = {.size = sizeof ids};
static const int64_t attribute_values[64];
static weft_attribute attribute = {.size = sizeof attribute, .name = "x", .type = WEFT_ATTRIBUTE_WHOLE, .values = attribute_values};
static const weft_attribute *attributes[] = {&attribute};
static int64_t wide[] = {0, 1};
static const uint32_t labels[34];
static uint32_t labels_out[1000];
static const char *what;
static void about(const char *next) {
    what = next;
    fprintf(stderr, "%s\\n", next); /* the last line is where it crashed */
    made_ctx = (void *)&what, made_graph = (void *)&what, made_result = (void *)&what, made_plan = (void *)&what;
    made_dynamic = (void *)&what, made_tracker = (void *)&what;
    numbers = (void *)&what, text_out = (void *)&what, order = (void *)&what, groups = (void *)&what;
}
static void drop(void) {
    if ((void *)made_graph != (void *)&what) weft_graph_free(made_graph);
    if ((void *)made_plan != (void *)&what) weft_plan_free(made_plan);
    if ((void *)made_tracker != (void *)&what) weft_tracker_free(made_tracker);
    if ((void *)made_dynamic != (void *)&what) weft_dynamic_free(made_dynamic);
    if ((void *)made_result != (void *)&what) weft_result_free(made_result);
}
static void refused(weft_status st, const char *parameter, int named, int nothing_made) {
    int good = st == WEFT_EINVAL && nothing_made;
    if (named && !strstr(weft_ctx_message(ctx), parameter)) good = 0;
    if (!good) failures++;
    if (!good) printf("%s: status %d, message '%s'\\n", what, (int)st, weft_ctx_message(ctx));
}
int main(void) {
    weft_column column = WEFT_COLUMN_DEFAULTS;
    weft_scalar scalar = WEFT_SCALAR_DEFAULTS;
    weft_arrays arrays = WEFT_ARRAYS_DEFAULTS;
    weft_batch batch = WEFT_BATCH_DEFAULTS;
    weft_status st;
    if (weft_ctx_new(&ctx) || weft_generate(ctx, "karate", NULL, NULL, &g) || weft_degree(ctx, g, NULL, &r) ||
        weft_plan_new(ctx, "degree", g, NULL, &plan) || weft_dynamic_new(ctx, NULL, NULL, &d) ||
        weft_dynamic_track(ctx, d, "degree", NULL, NULL, &tracker))
        return 1;
    several[0] = g;
    (void)numbers, (void)order, (void)text_out, (void)buffer, (void)vertices_out, (void)ends, (void)data, (void)wide, (void)labels, (void)labels_out;
@CALLS@
    return failures != 0;
}
""".replace("@CALLS@", "\n".join(calls))
source = os.path.join(folder, "nulls.c")
with open(source, "w") as f:
    f.write(program)
binary = os.path.join(folder, "nulls")
made = subprocess.run([compiler, "-std=c99", "-I" + headers, source, "-o", binary, "-L" + libraries,
                       "-Wl,-rpath," + libraries, "-lweft"], capture_output=True, text=True)
if made.returncode:
    sys.exit(made.stderr)
ran = subprocess.run([binary], capture_output=True, text=True, cwd=folder)
sys.stdout.write(ran.stdout)
if ran.returncode:
    print("exit %d at: %s" % (ran.returncode, ran.stderr.strip().split("\n")[-1]))
print("%d pointers were NULL" % count)
sys.exit(1 if ran.returncode or count < 100 else 0)
