# SPDX-License-Identifier: GPL-3.0-or-later
"""`wolfnano disable`: take out of an openssl.cnf what `wolfnano enable` put in."""
from . import conftext, errors, opensslcnf, switch
from .enable import add_config_arguments, config_path
from .errors import CommandError, EnvironmentProblem
from .installation import (MODULE, Health, Installation, add_arguments as add_place,
                           provider_line)

NAME = "disable"
HELP = "undo `wolfnano enable`"
DESCRIPTION = """\
Takes the .include that `wolfnano enable` added out of openssl.cnf, which is then
to the letter what it was, and removes the included file. Checked afterwards, and
put back if openssl does not work then. Running it again changes nothing."""
EPILOG = """\
examples:
  wolfnano disable                    for the whole system (as root)
  wolfnano disable --dry-run          show what would change
  wolfnano disable --config ~/my.cnf

exit codes:
  0  not active any more (or it was not)
  1  the file makes wolfnano active by its own text, or openssl would not work
  2  wrong usage
  3  openssl is missing, or the file cannot be written"""


def add_arguments(parser):
    add_config_arguments(parser)
    add_place(parser)


def run(args):
    place = place_of(args)
    path = config_path(args, place)
    say = (lambda text: None) if args.quiet else print
    with switch.opened(path) as now:
        return disable(args, place, now, say)


def place_of(args):
    """None where openssl is not there or does not start: a file that is named can be
    given back as it was all the same."""
    try:
        return Installation(args.openssl, args.module_dir)
    except EnvironmentProblem:
        if not args.config:
            raise
        return None


def disable(args, place, now, say):
    text = conftext.without_block(now.text or "")
    new = now.with_texts(
        None if now.text is None or conftext.made_by_us(now.text) and not text.strip() else text,
        now.include_text if conftext.mode_in(now.include_text or "") is None else None)
    if new == now:
        refuse_by_hand(place, now.path, text)
        say(f"{now.path}: wolfnano is not enabled; nothing was changed")
        return errors.OK
    if args.dry_run:
        say(new.diff(now))
        return errors.OK
    worked = place and not place.health(now.path).problem

    def check():
        health = place.health(now.path) if place else Health()
        if not worked:      # then it cannot become worse
            health.problem = ""
        return health
    health = switch.commit(new, now, check)
    refuse_by_hand(place, now.path, text)
    say(f"{now.path} no longer makes wolfnano active.")
    say(f"Checked with OpenSSL {place.version_text}: {provider_line(health.providers)}.\n"
        "Programs that are running keep what they have until they are started again."
        if place else "There is no openssl to check it with.")
    return errors.OK


def refuse_by_hand(place, path, text):
    version = place.version if place else (3, 0, 0)
    found = opensslcnf.activation(opensslcnf.parse(path, text), version)
    if MODULE in found.active():
        raise CommandError(f"{path} activates wolfnano by its own text, which this command "
                           "does not change; take it out by hand")
