/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See x942.h. */
#include "x942.h"

#include <string.h>
#include <strings.h>

#include "../provider/der.h"

static const struct wn_x942_cek ceks[] = {
    { "AES-128-WRAP", "id-aes128-wrap",
      { 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x05 }, 9, 16 },
    { "AES-192-WRAP", "id-aes192-wrap",
      { 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x19 }, 9, 24 },
    { "AES-256-WRAP", "id-aes256-wrap",
      { 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x2d }, 9, 32 },
    { "DES3-WRAP", "id-smime-alg-CMS3DESwrap",
      { 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x10, 0x03, 0x06 }, 11, 24 },
};

const struct wn_x942_cek *wn_x942_cek_find(const char *name)
{
    size_t i;

    for (i = 0; i < sizeof(ceks) / sizeof(ceks[0]); i++)
        if (strcasecmp(name, ceks[i].name) == 0 || strcasecmp(name, ceks[i].alias) == 0)
            return &ceks[i];
    return NULL;
}

static void octets32(struct wn_der_w *w, size_t v)
{
    unsigned char be[4] = { (v >> 24) & 0xff, (v >> 16) & 0xff, (v >> 8) & 0xff, v & 0xff };

    wn_der_w_octets(w, WN_DER_OCTET_STRING, be, sizeof(be));
}

/* All of OtherInfo behind partyAInfo's contents; these are hashed in place. */
static size_t other_info_tail(unsigned char *buf, size_t size, size_t key_len)
{
    struct wn_der_w w;

    wn_der_w_init(&w, buf, size);
    octets32(&w, 8 * key_len);
    wn_der_w_wrap(&w, WN_DER_CONTEXT | WN_DER_CONSTRUCTED | 2, 0);
    memmove(buf, wn_der_w_start(&w), w.n);
    return w.n;
}

static size_t header(unsigned char *buf, unsigned char tag, size_t len)
{
    size_t n = 0, octets = 0, v;

    buf[n++] = tag;
    if (len < 0x80) {
        buf[n++] = (unsigned char)len;
        return n;
    }
    for (v = len; v != 0; v >>= 8)
        octets++;
    buf[n++] = (unsigned char)(0x80 | octets);
    while (octets-- > 0)
        buf[n++] = (len >> (8 * octets)) & 0xff;
    return n;
}

int wn_x942_derive(const struct wn_md_desc *md, const unsigned char *z, size_t z_len,
                   const struct wn_x942_cek *cek, const unsigned char *ukm, size_t ukm_len,
                   unsigned char *out, size_t outlen)
{
    unsigned char key_info[32], a[24], tail[16], top[12], block[WN_MD_MAX_SIZE], octet[12];
    size_t a_len = 0, tail_len = other_info_tail(tail, sizeof(tail), cek->key_len), counter, use;
    size_t key_info_len = 2 + cek->oid_len + 6, octet_len, top_len;
    struct wn_md head, state;

    if (outlen > UINT32_MAX / 8)
        return 0;
    if (ukm != NULL) {          /* [0] EXPLICIT OCTET STRING, header only */
        octet_len = header(octet, WN_DER_OCTET_STRING, ukm_len);
        a_len = header(a, WN_DER_CONTEXT | WN_DER_CONSTRUCTED | 0, octet_len + ukm_len);
        memcpy(a + a_len, octet, octet_len);
        a_len += octet_len;
    } else {
        ukm_len = 0;
    }
    top_len = header(top, WN_DER_SEQUENCE, 2 + key_info_len + a_len + ukm_len + tail_len);
    wn_md_init(&head, md);
    wn_md_update(&head, z, z_len);
    wn_md_update(&head, top, top_len);
    for (counter = 1; outlen > 0; counter++, out += use, outlen -= use) {
        struct wn_der_w w;

        wn_der_w_init(&w, key_info, sizeof(key_info));
        octets32(&w, counter);
        wn_der_w_octets(&w, WN_DER_OID, cek->oid, cek->oid_len);
        wn_der_w_wrap(&w, WN_DER_SEQUENCE, 0);
        state = head;
        wn_md_update(&state, wn_der_w_start(&w), w.n);
        wn_md_update(&state, a, a_len);
        wn_md_update(&state, ukm, ukm_len);
        wn_md_update(&state, tail, tail_len);
        wn_md_final(&state, block);
        use = outlen < md->size ? outlen : md->size;
        memcpy(out, block, use);
    }
    wn_md_clear(&head);
    wn_md_clear(&state);
    wn_clear(block, sizeof(block));
    return 1;
}
