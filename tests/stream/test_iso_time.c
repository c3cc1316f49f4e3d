/* Times as text, against days counted one by one. */
#include "harness.h"
#include "stream/iso_time.h"

static bool is_leap(int year) { return year % 4 == 0 && (year % 100 || year % 400 == 0); }

static int days_in(int year, int month) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && is_leap(year));
}

TEST(days_follow_each_other_from_0000_to_9999) {
    int64_t day = -719528, time = 0; /* 0000-01-01 */
    char text[40], back[WFI_TIME_ROOM];
    for (int year = 0; year < 10000 && harness_failures < 5; year++)
        for (int month = 1; month <= 12; month++)
            for (int d = 1; d <= days_in(year, month); d++, day++) {
                weft_time_form form = WEFT_TIME_UTC;
                snprintf(text, sizeof text, "%04d-%02d-%02d", year, month, d);
                bool is = wfi_time_scan(text, 10, &time, &form);
                if (!is || time != day * INT64_C(86400000000) || form != WEFT_TIME_DAY) HARNESS_FAIL("%s", text);
                if (d == 1 && (wfi_time_print(back, time, form) != 10 || memcmp(back, text, 10)))
                    HARNESS_FAIL("%s comes back as %.10s", text, back);
            }
}

TEST(what_is_no_day_is_refused) {
    static const char *const wrong[] = {"2023-02-29",  "1900-02-29", "2024-02-30", "2024-00-01", "2024-13-01",
                                        "2024-04-31",  "2024-01-00", "2024-01-32", "2024/01/01", "2024-1-011",
                                        "202a-01-01",  "2024-01-0a", "2024-0:-01", "20 4-01-01", "2024-01-01Z",
                                        "2024-01-01T", "2024-01"};
    int64_t time;
    weft_time_form form;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (wfi_time_scan(wrong[i], strlen(wrong[i]), &time, &form)) HARNESS_FAIL("%s", wrong[i]);
    for (int at = 0; at < 10; at++)
        for (int c = 0; c < 256; c++) {
            char text[] = "2000-11-11";
            bool digit = c >= '0' && c <= '9', sign = at == 4 || at == 7;
            text[at] = (char)c;
            bool wanted =
                sign ? c == '-' : digit && (at != 5 || c < '2') && (at != 6 || c < '3') && (at != 8 || c < '4');
            if (text[8] == '0' || (text[8] == '3' && text[9] > '0') || (text[5] == '0' && text[6] == '0')) continue;
            if (at == 5 && c == '0') wanted = true;
            if (wfi_time_scan(text, 10, &time, &form) != wanted) HARNESS_FAIL("%02x at %d", (unsigned)c, at);
        }
}

TEST(clocks_and_zones_move_a_time) {
    int64_t day, time;
    weft_time_form form;
    CHECK(wfi_time_scan("2024-03-01", 10, &day, &form));
    CHECK(wfi_time_scan("2024-03-01T12:30", 16, &time, &form) && form == WEFT_TIME_LOCAL);
    CHECK_U64((uint64_t)(time - day), 45000000000);
    CHECK(wfi_time_scan("2024-03-01 12:30:00.25+02:00", 28, &time, &form) && form == WEFT_TIME_UTC);
    CHECK_U64((uint64_t)(time - day), 37800250000);
}

TEST_MAIN()
