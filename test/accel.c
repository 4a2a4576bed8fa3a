/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See accel.h. */
#include "accel.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "provider/cpu.h"

struct accel_level accel_levels[12];
size_t accel_n_levels;

static void add_level(uint32_t flags)
{
    struct accel_level *l = &accel_levels[accel_n_levels];

    for (size_t i = 0; i < accel_n_levels; i++)
        if (accel_levels[i].flags == flags)
            return;
    l->flags = flags;
    wn_accel_fill(&l->a, flags);
    accel_n_levels++;
}

int accel_setup(void **state)
{
    uint32_t f;

    (void)state;
    wn_cpu_choose(0, 0);
    f = wn_cpu_flags();
    add_level(f);
    add_level(f & ~(uint32_t)WN_CPU_SHA);
    add_level(f & ~(uint32_t)(WN_CPU_SHA | WN_CPU_AVX512 | WN_CPU_IFMA));
    add_level(f &= ~(uint32_t)WN_CPU_IFMA);
    add_level(f &= ~(uint32_t)WN_CPU_AVX512);
    add_level(f &= ~(uint32_t)(WN_CPU_VAES | WN_CPU_VPCLMUL));
    add_level(f &= ~(uint32_t)WN_CPU_AVX2);
    add_level(f &= ~(uint32_t)(WN_CPU_AVX | WN_CPU_AESNI | WN_CPU_SHA));
    add_level(0);
    return 0;
}

size_t accel_hex(uint8_t *to, const char *hex)
{
    size_t n = 0;
    unsigned char *p;

    if (hex == NULL)
        return 0;
    p = wnt_unhex(hex, &n);
    memcpy(to, p, n);
    free(p);
    return n;
}

uint8_t *accel_place(int which, size_t n)
{
    static uint8_t *area[2];
    const size_t page = 4096, room = 2 * page;

    assert_true(n <= room);
    if (area[which] == NULL) {
        uint8_t *map = mmap(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        assert_true(map != MAP_FAILED);
        area[which] = map + page;
        assert_int_equal(mprotect(area[which], room, PROT_READ | PROT_WRITE), 0);
    }
    switch (wnt_rand_below(3)) {
    case 0:
        return area[which];
    case 1:
        return area[which] + wnt_rand_below(room - n + 1);
    default:
        return area[which] + room - n;
    }
}
