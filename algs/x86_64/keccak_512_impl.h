/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keccak-p[1600, 24] (FIPS 202 section 3.3) with AVX-512VL: one lane of LANES
 * states in each vector register, all 25 lanes and five sums in the 32 registers.
 * Included once for each vector type, with
 *
 *   PERMUTE            the name of the function
 *   V                  the vector type
 *   V_XOR V_ROL V_TERN its operations (exclusive or, rotation, three-input table)
 *   V_SET              a 64-bit number in each of its elements
 *   V_LOAD V_STORE     lane i of the states at s
 *
 * A round reads each lane once, so its result goes where an input was: lane (x, y)
 * of round r lies where lane (x, x + 2y) of round r - 1 did, and after four rounds
 * everything is back in place. That leaves no copies for the compiler to make.
 */
#define AT0(x, y) ((x) % 5 + 5 * ((y) % 5))
#define AT1(x, y) AT0(x, (x) + 2 * (y))
#define AT2(x, y) AT1(x, (x) + 2 * (y))
#define AT3(x, y) AT2(x, (x) + 2 * (y))
#define AT4(x, y) AT3(x, (x) + 2 * (y)) /* = AT0 */

#define XOR3(a, b, c) V_TERN(a, b, c, 0x96)
#define CHI(a, b, c)  V_TERN(a, b, c, 0xd2) /* a ^ (~b & c) */

/* Step theta's parity of a column. */
#define COLUMN(at, x)                                                                       \
    XOR3(XOR3(a[at(x, 0)], a[at(x, 1)], a[at(x, 2)]), a[at(x, 3)], a[at(x, 4)])

/* Steps theta, rho and pi for the lane that comes to (x, y), rotated by n. */
#define MOVED(at, x, y, n)                                                                  \
    ((n) ? V_ROL(V_XOR(a[at((x) + 3 * (y), x)], d[((x) + 3 * (y)) % 5]), (n) ? (n) : 1)     \
         : V_XOR(a[at((x) + 3 * (y), x)], d[((x) + 3 * (y)) % 5]))

/* Row y of the next state, in the places of the lanes it was made of: step chi. */
#define ROW(at, next, y, n0, n1, n2, n3, n4)                                                \
    do {                                                                                    \
        V b0 = MOVED(at, 0, y, n0), b1 = MOVED(at, 1, y, n1), b2 = MOVED(at, 2, y, n2);     \
        V b3 = MOVED(at, 3, y, n3), b4 = MOVED(at, 4, y, n4);                               \
                                                                                            \
        a[next(0, y)] = CHI(b0, b1, b2);                                                    \
        a[next(1, y)] = CHI(b1, b2, b3);                                                    \
        a[next(2, y)] = CHI(b2, b3, b4);                                                    \
        a[next(3, y)] = CHI(b3, b4, b0);                                                    \
        a[next(4, y)] = CHI(b4, b0, b1);                                                    \
    } while (0)

#define ROUND(at, next, constant)                                                           \
    do {                                                                                    \
        V c0 = COLUMN(at, 0), c1 = COLUMN(at, 1), c2 = COLUMN(at, 2);                       \
        V c3 = COLUMN(at, 3), c4 = COLUMN(at, 4);                                           \
                                                                                            \
        d[0] = V_XOR(c4, V_ROL(c1, 1));                                                     \
        d[1] = V_XOR(c0, V_ROL(c2, 1));                                                     \
        d[2] = V_XOR(c1, V_ROL(c3, 1));                                                     \
        d[3] = V_XOR(c2, V_ROL(c4, 1));                                                     \
        d[4] = V_XOR(c3, V_ROL(c0, 1));                                                     \
        ROW(at, next, 0, 0, 44, 43, 21, 14);                                                \
        a[0] = V_XOR(a[0], V_SET(constant));                                                \
        ROW(at, next, 1, 28, 20, 3, 45, 61);                                                \
        ROW(at, next, 2, 1, 6, 25, 8, 18);                                                  \
        ROW(at, next, 3, 27, 36, 10, 15, 56);                                               \
        ROW(at, next, 4, 62, 55, 39, 41, 2);                                                \
    } while (0)

__attribute__((target(WN_T512))) void PERMUTE(uint64_t *s)
{
    V a[25], d[5];
    unsigned i;

    UNROLL(25)
    for (i = 0; i < 25; i++)
        a[i] = V_LOAD(s, i);
    for (i = 0; i < 24; i += 4) {
        ROUND(AT0, AT1, iota[i]);
        ROUND(AT1, AT2, iota[i + 1]);
        ROUND(AT2, AT3, iota[i + 2]);
        ROUND(AT3, AT4, iota[i + 3]);
    }
    UNROLL(25)
    for (i = 0; i < 25; i++)
        V_STORE(s, i, a[i]);
}

#undef AT0
#undef AT1
#undef AT2
#undef AT3
#undef AT4
#undef XOR3
#undef CHI
#undef COLUMN
#undef MOVED
#undef ROW
#undef ROUND
#undef PERMUTE
#undef V
#undef V_XOR
#undef V_ROL
#undef V_TERN
#undef V_SET
#undef V_LOAD
#undef V_STORE
