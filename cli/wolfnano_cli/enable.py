# SPDX-License-Identifier: GPL-3.0-or-later
"""`wolfnano enable`: make wolfnano active in an openssl.cnf."""
import os

from . import conftext, errors, opensslcnf, switch
from .errors import CommandError, EnvironmentProblem
from .installation import MODULE, Installation, add_arguments as add_place, provider_line

NAME = "enable"
HELP = "make wolfnano active in openssl.cnf"
DESCRIPTION = """\
Makes programs that use OpenSSL load wolfnano when they start. openssl.cnf keeps
its text and gets an .include of a file beside it, which `wolfnano disable` takes
out again. What results is tried before and checked after; if openssl does not
work with it, everything is put back. Running it again changes nothing."""
EPILOG = """\
examples:
  wolfnano enable                     for the whole system (as root)
  wolfnano enable --dry-run           show what would change
  wolfnano enable --mode only         without OpenSSL's default provider
  wolfnano enable --config ~/my.cnf   for programs with OPENSSL_CONF=~/my.cnf
  wolfnano enable --config ~/my.cnf --module-dir build
                                      with a module that is not installed

modes:
  prefer  wolfnano first, the default provider for what it does not serve
  only    wolfnano and OpenSSL's base provider; what wolfnano does not serve fails

Programs that are running keep what they have until they are started again.

exit codes:
  0  active (or it was already)
  1  not activated: openssl does not work with it, or the file contradicts
  2  wrong usage
  3  openssl or the module is missing, or the file cannot be written"""

MODES = ("prefer", "only")


def add_config_arguments(parser):
    parser.add_argument("--config", metavar="FILE", help="the openssl.cnf to change "
                        "(default: the one in OPENSSLDIR, see openssl version -d)")
    parser.add_argument("--dry-run", action="store_true",
                        help="show what would change, change nothing")
    parser.add_argument("--quiet", action="store_true", help="print errors only")


def add_arguments(parser):
    parser.add_argument("--mode", choices=MODES, default="prefer",
                        help="prefer wolfnano (the default), or use only wolfnano")
    add_config_arguments(parser)
    add_place(parser)


def config_path(args, place):
    if args.config:
        return os.path.abspath(os.path.expanduser(args.config))
    if place.openssl.sysroot:
        raise CommandError("name the sysroot's file with --config")
    return place.own_config()


def run(args):
    place = Installation(args.openssl, args.module_dir)
    path = config_path(args, place)
    file, module = place.chosen_module()
    problem = place.load_error(file)
    if problem:
        raise EnvironmentProblem(f"{file} cannot be loaded: {problem}")
    say = (lambda text: None) if args.quiet else print
    with switch.opened(path) as now:
        return enable(args, place, module, now, say)


def enable(args, place, module, now, say):
    text = conftext.without_block(now.text or "")
    config = opensslcnf.parse(now.path, text)
    found = opensslcnf.activation(config, place.version)
    if is_done_by_hand(found, args.mode, now.path):
        say(f"{now.path} makes wolfnano active by its own text; nothing was changed")
        return errors.OK
    if now.include_text is not None and conftext.mode_in(now.include_text) is None:
        raise CommandError(f"{now.include} is not of this command; move it away first")
    new = now.with_texts(
        conftext.with_block(text, now.include, config.last_section,
                            now.text is None or conftext.made_by_us(now.text)),
        conftext.include_text(args.mode, found, module, now.path))
    others = [name for name in found.active() if name not in (MODULE, "base")]
    others = [name for name in others if not (args.mode == "only" and name == "default")]
    wanted, unwanted = [MODULE, *others], ["default"] if args.mode == "only" else []
    def check():
        return switch.expect(place.health(now.path), wanted, unwanted)
    if new == now and not check().problem:
        say(f"{now.path}: wolfnano is active already ({args.mode}); nothing was changed")
        return errors.OK
    if now.text is not None:
        switch.refuse_broken(place.health(now.path), now.path)
    health = switch.trial(place, new, wanted, unwanted)
    if health.problem:
        raise CommandError(f"openssl would not work so ({health.problem}); nothing was changed")
    if args.dry_run:
        say(new.diff(now))
        return errors.OK
    health = switch.commit(new, now, check)
    report(args, place, now, health, say)
    return errors.OK


def is_done_by_hand(found, mode, path):
    """Whether the administrator's own text activates wolfnano, and in this mode."""
    theirs = opensslcnf.mode(found, MODULE)
    if theirs == "off":
        return False
    if theirs != mode:
        raise CommandError(f"{path} activates wolfnano by its own text (mode {theirs}); "
                           "take that out first, or change it by hand")
    return True


def report(args, place, now, health, say):
    what = "prefers wolfnano" if args.mode == "prefer" else "uses only wolfnano"
    say(f"{now.path} now {what} (by {now.include}).\n"
        f"Checked with OpenSSL {place.version_text}: {provider_line(health.providers)}.\n"
        "Programs that are running keep what they have until they are started again.")
    if os.environ.get("OPENSSL_CONF") and not args.config:
        say(f"Note: OPENSSL_CONF is set to {os.environ['OPENSSL_CONF']} here, so programs "
            "started from this shell read that file instead.")
