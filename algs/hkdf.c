/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HKDF (RFC 5869); see hkdf.h. */
#include "hkdf.h"

#include <string.h>

/* Section 2.2 */
void wn_hkdf_extract(const struct wn_md_desc *md, const void *salt, size_t saltlen,
                     const void *ikm, size_t ikmlen, unsigned char *out)
{
    wn_hmac_once(md, salt, saltlen, ikm, ikmlen, out);
}

/* Section 2.3 */
int wn_hkdf_expand(const struct wn_md_desc *md, const void *prk, size_t prklen,
                   const void *info, size_t infolen, unsigned char *out, size_t n)
{
    unsigned char t[WN_MD_MAX_SIZE], i = 1;
    struct wn_hmac hmac;
    size_t piece;

    if (n > 255 * md->size)
        return 0;
    wn_hmac_init(&hmac, md, prk, prklen);
    for (; n > 0; n -= piece, out += piece, i++) {
        if (i > 1) {
            wn_hmac_restart(&hmac);
            wn_hmac_update(&hmac, t, md->size);
        }
        wn_hmac_update(&hmac, info, infolen);
        wn_hmac_update(&hmac, &i, 1);
        wn_hmac_final(&hmac, t);
        piece = n < md->size ? n : md->size;
        memcpy(out, t, piece);
    }
    wn_hmac_clear(&hmac);
    wn_clear(t, sizeof(t));
    return 1;
}
