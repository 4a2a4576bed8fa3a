# SPDX-License-Identifier: GPL-3.0-or-later
"""wolfCrypt's own benchmark, measured in turn with the rows at 16 KiB.

It shows what the way through EVP costs, where our kernels are faster than what
wolfCrypt has, and which of wolfCrypt's algorithms are slower than OpenSSL's. The
program is wolfCrypt's, unmodified, linked with the objects of the module; the
build makes it on demand. It measures all that one option selects, so the rows
that share an option share a run.
"""
import hashlib
import os
import re
import subprocess

from ..errors import EnvironmentProblem
from . import plan, watch

SIZE = 16384
SECONDS = 0.25             # BENCH_MIN_RUNTIME_SEC of test/wolfcrypt
TARGET = 0.97              # of the raw figure that EVP should reach
NAME = "wolfcrypt-benchmark"
LEG = plan.Leg("raw", "raw wolfCrypt", ())

# row id: its options, and what the program calls the figure
KEYED = ("-aead_set_key",)
FIGURES = {
    **{f"aes-{bits}-{mode}{ours}": ((f"-aes-{mode}",), f"AES-{bits}-{mode.upper()}-{theirs}")
       for bits in (128, 192, 256) for mode in ("gcm", "cbc", "ecb", "cfb", "ofb")
       for ours, theirs in (("", "enc"), ("-decrypt", "dec"))},
    **{f"aes-{bits}-ctr": (("-aes-ctr",), f"AES-{bits}-CTR") for bits in (128, 192, 256)},
    "aes-128-ccm": (("-aes-ccm",), "AES-CCM-enc"),
    "aes-128-xts": (("-aes-xts",), "AES-XTS-enc"),
    "chacha20": (("-chacha20",), "CHACHA"),
    "chacha20-poly1305": (("-chacha20-poly1305",), "CHA-POLY"),
    "des-ede3-cbc": (("-des",), "3DES"),
    "aes-128-gcm-message": ((*KEYED, "-aes-gcm"), "AES-128-GCM-enc"),
    "aes-256-gcm-message": ((*KEYED, "-aes-gcm"), "AES-256-GCM-enc"),
    "aes-256-gcm-open": ((*KEYED, "-aes-gcm"), "AES-256-GCM-dec"),
    "aes-256-gcm-record": (("-aes-gcm",), "AES-256-GCM-enc"),
    "chacha20-poly1305-message": (("-chacha20-poly1305",), "CHA-POLY"),
    "chacha20-poly1305-record": (("-chacha20-poly1305",), "CHA-POLY"),
    "md5": (("-md5",), "MD5"),
    "sha1": (("-sha",), "SHA"),
    **{f"sha{bits}": ((f"-sha{bits}",), f"SHA-{bits}") for bits in (224, 256, 384, 512)},
    "sha256-message": (("-sha256",), "SHA-256"),
    "sha512-256": (("-sha512",), "SHA-512/256"),
    **{f"sha3-{bits}": ((f"-sha3-{bits}",), f"SHA3-{bits}") for bits in (256, 512)},
    **{f"shake{bits}": ((f"-shake{bits}",), f"SHAKE{bits}") for bits in (128, 256)},
    "hmac-sha1": (("-hmac-sha",), "HMAC-SHA"),
    "hmac-sha256": (("-hmac-sha256",), "HMAC-SHA256"),
    "hmac-sha256-message": (("-hmac-sha256",), "HMAC-SHA256"),
    "cmac-aes-128": (("-cmac",), "AES-128-CMAC"),
    "gmac-aes-128": (("-aes-gmac",), "GMAC Table 4-bit"),
    "poly1305": (("-poly1305",), "POLY1305"),
    "rand": (("-rng",), "RNG SHA-256 DRBG"),
}
# how many figures an option makes, for the estimate of the time
MANY = {"-aes-gcm": 12, "-aes-cbc": 6, "-aes-ecb": 6, "-aes-cfb": 6, "-aes-ofb": 6,
        "-aes-ctr": 3, "-aes-xts": 2, "-aes-ccm": 2, "-cmac": 2, "-sha512": 3}
NONE = "wolfCrypt's benchmark does not measure this"
LINE = re.compile(r"([A-Za-z0-9][^,]*),([0-9]+\.[0-9]+),")


def find(tree, module_dir):
    """The program: $WOLFNANO_RAW_BENCHMARK, or beside the module, made there if need be."""
    named = os.environ.get("WOLFNANO_RAW_BENCHMARK")
    folder = module_dir or (os.path.join(tree, "build") if tree else "")
    if not named and folder and os.path.isfile(os.path.join(folder, "CMakeCache.txt")):
        make(folder)
    program = named or os.path.join(folder, NAME)
    if os.path.isfile(program) and os.access(program, os.X_OK):
        return os.path.abspath(program)
    raise EnvironmentProblem(f"--raw: there is no {program}; it is made with "
                             f"`cmake --build build --target {NAME}` where the module is")


def make(folder):
    try:
        done = subprocess.run(["cmake", "--build", folder, "--target", NAME], text=True,
                              capture_output=True, check=False)
    except OSError as err:
        raise EnvironmentProblem(f"--raw: cmake: {err.strerror}") from err
    if done.returncode != 0:
        last = (done.stdout.strip() or done.stderr.strip()).splitlines()[-1:]
        raise EnvironmentProblem(f"--raw: cannot build {NAME}: {' '.join(last)}")


def parse(text):
    """{name: bytes per second} of the program's output with -csv -base10."""
    return {name: float(rate) * 1e6 for name, rate in LINE.findall(text)}


def size_for(sizes):
    return SIZE if SIZE in sizes else max(sizes)


class Raw:
    def __init__(self, program, core, size):
        self.program, self.core, self.size = program, core, size
        self.done = (None, {})     # the round, and its runs: options -> ({name: rate}, error)

    def serves(self, cell):
        """Rows of bytes; where wolfCrypt measures nothing like it, measure() says so."""
        return cell.size == self.size and cell.row.sized and cell.row.threads == 1

    def seconds(self, cells):
        """What a round of all CELLS takes."""
        runs = {FIGURES[cell.row.id][0] for cell in cells
                if self.serves(cell) and cell.row.id in FIGURES}
        return sum(SECONDS * (MANY.get(options[-1], 1) + 0.2) for options in runs)

    def measure(self, cell, round_no):
        """A rate in calls per second, or None and why."""
        if cell.row.id not in FIGURES:
            return None, NONE
        options, name = FIGURES[cell.row.id]
        if self.done[0] != round_no:
            self.done = (round_no, {})
        if options not in self.done[1]:
            self.done[1][options] = self.run(options)
        found, error = self.done[1][options]
        if name not in found:
            return None, error or f"{NAME} {' '.join(options)} gave no figure for {name}"
        return found[name] / self.size, ""

    def run(self, options):
        argv = [self.program, "-csv", "-base10", *options, str(self.size)]
        try:
            with subprocess.Popen(argv, text=True, stdin=subprocess.DEVNULL, errors="replace",
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
                watch.pin(process.pid, {self.core})
                begun = watch.clock()
                text = process.stdout.read()
                # still there until it is waited for
                elapsed, lost = watch.clock() - begun, watch.waited(process.pid) or 0.0
        except OSError as err:
            return {}, f"{NAME}: {err.strerror}"
        if process.returncode != 0:
            return {}, f"{NAME} ended with code {process.returncode}"
        share = max(0.05, 1 - lost / elapsed) if elapsed > 0 else 1.0
        return {name: rate / share for name, rate in parse(text).items()}, ""

    def about(self):
        with open(self.program, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        return {"program": self.program, "sha256": digest, "size": self.size,
                "seconds": SECONDS, "target": TARGET}
