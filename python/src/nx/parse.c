/* NetworkX's edge lists and adjacency lists, parsed as by its own readers, for the contents of most files: names or
 * plain integers, and at most one number an edge.  Anything else in a line is refused with NotImplementedError, and
 * NetworkX reads the file, so that errors are its own.  Lines end with \n; without a delimiter, names end at the ASCII
 * white space of str.split(). */
#include "nx/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum data_mode { IGNORED, NONE, FLOATS, INTEGERS };

typedef struct reading {
    const char *at, *end;             /* rest of the line */
    const char *comments, *delimiter; /* NULL: no comments; white space */
    size_t comments_size, delimiter_size;
    bool integers;
    enum data_mode data;
    nx_names names;
    weft_vid *ends; /* source, target, ... */
    double *weights;
    uint64_t count, room;
} reading;

typedef struct token {
    const char *text;
    size_t size;
} token;

static bool refuse(const char *why) {
    PyErr_SetString(PyExc_NotImplementedError, why);
    return false;
}

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f); }

static const char *find(const char *in, const char *end, const char *what, size_t size) {
    for (const char *at = in; (size_t)(end - at) >= size; at++) {
        at = memchr(at, what[0], (size_t)(end - at) - size + 1);
        if (!at) return NULL;
        if (!memcmp(at, what, size)) return at;
    }
    return NULL;
}

/* The line's next token, as str.split() finds it; false: there is none.  `at` is NULL after the last. */
static bool next_token(reading *r, token *t) {
    if (!r->at) return false;
    if (r->delimiter) {
        const char *stop = find(r->at, r->end, r->delimiter, r->delimiter_size);
        *t = (token){r->at, (size_t)((stop ? stop : r->end) - r->at)};
        r->at = stop ? stop + r->delimiter_size : NULL;
        return true;
    }
    while (r->at < r->end && is_space(*r->at)) r->at++;
    const char *begin = r->at;
    while (r->at < r->end && !is_space(*r->at)) r->at++;
    *t = (token){begin, (size_t)(r->at - begin)};
    return t->size > 0;
}

static token stripped(token t) {
    while (t.size && is_space(t.text[0])) t.text++, t.size--;
    while (t.size && is_space(t.text[t.size - 1])) t.size--;
    return t;
}

static bool integer_of(token t, int64_t *value) {
    t = stripped(t);
    bool minus = t.size && t.text[0] == '-';
    if (t.size && (minus || t.text[0] == '+')) t.text++, t.size--;
    *value = 0;
    for (size_t i = 0; i < t.size; i++) {
        if (t.text[i] < '0' || t.text[i] > '9') return refuse("an integer of another kind");
        *value = 10 * *value + (t.text[i] - '0');
        if (i == 17) return refuse("an integer of more than 17 digits");
    }
    if (minus) *value = -*value;
    return t.size ? true : refuse("there is no integer");
}

static bool float_of(token t, double *value) {
    char text[64], *end;
    t = stripped(t);
    if (!t.size || t.size >= sizeof text) return refuse("a number of another kind");
    memcpy(text, t.text, t.size);
    text[t.size] = 0;
    *value = PyOS_string_to_double(text, &end, NULL);
    if (PyErr_Occurred()) PyErr_Clear(), end = text;
    return end == text + t.size && !isnan(*value) ? true : refuse("a number of another kind");
}

static bool node_of(reading *r, token t, weft_vid *v) {
    int64_t value;
    if (!r->integers) return nx_name_text(&r->names, t.text, t.size, v);
    return integer_of(t, &value) && nx_name_integer(&r->names, value, v);
}

static bool add(reading *r, weft_vid u, weft_vid v, double weight) {
    if (r->count == r->room) {
        uint64_t room = 2 * r->room + 1024;
        weft_vid *ends = realloc(r->ends, 2 * room * sizeof *ends);
        if (ends) r->ends = ends;
        double *weights = r->data >= FLOATS ? realloc(r->weights, room * sizeof *weights) : NULL;
        if (weights) r->weights = weights;
        if (!ends || (r->data >= FLOATS && !weights)) {
            PyErr_NoMemory();
            return false;
        }
        r->room = room;
    }
    r->ends[2 * r->count] = u;
    r->ends[2 * r->count + 1] = v;
    if (r->weights) r->weights[r->count] = weight;
    r->count++;
    return true;
}

/* Parses the rest of a line after the two nodes of an edge. */
static bool data_of(reading *r, double *weight) {
    token t, more;
    int64_t whole;
    *weight = 1;
    if (r->data == IGNORED) return true;
    bool some = next_token(r, &t);
    if (r->data == NONE)
        return !some || (t.size == 2 && !memcmp(t.text, "{}", 2) && !next_token(r, &more)) ? true
                                                                                           : refuse("edges have data");
    if (!some || next_token(r, &more)) return refuse("an edge without a number, or with more than one");
    if (r->data == FLOATS) return float_of(t, weight);
    if (!integer_of(t, &whole)) return false;
    *weight = (double)whole;
    return whole <= 1LL << 53 && whole >= -(1LL << 53) ? true : refuse("an integer beyond 2^53");
}

static bool edge_line(reading *r) {
    token a, b;
    weft_vid u, v;
    double weight;
    if (!next_token(r, &a) || !next_token(r, &b)) return true;
    return node_of(r, a, &u) && node_of(r, b, &v) && data_of(r, &weight) && add(r, u, v, weight);
}

static bool neighbours_line(reading *r) {
    token t;
    weft_vid u, v;
    if (!next_token(r, &t)) return refuse("a line without a node");
    if (!node_of(r, t, &u)) return false;
    while (next_token(r, &t))
        if (!node_of(r, t, &v) || !add(r, u, v, 1)) return false;
    return true;
}

static bool read_lines(reading *r, const char *text, const char *end, bool adjacency) {
    nx_clock clock = {0};
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        r->at = text;
        r->end = stop ? stop : end;
        text = r->end + 1;
        const char *comment = r->comments ? find(r->at, r->end, r->comments, r->comments_size) : NULL;
        if (comment) r->end = comment;
        if (comment && comment == r->at) continue;
        if (!(adjacency ? neighbours_line(r) : edge_line(r)) || !nx_go_on(&clock, 16)) return false;
    }
    return true;
}

static PyObject *built(reading *r, binding_state *state, bool directed) {
    weft_vid *from = malloc((r->count + 1) * sizeof *from), *to = malloc((r->count + 1) * sizeof *to);
    PyObject *nodes = from && to ? nx_names_list(&r->names) : PyErr_NoMemory(), *rows = NULL;
    for (uint64_t e = 0; nodes && e < r->count; e++) {
        from[e] = r->ends[2 * e];
        to[e] = r->ends[2 * e + 1];
    }
    nx_edges edges = {from, to, r->weights, r->data == FLOATS, r->count};
    if (nodes) rows = nx_build_rows(state, nodes, r->names.used, &edges, directed);
    Py_XDECREF(nodes);
    free(from);
    free(to);
    return rows;
}

/* nx_parse(bytes, whether lines are adjacency lists, comments or None, delimiter or None, whether nodes are integers,
 * data: 0 ignored, 1 must be absent, 2 a float for each edge, 3 an integer; directed) -> NxGraph */
PyObject *nx_parse(PyObject *module, PyObject *args) {
    Py_buffer text;
    Py_ssize_t comments = 0, delimiter = 0;
    int adjacency, integers, data, directed;
    reading r = {.names = {.used = 0}};
    if (!PyArg_ParseTuple(args, "y*pz#z#pip", &text, &adjacency, &r.comments, &comments, &r.delimiter, &delimiter,
                          &integers, &data, &directed))
        return NULL;
    PyObject *rows = NULL;
    r.comments_size = (size_t)comments;
    r.delimiter_size = (size_t)delimiter;
    r.integers = integers;
    r.data = (enum data_mode)data;
    if ((r.comments && !comments) || (r.delimiter && !delimiter))
        PyErr_SetString(PyExc_ValueError, "an empty separator");
    else if (nx_names_open(&r.names) && read_lines(&r, text.buf, (const char *)text.buf + text.len, adjacency))
        rows = built(&r, binding_of(module), directed);
    nx_names_close(&r.names);
    free(r.ends);
    free(r.weights);
    PyBuffer_Release(&text);
    return rows;
}
