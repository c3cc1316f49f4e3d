/* Vertex-addressed messages, delivered to the owner: the communication of push steps (Pregel's messages, one for each
 * pair of rank and vertex).
 * Method: a rank addresses each vertex of the graph at most once in a step; the messages are sorted by the owner of
 * their vertex, stably, and sent by one all-to-all.
 * Encoding: a message begins with its vertex; a bitmap of the graph's vertices marks the addressed ones.
 * [1] Malewicz et al., "Pregel: a system for large-scale graph processing", SIGMOD 2010. */
#ifndef WFI_MESSAGES_H
#define WFI_MESSAGES_H

#include "ranks/spread.h"

/* The shortest message. */
typedef struct wfi_message {
    weft_vid vertex;
    uint32_t number;
} wfi_message;

typedef struct wfi_messages {
    size_t each; /* bytes of a message */
    void *send;  /* filled by the caller: each vertex of the graph at most once */
    uint64_t send_count;
    uint8_t *addressed; /* a bit for each vertex of the graph */
    void *received;     /* messages in the order of ranks, and of each rank in the order of its rows */
    uint64_t received_count;
    void *sorted;
    uint64_t *send_start, *receive_start;
} wfi_messages;

/* Declares the arrays, by their bounds: twice a message for each vertex of the graph, and once for each of this rank's
 * vertices and each rank. */
void wfi_messages_lay_out(wfi_workspace *w, const wfi_spread *s, size_t each, wfi_messages *m);
/* Must precede the first delivery. */
void wfi_messages_begin(const wfi_spread *s, wfi_messages *m);
/* Sends the messages in `send` to their owners, and receives the messages to this rank's vertices; then `send` is
 * empty.  The graph is in one block. */
weft_status wfi_messages_deliver(weft_ctx *ctx, const wfi_spread *s, wfi_messages *m);

static inline void *wfi_to_send(const wfi_messages *m, uint64_t i) { return (char *)m->send + i * m->each; }
static inline const void *wfi_received(const wfi_messages *m, uint64_t i) {
    return (const char *)m->received + i * m->each;
}

/* Ensures a message to the vertex in `send`.  True: it is new, and to be filled in. */
static inline bool wfi_address(wfi_messages *m, weft_vid v) {
    uint8_t bit = (uint8_t)(1u << (v & 7));
    if (m->addressed[v >> 3] & bit) return false;
    m->addressed[v >> 3] |= bit;
    *(weft_vid *)wfi_to_send(m, m->send_count++) = v;
    return true;
}

#endif
