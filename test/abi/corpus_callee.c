/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The ffi_rt authors */
/* Callees of the corpus that are more than a check of their arguments. */
#include <stdarg.h>

struct longs {
    long a, b, c;
};

/* B01: declared as returning _Bool, it leaves rubbish above the low byte. */
unsigned
b01(void)
{
    return 0x12345600;
}

/* A03 */
long
a03(struct longs s)
{
    return s.a + s.b + s.c;
}

/* A32 */
void
a32(struct longs s)
{
    volatile struct longs *own = &s;

    own->a = own->b = own->c = -1;
}

/* A37 */
int
a37(
    int a, struct {} nothing, int b)
{
    (void)nothing;
    return 10 * a + b;
}

/* B06 */
long
b06_long(long l)
{
    return l;
}

unsigned long
b06_unsigned(unsigned long u)
{
    return u;
}

/* B07 */
double
b07(int count, ...)
{
    double sum = 0;
    va_list list;

    va_start(list, count);
    while (count-- > 0)
        sum += va_arg(list, double);
    va_end(list);
    return sum;
}

/* B11 */
int
b11(int tag, ...)
{
    int (*function)(int, void *);
    void *context;
    va_list list;

    va_start(list, tag);
    function = va_arg(list, int (*)(int, void *));
    context = va_arg(list, void *);
    va_end(list);
    return function(tag, context);
}

int
b11_function(int tag, void *context)
{
    return *(int *)context += tag;
}

/* B14 */
double
b14(int count, ...)
{
    struct pair {
        char c;
        double d;
    } pair;
    double sum = 0;
    va_list list;

    va_start(list, count);
    while (count-- > 0) {
        pair = va_arg(list, struct pair);
        sum += pair.c + pair.d;
    }
    va_end(list);
    return sum;
}
