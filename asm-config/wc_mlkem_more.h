/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys of wolfCrypt's ML-KEM from encodings that have been checked, without H(ek):
 * wolfCrypt computes it whenever it decodes or encodes a public key, when others may
 * have it already or need it later only. And decapsulation with hashes made before.
 */
#ifndef WN_WC_MLKEM_MORE_H
#define WN_WC_MLKEM_MORE_H

#include <wolfssl/wolfcrypt/wc_mlkem.h>

/* For a key initialised with wc_MlKemKey_Init. Both return 0 or MEMORY_E. */
int wn_mlkem_decode_public(MlKemKey *key, const byte *ek);
int wn_mlkem_decode_private(MlKemKey *key, const byte *dk);

/*
 * ML-KEM.Decaps_internal (FIPS 203, algorithm 18) with step 7's result, kbar =
 * J(z || ct); ct has the length of the key's type, whose H(ek) is set. Returns 0 or a
 * wolfCrypt error.
 */
int wn_mlkem_decapsulate_with(MlKemKey *key, byte *ss, const byte *ct, word32 len,
                              const byte *kbar);

#endif
