/* Values written for people: three digits, never a power of ten.  The report's form, and the terminal's but for times and
 * speed-ups, which it writes in ASCII. */
#ifndef WEFT_LAB_UNITS_H
#define WEFT_LAB_UNITS_H

void unit_ms(char room[32], double ms);       /* 12 ms, 3.4 µs, 1.2 s */
void unit_count(char room[32], double x);     /* 1.2 k, 30 M */
void unit_bytes(char room[32], double x);     /* 12.1 B, 9.5 kB */
/* "3.4× as fast", "34× slower", "as fast": of x times the speed. */
void unit_faster(char room[32], double x);
void unit_times(char room[32], double x);     /* 1.74x, 2283x, with the sign of multiplication */
void unit_gbs(char room[32], double x);       /* 12.3, 4409 */
void unit_share(char room[32], double share); /* 209 %, 5.4 %, 0.03 % */

#endif
