/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The end of each vec*.h: x_wipe with its vectors. */
VI void v_wipe(void *p, size_t n)
{
    uint8_t *d = (uint8_t *)p;

    for (; n >= sizeof(vec); n -= sizeof(vec), d += sizeof(vec)) {
        v_store(d, v_zero());
        __asm__ __volatile__("" : : : "memory");
    }
    x_wipe(d, n);
}
