/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TLS-GROUP and TLS-SIGALG (provider-base(7), CAPABILITIES): exactly what the
 * key exchanges and signatures of this module can do; there are none yet. */
#include "prov.h"

int wn_get_capabilities(void *vprov, const char *capability, OSSL_CALLBACK *cb, void *arg)
{
    (void)vprov;
    (void)capability;
    (void)cb;
    (void)arg;
    return 0;
}
