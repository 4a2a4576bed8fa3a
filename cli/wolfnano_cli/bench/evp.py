# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs evpbench, our small program that measures one EVP operation.

It resolves libcrypto at run time, so the one binary of the build serves every
OpenSSL: it is started like the openssl program (through a sysroot's loader
where there is one) and is told which libcrypto file to use.
"""
import json
import os
import subprocess

from .. import openssl
from . import watch

NAME = "evpbench"
PLACES = ("/usr/libexec/wolfnano", "/usr/lib/wolfnano", "/usr/local/libexec/wolfnano")


def find(tree, module_dir):
    """The evpbench program, or None: $WOLFNANO_EVPBENCH, the builds, installed places."""
    named = os.environ.get("WOLFNANO_EVPBENCH")
    places = [named] if named else []
    for folder in (module_dir, os.path.join(tree, "build") if tree else None):
        if folder:
            places += [os.path.join(folder, NAME), os.path.join(folder, "cli", NAME)]
    places += [os.path.join(folder, NAME) for folder in PLACES]
    for place in places:
        if os.path.isfile(place) and os.access(place, os.X_OK):
            return os.path.abspath(place)
    return None


class EvpBench:
    def __init__(self, program, target, conf, **environment):
        self.program, self.target, self.conf = program, target, conf
        self.environment = environment

    def argv(self, row, size, leg, *more):
        operation, algorithm, *options = row.evp
        args = [self.program, "--libcrypto", self.target.libcrypto]
        for provider in leg.providers:
            args += ["--provider", provider]
        if leg.path:
            args += ["--provider-path", leg.path]
        args += ["--op", operation, "--algorithm", algorithm, *options, *more]
        if size:
            args += ["--size", str(size)]
        return [*self.target.prefix, *args]

    def start(self, argv, timeout):
        env = {**self.target.environment(self.conf), **self.environment}
        return subprocess.run(argv, env=env, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, errors="replace",
                              timeout=timeout, check=False)

    def check(self, row, size, leg):
        """Does the operation once; an error text, or "" if it works."""
        return self.result(self.argv(row, size, leg, "--check"), leg, 60)[1]

    def measure(self, row, size, leg, seconds, cpus, stretch=1.0):
        """(result, error): RESULT is evpbench's own, with `single` for threaded rows."""
        found, single = None, None
        for threads in ((1, row.threads) if row.threads > 1 else (1,)):
            argv = self.argv(row, size, leg, "--seconds", f"{seconds:.3f}",
                             "--longest", f"{seconds * stretch:.3f}",
                             "--threads", str(threads),
                             "--cpus", ",".join(str(cpu) for cpu in cpus[:threads]))
            found, error = self.result(argv, leg, seconds + 60)
            if error:
                return None, error
            single = single or found["rate"]
        if row.threads > 1:
            found["single"] = single
        return found, ""

    def result(self, argv, leg, timeout):
        try:
            done = self.start(argv, timeout)
        except subprocess.TimeoutExpired:
            return None, "no result in time"
        except OSError as err:
            return None, f"evpbench: {err.strerror}"
        if done.returncode != 0:
            return None, short(done.stderr) or f"evpbench ended with code {done.returncode}"
        try:
            found = json.loads(done.stdout)
        except ValueError:
            return None, "evpbench printed no result"
        # the operation itself names the provider that did it
        if found["provider"] != leg.providers[0]:
            return None, f"done by {found['provider'] or 'nobody'} instead of {leg.providers[0]}"
        if self.target.version_text.split(" (")[0] != found["libcrypto"]:
            return None, f"ran with {found['libcrypto']}, not with {self.target.version_text}"
        return found, ""


def short(text, limit=110):
    lines = [line.removeprefix("evpbench: ").strip() for line in text.splitlines()]
    line = next((line for line in lines if line), "")
    what, opening, data = line.partition(" (")
    line = what + openssl.in_words(data.removesuffix(")")) if opening else line
    return line if len(line) <= limit else line[:limit - 1].rstrip() + "…"


def cpus_for(core, count):
    """CORE first, then others, for COUNT threads; fewer where there are fewer."""
    others = [cpu for cpu in watch.allowed_cpus() if cpu != core]
    return [core, *others][:max(count, 1)]
