/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RSA signature paddings, and the making of encryption paddings; see rsa_pad.h.
 * Numbers in comments are sections of RFC 8017. */
#include "rsa_pad.h"

#include <string.h>

#include <openssl/rsaerr.h>

#include "../provider/rng.h"
#include "rsa_mgf1.h"

#define OVERHEAD 11             /* 00 01 FF*8 00 */

/* out ^= MGF1(seed, n), B.2.1 */
void wn_rsa_mgf1_xor(const struct wn_md_desc *md, const unsigned char *seed, size_t seedlen,
                     unsigned char *out, size_t n)
{
    unsigned char block[WN_MD_MAX_SIZE], count[4];
    struct wn_md state;
    size_t i, use, counter;

    for (counter = 0; n > 0; counter++, out += use, n -= use) {
        for (i = 0; i < 4; i++)
            count[i] = (counter >> (24 - 8 * i)) & 0xff;
        wn_md_init(&state, md);
        wn_md_update(&state, seed, seedlen);
        wn_md_update(&state, count, sizeof(count));
        wn_md_final(&state, block);
        use = n < md->size ? n : md->size;
        for (i = 0; i < use; i++)
            out[i] ^= block[i];
    }
    wn_md_clear(&state);
    wn_clear(block, sizeof(block));
}

static int bad(const struct wn_prov *prov, int reason)
{
    WN_RAISE_LIB(prov, ERR_LIB_RSA, reason);
    return 0;
}

/* ---- PKCS#1 v1.5 ------------------------------------------------------------ */

int wn_rsa_pad_type1(const struct wn_prov *prov, unsigned char *em, size_t k,
                     const unsigned char *in, size_t n)
{
    if (k < OVERHEAD || n > k - OVERHEAD)
        return bad(prov, RSA_R_DATA_TOO_LARGE_FOR_KEY_SIZE);
    em[0] = 0;
    em[1] = 1;
    memset(em + 2, 0xff, k - n - 3);
    em[k - n - 1] = 0;
    memcpy(em + k - n, in, n);
    return 1;
}

int wn_rsa_unpad_type1(const struct wn_prov *prov, const unsigned char *em, size_t k,
                       const unsigned char **out, size_t *n)
{
    size_t i;

    if (k < OVERHEAD || em[0] != 0)
        return bad(prov, RSA_R_INVALID_PADDING);
    if (em[1] != 1)
        return bad(prov, RSA_R_BLOCK_TYPE_IS_NOT_01);
    for (i = 2; i < k && em[i] == 0xff; i++)
        ;
    if (i == k)
        return bad(prov, RSA_R_NULL_BEFORE_BLOCK_MISSING);
    if (em[i] != 0)
        return bad(prov, RSA_R_BAD_FIXED_HEADER_DECRYPT);
    if (i < 10)
        return bad(prov, RSA_R_BAD_PAD_BYTE_COUNT);
    *out = em + i + 1;
    *n = k - i - 1;
    return 1;
}

int wn_rsa_pad_type2(const struct wn_prov *prov, unsigned char *em, size_t k,
                     const unsigned char *in, size_t n)
{
    unsigned char *ps = em + 2;
    size_t i, len;

    if (k < OVERHEAD || n > k - OVERHEAD)
        return bad(prov, RSA_R_DATA_TOO_LARGE_FOR_KEY_SIZE);
    em[0] = 0;
    em[1] = 2;
    len = k - n - 3;
    if (!wn_rng_bytes(prov, ps, len))
        return 0;
    for (i = 0; i < len; i++)
        while (ps[i] == 0)
            if (!wn_rng_bytes(prov, ps + i, 1))
                return 0;
    ps[len] = 0;
    memcpy(em + k - n, in, n);
    return 1;
}

/* ---- X9.31 --------------------------------------------------------------------- */

int wn_rsa_pad_x931(const struct wn_prov *prov, unsigned char *em, size_t k,
                    const unsigned char *in, size_t n)
{
    if (k < 2 || n > k - 2)
        return bad(prov, RSA_R_DATA_TOO_LARGE_FOR_KEY_SIZE);
    if (n == k - 2) {
        em[0] = 0x6a;
    } else {
        em[0] = 0x6b;
        memset(em + 1, 0xbb, k - n - 3);
        em[k - n - 2] = 0xba;
    }
    memcpy(em + k - n - 1, in, n);
    em[k - 1] = 0xcc;
    return 1;
}

int wn_rsa_unpad_x931(const struct wn_prov *prov, const unsigned char *em, size_t k,
                      const unsigned char **out, size_t *n)
{
    size_t i = 1;

    if (k < 2 || (em[0] != 0x6a && em[0] != 0x6b))
        return bad(prov, RSA_R_INVALID_HEADER);
    if (em[0] == 0x6b) {
        while (i < k - 1 && em[i] == 0xbb)
            i++;
        if (i == k - 1 || em[i] != 0xba || i == 1)
            return bad(prov, RSA_R_INVALID_PADDING);
        i++;
    }
    if (em[k - 1] != 0xcc)
        return bad(prov, RSA_R_INVALID_TRAILER);
    *out = em + i;
    *n = k - 1 - i;
    return 1;
}

/* ---- PSS ------------------------------------------------------------------------ */

/* H = Hash(eight zero bytes, mHash, salt): 9.1.1 steps 5 and 6 */
static void pss_hash(const struct wn_md_desc *md, const unsigned char *hash,
                     const unsigned char *salt, size_t saltlen, unsigned char *h)
{
    static const unsigned char zeros[8];
    struct wn_md state;

    wn_md_init(&state, md);
    wn_md_update(&state, zeros, sizeof(zeros));
    wn_md_update(&state, hash, md->size);
    wn_md_update(&state, salt, saltlen);
    wn_md_final(&state, h);
}

int wn_rsa_pad_pss(const struct wn_prov *prov, unsigned char *em, size_t bits,
                   const unsigned char *hash, const struct wn_md_desc *md,
                   const struct wn_md_desc *mgf1_md, size_t saltlen)
{
    size_t len = (bits + 6) / 8, h = md->size, db;     /* emLen = ceil((bits - 1) / 8) */
    unsigned char *salt;

    if ((bits + 7) / 8 > len)
        *em++ = 0;              /* the modulus is one byte longer than EM */
    if (len < h + 2)
        return bad(prov, RSA_R_DATA_TOO_LARGE_FOR_KEY_SIZE);
    if (saltlen > len - h - 2)
        return bad(prov, RSA_R_DATA_TOO_LARGE_FOR_KEY_SIZE);
    db = len - h - 1;
    salt = em + db - saltlen;
    memset(em, 0, db - saltlen - 1);
    salt[-1] = 1;
    if (!wn_rng_bytes(prov, salt, saltlen))
        return 0;
    pss_hash(md, hash, salt, saltlen, em + db);
    wn_rsa_mgf1_xor(mgf1_md, em + db, h, em, db);
    em[0] &= 0xff >> (8 * len - (bits - 1));
    em[len - 1] = 0xbc;
    return 1;
}

int wn_rsa_check_pss(const struct wn_prov *prov, const unsigned char *em, size_t bits,
                     const unsigned char *hash, const struct wn_md_desc *md,
                     const struct wn_md_desc *mgf1_md, int saltlen)
{
    size_t len = (bits + 6) / 8, h = md->size, db, i;
    unsigned char buf[WN_RSA_MAX_SIZE], expected[WN_MD_MAX_SIZE];
    unsigned spare = (unsigned)(8 * len - (bits - 1));

    if ((bits + 7) / 8 > len && *em++ != 0)
        return bad(prov, RSA_R_FIRST_OCTET_INVALID);
    if (spare != 0 && (em[0] >> (8 - spare)) != 0)
        return bad(prov, RSA_R_FIRST_OCTET_INVALID);
    if (len < h + 2 || (saltlen >= 0 && (size_t)saltlen > len - h - 2))
        return bad(prov, RSA_R_DATA_TOO_LARGE);
    if (em[len - 1] != 0xbc)
        return bad(prov, RSA_R_LAST_OCTET_INVALID);
    db = len - h - 1;
    memcpy(buf, em, db);
    wn_rsa_mgf1_xor(mgf1_md, em + db, h, buf, db);
    buf[0] &= 0xff >> spare;
    for (i = 0; i < db - 1 && buf[i] == 0; i++)
        ;
    if (buf[i++] != 1)
        return bad(prov, RSA_R_SLEN_RECOVERY_FAILED);
    if (saltlen != WN_RSA_SALT_ANY && db - i != (size_t)saltlen)
        return bad(prov, RSA_R_SLEN_CHECK_FAILED);
    pss_hash(md, hash, buf + i, db - i, expected);
    if (wn_memcmp_ct(expected, em + db, h) != 0)
        return bad(prov, RSA_R_BAD_SIGNATURE);
    return 1;
}

/* ---- OAEP, 7.1.1 ----------------------------------------------------------------- */

int wn_rsa_pad_oaep(const struct wn_prov *prov, unsigned char *em, size_t k,
                    const unsigned char *in, size_t n, const unsigned char *label,
                    size_t labellen, const struct wn_md_desc *md,
                    const struct wn_md_desc *mgf1_md)
{
    size_t h = md->size;
    unsigned char *seed = em + 1, *db = em + 1 + h;
    size_t dblen = k - h - 1;
    struct wn_md state;

    if (k < 2 * h + 2)
        return bad(prov, RSA_R_KEY_SIZE_TOO_SMALL);
    if (n > k - 2 * h - 2)
        return bad(prov, RSA_R_DATA_TOO_LARGE_FOR_KEY_SIZE);
    wn_md_init(&state, md);
    wn_md_update(&state, label, labellen);
    wn_md_final(&state, db);
    memset(db + h, 0, dblen - h - n - 1);
    db[dblen - n - 1] = 1;
    memcpy(db + dblen - n, in, n);
    if (!wn_rng_bytes(prov, seed, h))
        return 0;
    wn_rsa_mgf1_xor(mgf1_md, seed, h, db, dblen);
    wn_rsa_mgf1_xor(mgf1_md, db, dblen, seed, h);
    em[0] = 0;
    return 1;
}
