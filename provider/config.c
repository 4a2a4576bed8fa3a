/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options from the provider's configuration section; see config.h. */
#include "config.h"

#include <string.h>
#include <strings.h>

#include "cpu.h"
#include "err.h"
#include "params.h"

/* 1 or 0; -1: neither. */
static int truth(const char *word)
{
    static const char *const words[] = { "no", "yes", "off", "on", "false", "true", "0", "1" };
    int i;

    for (i = 0; i < 8; i++)
        if (strcasecmp(word, words[i]) == 0)
            return i & 1;
    return -1;
}

int wn_config_load(struct wn_prov *prov, struct wn_config *config)
{
    const char *cpu = NULL, *without = NULL, *block = NULL, *fallback = NULL;
    OSSL_PARAM wanted[] = {
        OSSL_PARAM_utf8_ptr("cpu", &cpu, 0),
        OSSL_PARAM_utf8_ptr("without", &without, 0),
        OSSL_PARAM_utf8_ptr("block", &block, 0),
        OSSL_PARAM_utf8_ptr("fallback", &fallback, 0),
        OSSL_PARAM_utf8_ptr("ml-dsa.input_formats", &config->formats[0].input, 0),
        OSSL_PARAM_utf8_ptr("ml-dsa.output_formats", &config->formats[0].output, 0),
        OSSL_PARAM_utf8_ptr("ml-kem.input_formats", &config->formats[1].input, 0),
        OSSL_PARAM_utf8_ptr("ml-kem.output_formats", &config->formats[1].output, 0),
        OSSL_PARAM_END
    };

    memset(config, 0, sizeof(*config));
    /* options that are absent stay NULL; the core reports no error for them */
    if (!prov->core.get_params(prov->handle, wanted))
        return 1;
    if (cpu != NULL) {
        config->cpu_given = 1;
        if (!wn_cpu_parse_mask(cpu, &config->cpu_mask)) {
            WN_RAISE_OWN(prov, WN_R_BAD_CONFIGURATION,
                         "cpu = %s: words are none, or - and a feature's name", cpu);
            return 0;
        }
    }
    if (fallback != NULL) {
        if (truth(fallback) < 0) {
            WN_RAISE_OWN(prov, WN_R_BAD_CONFIGURATION, "fallback = %s: yes or no", fallback);
            return 0;
        }
        config->no_fallback = !truth(fallback);
    }
    config->without = without;
    config->block = block;
    return 1;
}

/* Is it WORD, or does it begin as WORD does before its last letter, an asterisk? */
static int matches(const char *word, size_t n, const char *name, size_t len)
{
    if (word[n - 1] == '*')
        return len >= n - 1 && strncasecmp(word, name, n - 1) == 0;
    return len == n && strncasecmp(word, name, n) == 0;
}

const char *wn_config_now(const struct wn_prov *prov, const char *name)
{
    const char *value = NULL;
    OSSL_PARAM wanted[] = { OSSL_PARAM_utf8_ptr(name, &value, 0), OSSL_PARAM_END };

    return prov->core.get_params(prov->handle, wanted) ? value : NULL;
}

int wn_config_flag(const struct wn_prov *prov, const char *name, int otherwise)
{
    const char *value = wn_config_now(prov, name);
    int is = value == NULL ? -1 : truth(value);

    return is < 0 ? otherwise : is;
}

static int listed(const char *list, const char *name, size_t len)
{
    const char *separators = " \t,";

    for (;;) {
        size_t n;

        list += strspn(list, separators);
        n = strcspn(list, separators);
        if (n == 0)
            return 0;
        if (matches(list, n, name, len))
            return 1;
        list += n;
    }
}

int wn_config_lists(const char *list, const char *names)
{
    if (list == NULL)
        return 0;
    for (;;) {
        size_t n = strcspn(names, ":");

        if (n > 0 && listed(list, names, n))
            return 1;
        if (names[n] == '\0')
            return 0;
        names += n + 1;
    }
}
