/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CMAC (NIST SP 800-38B sections 6.1, 6.2) over wolfCrypt's CBC encryption, or
 * the CBC-MAC kernel of accel.h where there is one. wolfCrypt's own CMAC knows
 * AES only and takes block after block. See cmac.h.
 */
#include "cmac.h"

#include <string.h>

#include "../provider/names.h"
#include "../provider/params.h"

/* Blocks that one call of wolfCrypt's CBC is given; aligned, or it would copy. */
#define SCRATCH 512

/* ---- AES ------------------------------------------------------------------- */

static void aes_hw(struct wn_cmac *c, const unsigned char *in, size_t n)
{
    struct wn_aes_rk *k = &c->key.aes.hw;
    _Alignas(16) unsigned char scratch[SCRATCH];
    size_t take;

    if (wn_accel.aes_cbcmac != NULL) {
        wn_accel.aes_cbcmac(k->rk, k->rounds, c->mac, in, n);
        return;
    }
    for (; n > 0; n -= take, in += take * 16) {
        take = n < SCRATCH / 16 ? n : SCRATCH / 16;
        wn_accel.aes_cbc_enc(k->rk, k->rounds, c->mac, in, scratch, take);
    }
}

static void aes_soft(struct wn_cmac *c, const unsigned char *in, size_t n)
{
    Aes *aes = &c->key.aes.soft;
    _Alignas(16) unsigned char scratch[SCRATCH];
    size_t take;

    memcpy(aes->reg, c->mac, 16);
    for (; n > 0; n -= take, in += take * 16) {
        take = n < SCRATCH / 16 ? n : SCRATCH / 16;
        memcpy(scratch, in, take * 16);
        (void)wc_AesCbcEncrypt(aes, scratch, scratch, (word32)take * 16);
    }
    memcpy(c->mac, aes->reg, 16);
}

static void aes_run(struct wn_cmac *c, const unsigned char *in, size_t n)
{
    if (wn_aes_kernels())
        aes_hw(c, in, n);
    else
        aes_soft(c, in, n);
}

static int aes_set_key(const struct wn_prov *prov, struct wn_cmac *c, const unsigned char *key)
{
    return wn_aes_set_key(prov, &c->key.aes, key, c->cipher->keylen, 1);
}

/* ---- Triple DES ------------------------------------------------------------- */

static void des_run(struct wn_cmac *c, const unsigned char *in, size_t n)
{
    Des3 *des = &c->key.des;
    unsigned char scratch[SCRATCH];
    size_t take;

    memcpy(des->reg, c->mac, 8);
    for (; n > 0; n -= take, in += take * 8) {
        take = n < SCRATCH / 8 ? n : SCRATCH / 8;
        (void)wc_Des3_CbcEncrypt(des, scratch, in, (word32)take * 8);
    }
    memcpy(c->mac, des->reg, 8);
}

static int des_set_key(const struct wn_prov *prov, struct wn_cmac *c, const unsigned char *key)
{
    return WN_WC(prov, wc_Des3Init(&c->key.des, NULL, INVALID_DEVID))
        && WN_WC(prov, wc_Des3_SetKey(&c->key.des, key, NULL, DES_ENCRYPTION));
}

/* ---- the mode ---------------------------------------------------------------- */

static const struct wn_cmac_cipher ciphers[] = {
    { "AES-256-CBC:AES256:2.16.840.1.101.3.4.1.42", 32, 16, aes_set_key, aes_run },
    { "AES-192-CBC:AES192:2.16.840.1.101.3.4.1.22", 24, 16, aes_set_key, aes_run },
    { "AES-128-CBC:AES128:2.16.840.1.101.3.4.1.2", 16, 16, aes_set_key, aes_run },
    { "DES-EDE3-CBC:DES3:1.2.840.113549.3.7", 24, 8, des_set_key, des_run },
};

const struct wn_cmac_cipher *wn_cmac_find(const char *name)
{
    size_t i;

    for (i = 0; i < sizeof(ciphers) / sizeof(ciphers[0]); i++)
        if (wn_name_listed(ciphers[i].names, name))
            return &ciphers[i];
    return NULL;
}

#define PARAM_NAME_MAX 64

int wn_cmac_try(const struct wn_prov *prov, const OSSL_PARAM *p,
                const struct wn_cmac_cipher **cipher)
{
    const struct wn_cmac_cipher *found;
    char name[PARAM_NAME_MAX];

    if (p == NULL)
        return 1;
    if (!wn_param_get_utf8(p, name, sizeof(name))) {
        WN_RAISE(prov, PROV_R_FAILED_TO_GET_PARAMETER);
        return 0;
    }
    found = wn_cmac_find(name);
    if (found == NULL) {
        if (!wn_query_offers(prov, OSSL_OP_CIPHER, name))
            return -1;
        WN_RAISE_MSG(prov, PROV_R_INVALID_MODE, "cipher %s", name);
        return 0;
    }
    *cipher = found;
    return 1;
}

int wn_cmac_raise_unknown(const struct wn_prov *prov, const OSSL_PARAM *p)
{
    char name[PARAM_NAME_MAX] = "";

    (void)wn_param_get_utf8(p, name, sizeof(name));
    wn_raise_at(prov, __FILE__, __LINE__, __func__, ERR_PACK(ERR_LIB_EVP, 0, ERR_R_UNSUPPORTED),
                "cipher %s", name);
    return 0;
}

int wn_cmac_take(const struct wn_prov *prov, const OSSL_PARAM *p,
                 const struct wn_cmac_cipher **cipher)
{
    int found = wn_cmac_try(prov, p, cipher);

    return found >= 0 ? found : wn_cmac_raise_unknown(prov, p);
}

size_t wn_cmac_size(void)
{
    size_t aes = wn_aes_key_size(), des = sizeof(Des3);

    return offsetof(struct wn_cmac, key) + (aes > des ? aes : des);
}

/* out = in * x in GF(2^n) (section 6.1, steps 2 and 3). */
static void twice(unsigned char *out, const unsigned char *in, size_t n)
{
    unsigned char carry = (unsigned char)(0 - (in[0] >> 7));
    size_t i;

    for (i = 0; i + 1 < n; i++)
        out[i] = (unsigned char)(in[i] << 1 | in[i + 1] >> 7);
    out[n - 1] = (unsigned char)(in[n - 1] << 1 ^ ((n == 16 ? 0x87 : 0x1b) & carry));
}

void wn_cmac_restart(struct wn_cmac *c)
{
    memset(c->mac, 0, sizeof(c->mac));
    c->num = 0;
}

int wn_cmac_set_key(const struct wn_prov *prov, struct wn_cmac *c,
                    const struct wn_cmac_cipher *cipher, const unsigned char *key)
{
    static const unsigned char zero[WN_CMAC_MAX_BLOCK];

    c->cipher = cipher;
    if (!cipher->set_key(prov, c, key))
        return 0;
    wn_cmac_restart(c);
    cipher->run(c, zero, 1);
    twice(c->k1, c->mac, cipher->block);
    twice(c->k2, c->k1, cipher->block);
    wn_cmac_restart(c);
    return 1;
}

/* The last block is not known to be the last before final: it is kept back. */
void wn_cmac_update(struct wn_cmac *c, const unsigned char *in, size_t n)
{
    size_t block = c->cipher->block, take;

    if (n == 0)
        return;
    if (c->num > 0) {
        take = block - c->num;
        if (n <= take) {
            memcpy(c->buf + c->num, in, n);
            c->num += n;
            return;
        }
        memcpy(c->buf + c->num, in, take);
        c->cipher->run(c, c->buf, 1);
        in += take;
        n -= take;
    }
    take = (n - 1) / block;
    if (take > 0) {
        c->cipher->run(c, in, take);
        in += take * block;
        n -= take * block;
    }
    memcpy(c->buf, in, n);
    c->num = n;
}

void wn_cmac_final(struct wn_cmac *c, unsigned char *out)
{
    size_t block = c->cipher->block, i;
    const unsigned char *sub = c->k1;

    if (c->num < block) {
        c->buf[c->num] = 0x80;
        memset(c->buf + c->num + 1, 0, block - c->num - 1);
        sub = c->k2;
    }
    for (i = 0; i < block; i++)
        c->buf[i] ^= sub[i];
    c->cipher->run(c, c->buf, 1);
    memcpy(out, c->mac, block);
}

void wn_cmac_clear(struct wn_cmac *c)
{
    wn_clear(c, wn_cmac_size());
}
