# SPDX-License-Identifier: GPL-3.0-or-later
"""The change of an openssl.cnf that `enable` and `disable` make.

Two files are involved, the administrator's and ours that it includes. Each is
replaced as a whole, in an order in which every state between works: ours is
there before it is included, and goes after it no longer is. What is about to be
is tried on copies first and checked again afterwards; if openssl does not work
then, what was before is put back.
"""
import contextlib
import difflib
import os
import signal
import tempfile
from dataclasses import dataclass

from . import atomic, conftext, opensslcnf
from .errors import CommandError, EnvironmentProblem


def read(path):
    """The text of a file; None if there is none."""
    try:
        return opensslcnf.read_text(path)
    except FileNotFoundError:
        return None
    except OSError as err:
        raise EnvironmentProblem(f"cannot read {path}: {err.strerror}") from err


@dataclass
class Files:
    """An openssl.cnf and our file beside it; a text of None is an absent file."""
    path: str
    include: str
    text: str = None
    include_text: str = None

    @classmethod
    def of(cls, path):
        real, include = conftext.names_of(path)
        return cls(real, include, read(real), read(include))

    def with_texts(self, text, include_text):
        return Files(self.path, self.include, text, include_text)

    def write(self, now):
        """From the state `now` to this one, so that each step leaves a working file."""
        if self.include_text is not None and self.include_text != now.include_text:
            atomic.replace(self.include, self.include_text)
        if self.text != now.text:
            if self.text is None:
                atomic.remove(self.path)
            else:
                atomic.replace(self.path, self.text)
        if self.include_text is None and now.include_text is not None:
            atomic.remove(self.include)

    def diff(self, now):
        lines = []
        for path, before, after in ((self.path, now.text, self.text),
                                    (self.include, now.include_text, self.include_text)):
            if before != after:
                lines += difflib.unified_diff(
                    (before or "").splitlines(), (after or "").splitlines(),
                    path if before is not None else "/dev/null",
                    path if after is not None else "/dev/null", lineterm="", n=2)
        return "\n".join(lines)


@contextlib.contextmanager
def opened(path):
    """The Files of `path`, locked for this process, leftovers of killed runs removed."""
    real, _ = conftext.names_of(path)
    folder = os.path.dirname(real)
    if not os.path.isdir(folder):
        raise EnvironmentProblem(f"there is no folder {folder}")
    with atomic.locked(folder):
        yield Files.of(path)


def refuse_broken(health, path):
    if health.problem:
        raise CommandError(f"openssl does not work with {path} as it is ({health.problem}); "
                           "nothing was changed. Mend that first")


def expect(health, wanted, unwanted=()):
    """health, with a problem if a provider is not active, or one that should not be is."""
    active = health.active()
    lacking = [name for name in wanted if name not in active]
    surplus = [name for name in unwanted if name in active]
    if not health.problem and (lacking or surplus):
        health.problem = "; ".join(filter(None, [
            lacking and f"{', '.join(lacking)} would not be active",
            surplus and f"{', '.join(surplus)} would still be active"]))
    return health


def trial(place, files, wanted, unwanted):
    """Health with copies of the files, in a folder of their own."""
    with tempfile.TemporaryDirectory(prefix="wolfnano-") as folder:
        path = os.path.join(folder, "openssl.cnf")
        include = conftext.include_file_of(path)
        text = files.text.replace(conftext.quoted(files.include), conftext.quoted(include))
        for name, content in ((path, text), (include, files.include_text)):
            with open(name, "w", encoding="utf-8", errors="surrogateescape", newline="") as out:
                out.write(content)
        return expect(place.health(path), wanted, unwanted)


@contextlib.contextmanager
def uninterrupted():
    """Ctrl-C and a polite kill wait until the files are as they shall be."""
    waiting = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, waiting)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def commit(new, now, check):
    """Writes `new` over `now`; `check()` gives a Health, and a problem undoes it all."""
    if Files.of(now.path) != now:
        raise CommandError(f"{now.path} was changed by somebody else meanwhile; try again")
    with uninterrupted():
        try:
            new.write(now)
            health = check()
            if health.problem:
                raise CommandError(f"openssl did not work afterwards ({health.problem})")
            return health
        except BaseException as err:
            try:
                now.write(Files.of(now.path))
            except CommandError as second:
                raise CommandError(
                    f"{err}; and putting back what was before failed too: {second}") from err
            if isinstance(err, CommandError):
                raise type(err)(f"{err}; all is as it was before") from err
            raise
