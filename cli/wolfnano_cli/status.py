# SPDX-License-Identifier: GPL-3.0-or-later
"""`wolfnano status`: what programs get from OpenSSL here, and why."""
import json
import os
import re
import tempfile

from . import __version__, conftext, cpupath, errors, opensslcnf, switch
from .errors import CommandError
from .installation import MODULE, Installation, add_arguments as add_place
from .openssl import LIST_OPTIONS

NAME = "status"
HELP = "what OpenSSL would load, and who serves which algorithm"
DESCRIPTION = """\
Shows which OpenSSL, configuration file and module a program started from here
gets, whether wolfnano is active and preferred, which algorithms it serves by
which code on this processor, and which go to another provider and why. Reads
only. OPENSSL_CONF and OPENSSL_MODULES count, as they do for programs."""
EPILOG = """\
examples:
  wolfnano status                     of the whole system
  wolfnano status --all               every algorithm by name
  wolfnano status --config ~/my.cnf   with that file
  wolfnano status --json | jq -r .mode

modes:
  prefer  active and preferred, another provider for the rest
  only    active without the default provider
  beside  active, but not preferred
  off     not active

exit codes:
  0  shown, whatever the mode
  2  wrong usage
  3  openssl is missing or does not work"""

KINDS = {
    "digest": "digests", "cipher": "ciphers", "mac": "MACs", "kdf": "KDFs",
    "rand": "random generators", "keymgmt": "key types", "signature": "signatures",
    "keyexch": "key exchange", "asymcipher": "encryption", "kem": "KEMs",
}
LIST_LINE = re.compile(r"^\s+(?:IDs: )?\{? ?(.*?)(?: \})? @ (\S+)$", re.M)
OID = re.compile(r"\d+(\.\d+)+")


def add_arguments(parser):
    parser.add_argument("--config", metavar="FILE", help="look at this openssl.cnf (default: "
                        "what applies here)")
    parser.add_argument("--all", action="store_true", help="name every algorithm")
    parser.add_argument("--json", action="store_true", help="print it as JSON")
    add_place(parser)


def run(args):
    place = Installation(args.openssl, args.module_dir)
    path = os.path.abspath(os.path.expanduser(args.config)) if args.config \
        else place.effective_config()
    facts = gather(place, path)
    if args.json:
        print(json.dumps(facts, indent=2))
    else:
        print(as_text(facts, args.all))
    return errors.OK


# -- gathering -----------------------------------------------------------------------
def gather(place, path):
    config, found = place.read_config(path)
    providers = place.openssl.providers(path)
    ours = providers.get(MODULE, {})
    active = ours.get("status") == "active"
    entry = found.find(MODULE)
    module = place.module_file(entry.options if entry else None)
    facts = {
        "command": __version__,
        "openssl": {"version": place.version_text, "program": place.openssl.program,
                    "libcrypto": place.openssl.libcrypto, "modules": place.modules},
        "config": {"file": path, "exists": bool(path) and os.path.exists(path),
                   "from": "OPENSSL_CONF" if path == os.environ.get("OPENSSL_CONF")
                   else "OPENSSLDIR" if path == place.own_config() else "--config",
                   "enabled_by_command": enabled(path),
                   "default_properties": found.properties, "files": config.files},
        "mode": mode_of(found, active, "default" in providers),
        "module": {"file": module, "exists": os.path.isfile(module),
                   "version": ours.get("version", "")},
        "options": {name: value for name, value in (entry.options if entry else {}).items()
                    if name in ("cpu", "without", "block")},
        "providers": {name: each.get("version", "") for name, each in providers.items()},
    }
    info = ours.get("build info", "") or (own_info(place, module) if not active else "")
    configuration, features = cpupath.features(info)
    facts["build"] = {"info": info, "configuration": configuration, "cpu": features,
                      "paths": cpupath.paths(info) if info else {}}
    facts["algorithms"] = algorithms(place, path, facts)
    return facts


def enabled(path):
    return bool(path) and conftext.has_block(switch.read(os.path.realpath(path)) or "")


def mode_of(found, active, default_active):
    """The configuration's mode, corrected by what openssl really does."""
    mode = opensslcnf.mode(found, MODULE)
    if not active:
        return "off"
    return "beside" if mode == "off" and default_active else mode


def neutral(place, options, what):
    """What openssl lists with the providers of `options` alone."""
    with tempfile.NamedTemporaryFile("w", suffix=".cnf") as conf:
        return what(conf.name, options)


def own_info(place, module):
    """The build info of a module that is not active."""
    if not os.path.isfile(module):
        return ""
    try:
        found = neutral(place, ["-provider-path", os.path.dirname(module), "-provider", MODULE],
                        place.openssl.providers)
    except CommandError:
        return ""
    return found.get(MODULE, {}).get("build info", "")


def listing(place, kind, conf, options=()):
    """[(name, all names, provider)] of one kind."""
    done = place.openssl.run(["list", LIST_OPTIONS[kind], *options], conf)
    result = []
    for names, provider in LIST_LINE.findall(done.stdout):
        names = names.split(", ")
        result.append((best_name(names), {name.upper() for name in names}, provider))
    return result


def best_name(names):
    """The usual one of an algorithm's names, among them OIDs and those of ASN.1."""
    words = [name for name in names if not OID.fullmatch(name)] or names
    words.sort(key=lambda name: (not name.startswith("SHA2"), not name[0].isupper()))
    return words[0] if words[0][0].isupper() else words[0].upper()


def algorithms(place, path, facts):
    """[{kind, name, provider, path or reason}], those that the default provider alone
    would serve included."""
    result = []
    with tempfile.NamedTemporaryFile("w", suffix=".cnf") as empty:
        for kind in KINDS:
            here = listing(place, kind, path)
            default = listing(place, kind, empty.name, ["-provider", "default"])
            result += of_kind(kind, here, default, facts)
    return result


def of_kind(kind, here, default, facts):
    known = []
    for name, names, _ in [*default, *here]:
        if not any(names & others for _, others in known):
            known.append((name, names))
    result = []
    for name, names in known:
        by = [provider for _, others, provider in here if names & others]
        provider = MODULE if MODULE in by and facts["mode"] in ("prefer", "only") \
            else next(iter(sorted(by, key=lambda each: each == MODULE)), "")
        row = {"kind": kind, "name": name, "provider": provider}
        if provider == MODULE:
            row["path"] = cpupath.path_of(name, facts["build"]["info"])
        else:
            row["reason"] = reason(names, provider, by, facts)
        result.append(row)
    return result


def reason(names, provider, by, facts):
    if facts["mode"] == "off":
        return "wolfnano is not active"
    if MODULE in by:
        return "wolfnano is active, but not preferred"
    left_out = {word.upper() for word in re.split(r"[ \t,]+", facts["options"].get("without", ""))}
    if names & left_out:
        return "left out by the option without"
    return "wolfnano does not have it" if provider else \
        "wolfnano does not have it, and no other provider is active that has"


# -- as text ----------------------------------------------------------------------------
def as_text(facts, every):
    rows = head(facts)
    width = max(len(label) for label, _ in rows) + 2
    lines = [f"{label:<{width}}{text}".rstrip() for label, text in rows]
    return "\n".join([*lines, *served(facts, every), *elsewhere(facts, every)])


def head(facts):
    program, config, module, build = (facts[name] for name in
                                      ("openssl", "config", "module", "build"))
    version = f"{MODULE} {module['version']}, " if module["version"] else ""
    rows = [("OpenSSL", f"{program['version']}, {program['program']}"),
            ("configuration", describe_config(config)),
            ("mode", describe_mode(facts)),
            ("module", f"{version}{module['file']}"
             + ("" if module["exists"] else " (not there)"))]
    if build["info"]:
        rows += [("built from", ", ".join(build["info"].split(", ")[:2]).replace(
                     ", none", ", portable C")),
                 ("processor", " ".join(build["cpu"]) or "portable C")]
    rows += [(f"option {name}", value) for name, value in facts["options"].items()]
    return rows


def describe_config(config):
    if not config["file"]:
        return "none (OPENSSL_CONF is empty)"
    notes = [] if config["exists"] else ["not there"]
    notes += ["from OPENSSL_CONF"] if config["from"] == "OPENSSL_CONF" else []
    notes += ["with wolfnano enable"] if config["enabled_by_command"] else []
    return config["file"] + (f" ({', '.join(notes)})" if notes else "")


def describe_mode(facts):
    others = ", ".join(name for name in facts["providers"] if name != MODULE) or "none"
    return facts["mode"] + {
        "prefer": f": wolfnano first, then {others}",
        "only": f": wolfnano, with {others}",
        "beside": f": wolfnano is active beside {others}, without preference",
        "off": f": wolfnano is not active; {others} serves",
    }[facts["mode"]]


def names_of(rows, kind):
    return sorted(row["name"] for row in rows if row["kind"] == kind)


def condensed(names):
    """Names, those of a family of more than three as one: ARIA-… (27)."""
    families = {}
    for name in names:
        families.setdefault(name.partition("-")[0], []).append(name)
    result = []
    for family, members in families.items():
        result += [f"{family}-… ({len(members)})"] if len(members) > 3 else members
    return result


def wrapped(label, words, width=88):
    lines, line = [], f"  {label:<20}"
    for word in words:
        if len(line) + len(word) + 1 > width and line.strip():
            lines.append(line.rstrip())
            line = " " * 22
        line += word + " "
    return [*lines, line.rstrip()]


def served(facts, every):
    rows = [row for row in facts["algorithms"] if row["provider"] == MODULE]
    if not rows:
        return []
    lines = ["", f"served by wolfnano: {len(rows)} algorithms"]
    if every:
        for kind, label in KINDS.items():
            names = names_of(rows, kind)
            lines += wrapped(label, names) if names else []
    else:
        lines += ["  " + ", ".join(f"{len(names_of(rows, kind))} {label}"
                                   for kind, label in KINDS.items() if names_of(rows, kind))]
    lines += ["", "by which code"]
    return lines + [f"  {family:<28}{path}" for family, path in facts["build"]["paths"].items()]


def elsewhere(facts, every):
    groups = {}
    for row in facts["algorithms"]:
        if row["provider"] != MODULE:
            groups.setdefault((row["provider"], row["reason"]), []).append(row)
    lines = []
    for (provider, why), rows in groups.items():
        lines += ["", f"{provider or 'not available'}: {len(rows)} algorithms ({why})"]
        if facts["mode"] in ("off", "beside") and not every:
            continue
        for kind, label in KINDS.items():
            names = names_of(rows, kind)
            lines += wrapped(label, names if every else condensed(names)) if names else []
    return lines
