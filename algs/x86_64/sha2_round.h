/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A round of SHA-2 (FIPS 180-4 sections 6.2.2 and 6.4.2, step 3). The includer
 * defines FN, WORD, SIGMA0 and SIGMA1.
 */
static inline __attribute__((always_inline)) WORD ror(WORD x, unsigned n)
{
    return x >> n | x << (8 * sizeof(WORD) - n);
}

/*
 * Round i of eight, whose variable a is s[-i], b s[1 - i] ...; *bxc is b ^ c, *bac
 * b & c. What decides the time is the way from e to the next e and from a to the
 * next a: four operations each, since both sums take last what takes longest, Sigma,
 * and T1 is not kept beside d + T1 but is the new e less d. The compiler, which
 * would regroup the sums, is kept from it.
 */
FN void sha2_round(WORD s[8], unsigned i, WORD wk, WORD *bxc, WORD *bac)
{
#define S(k) s[((k) - i) & 7]
#define PIN(v) __asm__("" : "+r"(v))
    WORD e = S(3) + (S(7) + wk), t, sigma, x = ~S(4) & S(6), y = S(4) & S(5);

    PIN(e);
    t = *bac - S(3);                            /* Maj(a, b, c) = (b & c) + (a & (b ^ c)) */
    e += x;                                     /* Ch: its halves are disjoint */
    PIN(e);
    sigma = SIGMA1(S(4));
    e += y;
    PIN(e);
    e += sigma;
    PIN(e);
    t += S(0) & *bxc;
    PIN(t);
    S(3) = e;
    t += e;
    PIN(t);
    *bxc = S(0) ^ S(1);
    *bac = S(0) & S(1);
    S(7) = t + SIGMA0(S(0));
#undef PIN
#undef S
}
