# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Shared by the scripts in this folder; source it, do not run it.
# Sets ROOT (the checkout) and CACHE (downloads and everything derived from
# them; may be deleted at any time). Reports go to stderr, results to stdout.

# shellcheck disable=SC2034 # used by the scripts that source this
ROOT=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd)
CACHE=${WOLFNANO_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/wolfnano}

me=${0##*/}
say() { printf '%s: %s\n' "$me" "$*" >&2; }
die() { say "$@"; exit 1; }

# Prints the comment at the head of the calling script, as its help.
usage() { sed -n '4,/^[^#]/{/^[^#]/q;s/^# \{0,1\}//p}' "$0"; }

# with_lock FILE COMMAND...: one process at a time, so that two builds or two
# test runs can share the cache.
with_lock() {
    local file=$1; shift
    mkdir -p "$(dirname "$file")"
    { flock 9; "$@" 9>&-; } 9>"$file"
}
