/* The letters.  A letter is a list of strokes with a blank between them, a stroke a list of points of two digits in
 * base 36: x from the left, y upwards from 4 below the base line.  So 4 is the base line, c the height of an x, g that
 * of an X, 0 the foot of a p.  A stroke of one point is a dot. */
#include "draw/raster.h"

#include "utf8.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const char *const ascii[] = {
    "",
    "1g18 14",
    "1g1d 4g4d",
    "2g14 5g44 0c6c 0868",
    "7e5g2g0e0c2a5a7876542406 4i42",
    "7g04 1g0f0d1c2c3d3f2g1g 584745546475776858",
    "842c2f3g4g5f5d1a0806244478",
    "1g1d",
    "3h1f0c061331",
    "0h2f3c362301",
    "3f39 0e6a 6e0a",
    "3d35 0969",
    "151402",
    "0949",
    "14",
    "035h",
    "2g0d072444676d4g2g",
    "0d3g34 0464",
    "0d1f2g4g6e6c0464",
    "0e2g4g6e6c4a2a 4a6866442406",
    "545g0878",
    "6g0g0a1b4b6966442406",
    "5g3g0c06244466694b2b09",
    "0g6g24",
    "2g0e0c2a4a6c6e4g2g 2a0806244466684a",
    "1434686e4g2g0e0b29496b",
    "14 1b",
    "1b 151402",
    "6d0965",
    "0b6b 0767",
    "0d6905",
    "0e2g4g6e6c3937 34",
    "6c5d3d2b2947586a 6d6878999d7g3g0d073474",
    "044g84 1878",
    "040g4g6e6c4a0a 4a78765404",
    "7e5g3g0d07345476",
    "040g4g7d774404",
    "6g0g0464 0a5a",
    "6g0g04 0a5a",
    "7e5g3g0d073454767a4a",
    "0g04 7g74 0a7a",
    "1g14",
    "4g46341406",
    "0g04 7g09 3c74",
    "0g0464",
    "040g478g84",
    "040g747g",
    "3g0d073454878d5g3g",
    "040g5g7e7b5909",
    "3g0d073454878d5g3g 5783",
    "040g5g7e7b5909 4974",
    "7e5g2g0e0c2a5a7876542406",
    "0g8g 4g44",
    "0g062454767g",
    "0g448g",
    "0g345d74ag",
    "0g74 7g04",
    "0g4a8g 4a44",
    "0g7g0474",
    "3h0h0131",
    "0h53",
    "0h3h3101",
    "0b3g6b",
    "0262",
    "2e0g",
    "6c64 6a4c2c0a06244466",
    "0g04 062444666a4c2c0a",
    "6a4c2c0a06244466",
    "6g64 6a4c2c0a06244466",
    "08686a4c2c0a06245465",
    "4g3g1e14 0c4c",
    "6c62402001 6a4c2c0a06244466",
    "0g04 0a2c4c6a64",
    "1c14 1f",
    "1c1100 1f",
    "0g04 5c07 2964",
    "1g14",
    "0c04 0a2c3c5a54 5a7c8caaa4",
    "0c04 0a2c4c6a64",
    "2c0a062444666a4c2c",
    "0c00 0a2c4c6a66442406",
    "6c60 6a4c2c0a06244466",
    "0c04 0a2c4c",
    "5b4c1c0b0918485755441405",
    "1g163444 0c4c",
    "0c06244466 6c64",
    "0c346c",
    "0c244b648c",
    "0c64 6c04",
    "0c34 6c2000",
    "0c6c0464",
    "4h3h2g2b0927223141",
    "1i10",
    "0h1h2g2b4927221101",
    "081a2a48586a",
};

/* Marks, over the middle x = 3 of a small letter. */
static const struct {
    char name;
    const char *strokes;
} marks[] = {
    {'`', "4e2g"},   {'\'', "2e4g"}, {'^', "1e3g5e"},   {'~', "0e2f4e6f"}, {':', "1f 5f"},     {'*', "3h2g2f3e4f4g3h"},
    {'<', "1g3e5g"}, {'-', "1f5f"},  {'(', "1g2e4e5g"}, {'.', "3f"},       {'"', "1e2g 4e5g"}, {',', "344220"},
    {';', "342250"}, {'/', "046c"},  {'=', "0e6e"},     {'_', ""},
};

/* U+00C0 to U+017F: a letter, and its mark or a second letter; a blank: neither. */
static const char latin[] = "A`A'A^A~A:A*AEC,E`E'E^E:I`I'I^I:D=N~O`O'O^O~O:x O/U`U'U^U:Y'Thss"
                            "a`a'a^a~a:a*aec,e`e'e^e:i`i'i^i:d=n~o`o'o^o~o:-:o/u`u'u^u:y'thy:"
                            "A-a-A(a(A;a;C'c'C^c^C.c.C<c<D<d<D=d=E-e-E(e(E.e.E;e;E<e<G^g^G(g("
                            "G.g.G,g,H^h^H=h=I~i~I-i-I(i(I;i;I.i_IJijJ^j^K,k,k L'l'L,l,L<l<L."
                            "l.L/l/N'n'N,n,N<n<'nNgngO-o-O(o(O\"o\"OEoeR'r'R,r,R<r<S's'S^s^S,s,"
                            "S<s<T,t,T<t<T=t=U~u~U-u-U(u(U*u*U\"u\"U;u;W^w^Y^y^Y:Z'z'Z.z.Z<z<s ";

static const char box_strokes[] = "0g0464 0g6g64";
static const float UNITS = 16.6f; /* a size of text */
enum { SPACE = 4, BETWEEN = 3 };  /* units: a blank, and between letters */

/* The drawing of a character. */
typedef struct glyph {
    const char *strokes, *mark;
    float across, up; /* of the mark, in units */
    char second;      /* a second letter, or 0 */
    bool known;
    float width; /* in units */
} glyph;

static int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

static float right_of(const char *strokes) {
    int most = 0;
    for (const char *at = strokes; *at; at += *at == ' ' ? 1 : 2)
        if (*at != ' ' && digit(*at) > most) most = digit(*at);
    return (float)most;
}

static glyph plain(char c) {
    return (glyph){
        .strokes = ascii[c - 32], .known = true, .width = c == ' ' ? SPACE - BETWEEN : right_of(ascii[c - 32])};
}

static glyph marked(char base, char mark) {
    glyph g = plain(base);
    bool tall = (base >= 'A' && base <= 'Z') || strchr("bdfhkl", base), through = mark == '/' || mark == '=',
         below = mark == ',' || mark == ';';
    g.across = through ? 0 : g.width / 2 - 3;
    g.up = tall && !through && !below ? 4 : 0;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (marks[i].name == mark) g.mark = marks[i].strokes;
    if (mark == '/' && tall) g.mark = base == 'O' ? "048g" : "085b";
    if (mark == '=')
        g.mark = base == 'D' ? "0a4a" : base == 'T' ? "2a6a" : base == 't' ? "0848" : base == 'd' ? "3e7e" : "0e5e";
    if (g.mark && (base == 'i' || base == 'j'))
        g.strokes = base == 'i' ? "1c14" : "1c1100"; /* the mark replaces the dot */
    if (!g.mark && mark != ' ') g.second = mark;
    return g;
}

static glyph glyph_of(uint32_t c) {
    if (c == 0xa0 || c == '\t') c = ' ';
    if (c >= 0x2010 && c <= 0x2015) c = '-';
    if (c == 0x2018 || c == 0x2019) c = '\'';
    if (c == 0x201c || c == 0x201d) c = '"';
    if (c == 0x2026) return (glyph){.strokes = "14 44 74", .known = true, .width = 7};
    if (c >= 32 && c < 127) return plain((char)c);
    if (c >= 0xc0 && c <= 0x17f) return marked(latin[2 * (c - 0xc0)], latin[2 * (c - 0xc0) + 1]);
    return (glyph){.strokes = box_strokes, .width = c >= 0x1100 ? 12 : 7};
}

/* Returns the next character and moves on. */
static uint32_t next(const char **text) {
    uint32_t c = 0xfffd;
    const unsigned char *at = (const unsigned char *)*text;
    size_t bytes = wfi_utf8_length(*text, *text + 4);
    if (bytes == 1) c = at[0];
    if (bytes > 1) c = at[0] & (0xffu >> (bytes + 1));
    for (size_t i = 1; i < bytes; i++) c = c << 6 | (at[i] & 0x3fu);
    *text += bytes ? bytes : 1;
    return c;
}

bool font_has(const char *text) {
    while (*text)
        if (!glyph_of(next(&text)).known) return false;
    return true;
}

float font_width(const char *text, float size) {
    float width = 0;
    while (*text) {
        glyph g = glyph_of(next(&text));
        width += g.width + BETWEEN;
        if (g.second) width += plain(g.second).width + BETWEEN;
    }
    return width > 0 ? (width - BETWEEN) * size / UNITS : 0;
}

/* --- drawing ---------------------------------------------------------------------------- */

typedef struct pen {
    font_line *line;
    void *to;
    float unit;
} pen;

static void put_strokes(const pen *p, const char *strokes, float x, float y) {
    float before_x = 0, before_y = 0;
    for (const char *at = strokes; *at; at += 2) {
        bool first = at == strokes || at[-1] == ' ', last = !at[2] || at[2] == ' ';
        float to_x = x + (float)digit(at[0]) * p->unit, to_y = y - (float)(digit(at[1]) - 4) * p->unit;
        if (!first || last) p->line(p->to, first ? to_x : before_x, first ? to_y : before_y, to_x, to_y);
        before_x = to_x;
        before_y = to_y;
        if (at[2] == ' ') at++;
    }
}

void font_draw(const char *text, float x, float y, float size, font_line *line, void *to) {
    pen p = {line, to, size / UNITS};
    while (*text) {
        glyph g = glyph_of(next(&text));
        put_strokes(&p, g.strokes, x, y);
        if (g.mark) put_strokes(&p, g.mark, x + g.across * p.unit, y - g.up * p.unit);
        x += (g.width + BETWEEN) * p.unit;
        if (!g.second) continue;
        glyph second = plain(g.second);
        put_strokes(&p, second.strokes, x, y);
        x += (second.width + BETWEEN) * p.unit;
    }
}
