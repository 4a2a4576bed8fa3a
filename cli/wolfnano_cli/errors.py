# SPDX-License-Identifier: GPL-3.0-or-later
"""Exit codes of the wolfnano command and the exceptions that carry them."""

OK = 0
FAILED = 1        # it ran, but what was asked for did not come out
USAGE = 2         # wrong option or argument (argparse uses 2 as well)
ENVIRONMENT = 3   # openssl, the module or a needed program is missing or unusable
INTERRUPTED = 130


class CommandError(Exception):
    """One clear sentence for the user, with the exit code that goes with it."""
    code = FAILED


class UsageError(CommandError):
    code = USAGE


class EnvironmentProblem(CommandError):
    code = ENVIRONMENT
