# SPDX-License-Identifier: GPL-3.0-or-later
"""Entry point of the `wolfnano` command.

A subcommand is a module with `NAME`, `HELP`, `add_arguments(parser)` and
`run(args) -> exit code`; to add one, put it into COMMANDS. Exit codes shared
by all of them are in errors.py.
"""
import argparse
import sys

from . import __version__, disable, doctor, enable, errors, status
from .bench import command as bench_command

COMMANDS = [status, enable, disable, doctor, bench_command]


def build_parser():
    parser = argparse.ArgumentParser(
        prog="wolfnano",
        description="Work with the wolfnano provider for OpenSSL.")
    parser.add_argument("--version", action="version", version=f"wolfnano {__version__}")
    sub = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for module in COMMANDS:
        child = sub.add_parser(
            module.NAME, help=module.HELP, description=module.DESCRIPTION,
            epilog=module.EPILOG,
            formatter_class=argparse.RawDescriptionHelpFormatter)
        module.add_arguments(child)
        child.set_defaults(run=module.run)
    return parser


def main(argv=None):
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")    # a terminal that is not UTF-8
    args = build_parser().parse_args(argv)
    try:
        return args.run(args)
    except errors.CommandError as err:
        print(f"wolfnano {args.command}: {err}", file=sys.stderr)
        return err.code
    except KeyboardInterrupt:
        return errors.INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()
        return errors.OK
