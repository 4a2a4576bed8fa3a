/* SPDX-License-Identifier: GPL-3.0-or-later */
/* No tables of points in this configuration: every use of a key is like the first. */
#include "ec_ops.h"

const struct wn_ec_hot wn_ec_hot_256 = { 0 }, wn_ec_hot_384 = { 0 }, wn_ec_hot_521 = { 0 };
