/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The provider's section of openssl.cnf. Each option is a name = value line:
 *
 *   cpu = -avx2 -bmi2       leave CPU features out (see cpu.h); "none" for all
 *   without = NAME,...      algorithms not to offer, by any of their names, so
 *                           that another provider serves them
 *   block = NAME,...        algorithms that are offered but fail at the first
 *                           use: shows whether something depends on wolfnano
 *   fallback = no           do not hand keys, digests and ciphers that wolfnano lacks
 *                           to the other providers (see other.h)
 *   ml-kem.input_formats, ml-kem.output_formats, ml-dsa.…
 *                           forms of private keys in files (EVP_PKEY-ML-KEM(7) of
 *                           OpenSSL 3.5), where wolfnano reads and writes them
 *   ml-kem.retain_seed, ml-kem.prefer_seed, ml-kem.import_pct_type, ml-dsa.…
 *                           as in OpenSSL 3.5; asked for when a key is made, because
 *                           from 3.5 on a program may change them at any time
 *
 * A value that cannot be understood makes the load fail, with the reason on
 * the error queue.
 */
#ifndef WN_CONFIG_H
#define WN_CONFIG_H

#include <stdint.h>

struct wn_prov;

struct wn_config {
    uint32_t cpu_mask;
    int cpu_given;
    const char *without;    /* the core's own strings: they live as long as */
    const char *block;      /* the provider does */
    int no_fallback;
    struct {
        const char *input, *output;     /* NULL: all forms, in their usual order */
    } formats[2];           /* ML-DSA, ML-KEM */
};

/* Reads the options of prov through the core. */
int wn_config_load(struct wn_prov *prov, struct wn_config *config);

/* An option as the core has it now (NULL: absent), and one that says yes or no, as
 * OSSL_PROVIDER_conf_get_bool() reads it: `otherwise` if it does neither. */
const char *wn_config_now(const struct wn_prov *prov, const char *name);
int wn_config_flag(const struct wn_prov *prov, const char *name, int otherwise);

/* 1 if one of the colon-separated `names` stands in the comma or blank
 * separated `list` (NULL: no), whatever the case. A word of the list that ends
 * in an asterisk stands for all names that begin so. */
int wn_config_lists(const char *list, const char *names);

#endif
