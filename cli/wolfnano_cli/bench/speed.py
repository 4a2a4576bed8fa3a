# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs `openssl speed -mr` and reads what it prints on stderr.

A slot is announced and then reported:

    +DT:NAME:SECONDS:SIZE              +R:COUNT:NAME:TIME
    +DTP:BITS:WHAT:ALGORITHM:SECONDS   +R7:COUNT:...:TIME
    +DTP:ALGORITHM:WHAT:SECONDS        +R16:COUNT:...:TIME   (3.2 and later)

The number after +R and the fields after COUNT differ between versions, so the
announcement says what was measured and the report only gives count and time.
A slot lasts whole seconds; it is ended early by sending the SIGALRM that openssl
speed waits for, as soon as the process has had its share of the core.
"""
import os
import re
import select
import signal
import subprocess
from dataclasses import dataclass

from .. import openssl
from . import watch

ANNOUNCED = re.compile(r"\+DT:(.*):(\d+):(\d+)$")
ANNOUNCED_OP = re.compile(r"\+DTP:(.*):(\d+)$")
REPORTED = re.compile(r"\+R\d*:(-?\d+):(.*:)?([0-9.]+)$")
# both ends of the interval are whole ticks of 10 ms, and the reader may be late
TOLERANCE = 0.035
WORDS = {"private": "sign", "public": "verify", "signs": "sign", "encaps": "encap",
         "decaps": "decap"}


@dataclass
class Slot:
    what: str          # "bytes", or sign, verify, encrypt, decrypt, derive, keygen, …
    name: str          # as openssl speed writes it
    size: int          # bytes per call, 0 for operations on keys
    count: int = -1
    ticks: float = 0.0      # openssl's own time
    elapsed: float = 0.0    # ours
    waited: float = 0.0     # of it, runnable but not running

    @property
    def trusted(self):
        """Our time agrees with openssl's coarse one: we were not late to look."""
        return abs(self.elapsed - self.ticks) <= TOLERANCE

    @property
    def seconds(self):
        """The time to divide by."""
        whole = self.elapsed if self.trusted else self.ticks
        return max(whole - self.waited, whole * 0.05)

    @property
    def rate(self):
        return self.count / self.seconds if self.count > 0 and self.seconds > 0 else 0.0


def announced(line):
    """The Slot that LINE announces, or None."""
    found = ANNOUNCED.match(line)
    if found:
        return Slot("bytes", found.group(1), int(found.group(3)))
    found = ANNOUNCED_OP.match(line)
    if not found:
        return None
    fields = found.group(1).split(":")
    if len(fields) == 2:                        # KEM and signature algorithms
        return Slot(WORDS.get(fields[1], fields[1]), fields[0], 0)
    if len(fields) != 3:
        return None
    bits, what, name = fields
    if not what:
        return Slot("derive", name, 0)
    # "private" + "rsa" up to 3.1, "private" + "rsa sign" later
    what = name.split()[-1] if " " in name else WORDS.get(what, what)
    return Slot(what, f"{name.split()[0]} {bits}", 0)


def parse(lines):
    """Slots out of finished output (without times of our own)."""
    slots, current = [], None
    for line in lines:
        line = line.strip()
        fresh = announced(line)
        if fresh:
            current = fresh
        elif current and finish(current, line):
            slots.append(current)
            current = None
    return slots


def finish(slot, line):
    found = REPORTED.match(line)
    if not found:
        return False
    slot.count, slot.ticks = int(found.group(1)), float(found.group(3))
    return True


class Run:
    """One `openssl speed` process, watched while it runs."""

    def __init__(self, target, args, conf, core, seconds, on_wait=None, stretch=1.0):
        """STRETCH: how many times SECONDS a slot may last when others want the core, too."""
        whole = int(seconds * stretch) + 1
        self.seconds, self.longest, self.on_wait = seconds, seconds * stretch, on_wait
        self.argv = target.argv("speed", "-mr", "-elapsed", "-seconds", str(whole), *args)
        self.text, self.slots, self.current = [], [], None
        self.started = self.wait0 = self.alarm_at = None
        self.process = subprocess.Popen(
            self.argv, env=target.environment(conf), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if core is not None:
            watch.pin(self.process.pid, {core})

    def collect(self, wanted, patience=60.0):
        """Read until every slot in WANTED (set of `what`) has come, or the process ends.

        Slots that nobody wants (`rsa2048` of 3.5 goes on with key generation)
        are not waited for: the process is ended.
        """
        missing, pipe = set(wanted), self.process.stderr
        fd, rest, limit = pipe.fileno(), b"", watch.clock() + patience
        try:
            while missing:
                now = watch.clock()
                if now > limit:
                    self.text.append("no result in time")
                    break
                until = min(x for x in (limit, self.alarm_at, now + 0.25) if x is not None)
                ready, _, _ = select.select([fd], [], [], max(0.0, until - now))
                if self.alarm_at is not None and watch.clock() >= self.alarm_at:
                    self.time_is_up()
                if not ready:
                    if self.on_wait:
                        self.on_wait()
                    continue
                data = os.read(fd, 65536)
                if not data:
                    break
                stamp, wait = watch.clock(), watch.waited(self.process.pid)
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    done = self.line(line.decode("utf-8", "replace").strip(), stamp, wait)
                    if done:
                        missing.discard(done.what)
                        limit = watch.clock() + patience
        finally:
            self.end()
        return self.slots

    def line(self, line, stamp, wait):
        fresh = announced(line)
        if fresh:
            self.current, self.started, self.wait0 = fresh, stamp, wait
            self.alarm_at = stamp + self.seconds
            return None
        if self.current and finish(self.current, line):
            slot, self.current, self.alarm_at = self.current, None, None
            slot.elapsed = stamp - self.started
            if wait is not None and self.wait0 is not None:
                slot.waited = max(0.0, wait - self.wait0)
            self.slots.append(slot)
            return slot
        if line:
            self.text.append(line)
        return None

    def time_is_up(self):
        """End the slot, or let it go on if it has spent its time waiting for the core."""
        now, wait = watch.clock(), watch.waited(self.process.pid)
        elapsed = now - self.started
        lost = wait - self.wait0 if wait is not None and self.wait0 is not None else 0.0
        short = self.seconds - (elapsed - lost)
        if short > 0.1 * self.seconds and elapsed < self.longest:
            self.alarm_at = min(now + short, self.started + self.longest)
            return
        self.alarm_at = None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGALRM)

    def end(self):
        if self.process.poll() is None:
            # it is done with what we wanted; give it a moment, then stop it
            try:
                self.process.wait(0.02)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stderr.close()

    @property
    def error(self):
        text = openssl.short_error("\n".join(self.text))
        if not text and self.process.returncode not in (0, None, -signal.SIGKILL):
            text = f"openssl speed ended with code {self.process.returncode}"
        return text
