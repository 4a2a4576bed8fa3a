# SPDX-License-Identifier: GPL-3.0-or-later
"""The texts that `enable` writes and `disable` takes out.

The administrator's file gets one marked block at its end, with an `.include` of
a file of ours; all else is in that file. It comes last because libcrypto lets
the last value of a name win, and because sections are merged: ours opens the
administrator's sections again and adds to them, whatever they are called. The
block closes by opening the section that was open before, so that lines added
below it by hand mean what they would have meant without it.

What other providers were active stays so. The default provider is active by
itself only if no other is activated, so it is activated too where it was.
"""
import os
import re

from .errors import CommandError
from .installation import MODULE

BEGIN = '# >>> wolfnano: added by "wolfnano enable"; "wolfnano disable" takes it out'
END = "# <<< wolfnano"
NO_NEWLINE = " (no newline before)"
MADE = " (and this file)"
BLOCK = re.compile(r"(\n?)\n" + re.escape(BEGIN) + r"([^\n]*)\n.*?^" + re.escape(END)
                   + r"(?:\n|\Z)", re.S | re.M)
PLAIN = re.compile(r"[A-Za-z0-9_./+,@%~:=-]+")
SECTION = "wolfnano_sect"


def include_file_of(path):
    """/etc/ssl/openssl.cnf -> /etc/ssl/openssl-wolfnano.cnf"""
    return re.sub(r"\.(cnf|conf)$", "", path) + "-wolfnano.cnf"


def quoted(path):
    """A value in which no character is special."""
    if "\n" in path:
        raise CommandError("a path with a line break cannot stand in a configuration file")
    if PLAIN.fullmatch(path):
        return path
    return '"' + re.sub(r'([\\"])', r"\\\1", path) + '"'


# -- the administrator's file ----------------------------------------------------
def has_block(text):
    return BLOCK.search(text) is not None


def made_by_us(text):
    """Whether `enable` made the file, which was not there."""
    found = BLOCK.search(text)
    return bool(found) and MADE in found[2]


def without_block(text):
    return BLOCK.sub(lambda found: "" if NO_NEWLINE in found[2] else found[1], text)


def with_block(text, include, last_section, made):
    """`text` without any block of ours, then with one at its end."""
    text = without_block(text)
    note = ""
    if text and not text.endswith("\n"):
        text, note = text + "\n", NO_NEWLINE
    if made:
        note += MADE
    return (f"{text}\n{BEGIN}{note}\n.include = {quoted(include)}\n"
            f"[ {last_section} ]\n{END}\n")


# -- our file --------------------------------------------------------------------
def refuse_conflicts(found):
    properties = [word.strip() for word in found.properties.split(",") if word.strip()]
    names = {re.split(r"!?=", word.lstrip("?-"))[0].strip() for word in properties}
    if found.fips_mode or "fips" in names:
        raise CommandError(
            f"[{found.algorithms}] asks for FIPS (default_properties or fips_mode); wolfnano is "
            "not validated, so nothing would be served by it")
    if "provider" in names:
        raise CommandError(
            f"default_properties = {found.properties} in [{found.algorithms}] prefers another "
            "provider already; take that out first")


def sections(mode, found, module):
    """[(section, [(name, value), ...])] that make wolfnano active in this mode."""
    refuse_conflicts(found)
    init = found.init or "wolfnano_init"
    ours = found.find(MODULE)
    section = ours.section if ours else SECTION
    result = [] if found.init else [("default", [("openssl_conf", init)])]
    top, listed, more = [], [], []
    if mode == "only":
        names = "wolfnano_providers"
        listed = [(each.name, each.section) for each in found.providers
                  if each.name not in ("default", "base", MODULE)]
        listed += [(MODULE, section), ("base", "wolfnano_base_sect")]
        more = [("wolfnano_base_sect", [("activate", "1")])]
        top.append(("providers", names))
    else:
        names = found.listed or "wolfnano_providers"
        if not found.listed:
            top.append(("providers", names))
        if not ours:
            listed.append((MODULE, section))
        if "default" in found.active():
            default = found.find("default")
            if not default:
                listed.append(("default", "wolfnano_default_sect"))
            if not default or not default.active:
                where = default.section if default else "wolfnano_default_sect"
                more = [(where, [("activate", "1")])]
        algorithms = found.algorithms or "wolfnano_algorithms"
        if not found.algorithms:
            top.append(("alg_section", algorithms))
        wanted = ",".join(filter(None, [found.properties, f"?provider={MODULE}"]))
        more.append((algorithms, [("default_properties", wanted)]))
    options = [("module", quoted(module))] if module else []
    result += [(init, top)] if top or not found.init else []
    result += [(names, listed)] if listed or not found.listed else []
    return result + [(section, [*options, ("activate", "1")]), *more]


def include_text(mode, found, module, path):
    lines = [f"# Written by `wolfnano enable --mode {mode}` for {path}, which includes it;",
             "# `wolfnano disable` removes it. Changes made here are lost: options of wolfnano",
             f"# belong into a section [{SECTION}] in the other file, which is merged with this."]
    for section, values in sections(mode, found, module):
        lines += ["", f"[{section}]", *(f"{name} = {value}" for name, value in values)]
    return "\n".join(lines) + "\n"


def mode_in(text):
    """The mode for which an include file was written; None if it is not ours."""
    found = re.match(r"# Written by `wolfnano enable --mode (\w+)`", text)
    return found[1] if found else None


def names_of(path):
    """(the real file behind links, the include file beside it)"""
    real = os.path.realpath(path)
    return real, include_file_of(real)
