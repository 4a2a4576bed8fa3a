# SPDX-License-Identifier: GPL-3.0-or-later
"""`wolfnano doctor`: checks an installation and says in words what to do.

Each check is a generator of findings, which are (level, what was found, advice).
A check that finds a problem on which others build ends the run.
"""
import json
import os
import platform
import stat
import struct

from . import __version__, atomic, conftext, cpupath, errors, opensslcnf, status, switch
from .errors import CommandError
from .installation import MODULE, Installation, add_arguments as add_place, provider_line

NAME = "doctor"
HELP = "check an installation and say what to do"
DESCRIPTION = """\
Looks at OpenSSL, the module, openssl.cnf and the environment, and says for each
what is right, what is odd and what is wrong, with the command that mends it.
Changes nothing."""
EPILOG = """\
examples:
  wolfnano doctor                     of the whole system
  wolfnano doctor --config ~/my.cnf   with that file
  wolfnano doctor --module-dir build  with a module that is not installed
  wolfnano doctor --json

exit codes:
  0  wolfnano is active and nothing is wrong (there may be warnings)
  1  something is wrong, or wolfnano is not active
  2  wrong usage
  3  openssl is missing or does not work"""

OK, NOTE, WARNING, PROBLEM = "ok", "note", "warning", "problem"
MACHINES = {"x86_64": 62, "aarch64": 183, "riscv64": 243, "armv7l": 40, "i686": 3}


def add_arguments(parser):
    parser.add_argument("--config", metavar="FILE", help="look at this openssl.cnf (default: "
                        "what applies here)")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    add_place(parser)


class Patient:
    """What the checks look at."""

    def __init__(self, place, path):
        self.place, self.path = place, path
        self.real = os.path.realpath(path) if path else ""
        self.module = place.module_file()
        self.config, self.found, self.providers = opensslcnf.Config(), None, {}


def run(args):
    place = Installation(args.openssl, args.module_dir)
    path = os.path.abspath(os.path.expanduser(args.config)) if args.config \
        else place.effective_config()
    findings = list(examine(Patient(place, path)))
    if args.json:
        print(json.dumps([dict(zip(("level", "found", "advice"), each)) for each in findings],
                         indent=2))
    else:
        for level, what, advice in findings:
            print(f"{level:<9}{what}")
            if advice:
                print(f"{'':<9}-> {advice}")
    return errors.FAILED if any(level == PROBLEM for level, *_ in findings) else errors.OK


def examine(patient):
    for check in (check_openssl, check_environment, check_config, check_module,
                  check_loading, check_ours, check_activation, check_options, check_use):
        for finding in check(patient):
            yield finding
            if finding[0] == PROBLEM and check in (check_config, check_module, check_loading):
                return


def good(what):
    return OK, what, ""


# -- the checks, in their order ------------------------------------------------------------
def check_openssl(patient):
    program = patient.place.openssl
    yield good(f"OpenSSL {patient.place.version_text}, {program.program}"
               + (f" with {program.libcrypto}" if program.libcrypto else ""))
    if program.program != "/usr/bin/openssl" and os.path.exists("/usr/bin/openssl") \
            and not program.sysroot:
        yield (WARNING, f"{program.program} is not the distribution's openssl",
               "the distribution's programs use its own libraries; look at them with "
               "--openssl /usr/bin/openssl")


def check_environment(patient):
    own = patient.place.own_config()
    conf = os.environ.get("OPENSSL_CONF")
    if conf is not None and patient.path == conf:
        yield (WARNING, f"OPENSSL_CONF={conf} takes the place of {own} for programs started here",
               "services do not see it; `unset OPENSSL_CONF` to look at what they get")
    modules = os.environ.get("OPENSSL_MODULES")
    if modules and not patient.place.openssl.sysroot:
        yield (WARNING, f"OPENSSL_MODULES={modules} takes the place of "
               f"{patient.place.modules} for programs started here",
               "services do not see it; `unset OPENSSL_MODULES` to look at what they get")
    if os.environ.get("OPENSSL_CONF_INCLUDE"):
        yield NOTE, "OPENSSL_CONF_INCLUDE is set: relative .include lines start there", ""


def check_config(patient):
    path = patient.path
    if not path or not os.path.exists(path):
        what = f"{path} is not there" if path else "OPENSSL_CONF is empty, so no file is read"
        yield PROBLEM, what + "; wolfnano is not active", "sudo wolfnano enable"
        return
    try:
        patient.config, patient.found = patient.place.read_config(path)
    except CommandError as err:
        yield PROBLEM, f"{err}; OpenSSL ignores the whole file", "mend that line"
        return
    for each in patient.config.files:
        if not os.stat(each).st_mode & stat.S_IROTH:
            yield (WARNING, f"{each} cannot be read by everybody, so that programs of other "
                   "users do not get it", f"chmod a+r {each}, unless you mean it so")
    for each in patient.config.missing:
        yield (WARNING, f"{each} is included, but cannot be read; OpenSSL passes over it",
               "take the .include out, or put the file there")
    yield good(f"{path} can be read")


def check_module(patient):
    entry = patient.found.find(MODULE)
    named = entry.options.get("module") if entry else None
    if named and not patient.place.module_dir:
        patient.module = patient.place.module_file(entry.options)
    file = patient.module
    if not os.path.isfile(file):
        yield (PROBLEM, f"there is no {file}",
               "install the module (cmake --install build, or the Debian package), or name its "
               "folder with --module-dir" if not named else
               f"put it there, or correct module = in [{entry.section}]")
        return
    machine = elf_machine(file)
    wanted = MACHINES.get(platform.machine())
    if machine is None or (wanted and machine != wanted):
        yield (PROBLEM, f"{file} is no module for this processor ({platform.machine()})",
               "install the one that was built for it")
        return
    yield good(f"{file} is there")
    yield from permissions(file)


def elf_machine(file):
    try:
        with open(file, "rb") as module:
            head = module.read(20)
    except OSError:
        return None
    if head[:4] != b"\x7fELF" or len(head) < 20:
        return None
    return struct.unpack("<H" if head[5] == 1 else ">H", head[18:20])[0]


def permissions(file):
    """A module is code that every program runs: nobody else may write it."""
    for path in (file, os.path.dirname(file)):
        facts = os.stat(path)
        if facts.st_mode & stat.S_IWOTH and not facts.st_mode & stat.S_ISVTX:
            yield PROBLEM, f"everybody may write {path}", f"chmod o-w {path}"
        if facts.st_uid not in (0, os.geteuid()):
            yield (WARNING, f"{path} belongs to another user (uid {facts.st_uid}), who can change "
                   "what your programs run", f"chown root {path}")
    if not os.stat(file).st_mode & stat.S_IROTH:
        yield (WARNING, f"{file} cannot be read by everybody", f"chmod a+r {file}")


def check_loading(patient):
    problem = patient.place.load_error(patient.module)
    if problem:
        yield (PROBLEM, f"{patient.module} cannot be loaded: {problem}",
               "install a build for this system; a module from another distribution may need "
               "a newer libc")
        return
    info = status.own_info(patient.place, patient.module)
    configuration, _ = cpupath.features(info)
    yield good(f"it loads ({info})")
    if configuration == "none" and platform.machine() == "x86_64":
        yield (WARNING, "this module is the portable C build, which is no faster than OpenSSL",
               "build with WOLFNANO_ARCH=auto")


def check_ours(patient):
    """What `enable` wrote, if it did."""
    files = switch.Files.of(patient.path)
    block = conftext.has_block(files.text or "")
    if not block:
        if files.include_text is not None:
            yield (NOTE, f"{files.include} is a leftover", "wolfnano disable removes it")
    elif files.include_text is None:
        yield (PROBLEM, f"{files.path} includes {files.include}, which is not there",
               "wolfnano enable writes it again, wolfnano disable takes the line out")
    else:
        yield from outdated(patient, files)
    for each in (files.path, files.include):
        if os.path.exists(atomic.temporary_of(each)):
            yield (NOTE, f"{atomic.temporary_of(each)} is a leftover of a run that was killed",
                   f"rm {atomic.temporary_of(each)}")


def outdated(patient, files):
    text = conftext.without_block(files.text)
    try:
        config = opensslcnf.parse(files.path, text)
        found = opensslcnf.activation(config, patient.place.version)
        mode = conftext.mode_in(files.include_text)
        entry = patient.found.find(MODULE)
        wanted = conftext.include_text(mode, found, entry and entry.options.get("module"),
                                       files.path)
        same = conftext.with_block(text, files.include, config.last_section,
                                   conftext.made_by_us(files.text)) == files.text
    except CommandError as err:
        yield PROBLEM, f"{files.path} contradicts: {err}", "mend it, then wolfnano enable"
        return
    if wanted != files.include_text or not same:
        yield (WARNING, f"{files.path} was changed since wolfnano enable; not all of it may count",
               f"wolfnano enable --mode {mode} once more")


def check_activation(patient):
    try:
        patient.providers = patient.place.openssl.providers(patient.path)
    except CommandError as err:
        yield PROBLEM, f"openssl list -providers fails: {err}", "wolfnano disable, then look again"
        return
    ours = patient.providers.get(MODULE, {})
    if ours.get("status") != "active":
        entry = patient.found.find(MODULE)
        if entry and entry.active:
            yield (PROBLEM, f"[{entry.section}] activates wolfnano, but OpenSSL did not load it",
                   f"is one of its options wrong? {bad_options(entry)}")
        else:
            yield PROBLEM, "wolfnano is not active", "sudo wolfnano enable"
        return
    yield good(f"active: {provider_line(patient.providers)}")
    if ours.get("version") != __version__:
        yield (WARNING, f"this command is {__version__}, the module {ours.get('version')}",
               "install both from the same build")
    mode = opensslcnf.mode(patient.found, MODULE)
    if mode in ("prefer", "only"):
        yield good(f"mode {mode}")
    else:
        yield (WARNING, "wolfnano is active but not preferred, so the default provider serves "
               "what both have", "set default_properties = ?provider=wolfnano, or use "
               "wolfnano enable")


def bad_options(entry):
    return ", ".join(f"{name} = {entry.options[name]}" for name in ("cpu", "without", "block",
                                                                    "module")
                     if name in entry.options) or "none is set"


def check_options(patient):
    entry = patient.found.find(MODULE)
    options = entry.options if entry else {}
    if options.get("block"):
        yield (WARNING, f"block = {options['block']}: these algorithms fail on purpose",
               f"take it out of [{entry.section}] when the trial is over")
    if options.get("cpu"):
        yield (WARNING, f"cpu = {options['cpu']}: instructions of this processor are not used",
               f"take it out of [{entry.section}], unless you mean it so")
    if options.get("without"):
        yield NOTE, f"without = {options['without']}: other providers serve these", ""


def check_use(patient):
    health = patient.place.health(patient.path, clean=False)
    if health.problem:
        yield PROBLEM, f"{health.problem}", "wolfnano disable, then report it (docs/SECURITY.md)"
    else:
        yield good("a digest and random numbers come out right")
