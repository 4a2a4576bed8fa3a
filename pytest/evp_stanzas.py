# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenSSL's EVP test data, taken apart.

A data file is a series of stanzas, ended by blank lines. Some define a key
(PEM or raw) that later stanzas refer to by name; each of the others is one
test, and its first line says of what. This module reads stanzas, knows which
algorithms one needs, and runs each on its own: evp_test gives up on a file at
the first hard error, so every stanza becomes a file of its own, together with
just the keys that it names. Not a byte of a stanza is changed, save that the
line `Availablein`, which asks for a provider by name, can be left out.
"""
import base64
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

PEM_KEYS = ("PrivateKey", "PublicKey", "ParamKey")
RAW_KEYS = ("PrivateKeyRaw", "PublicKeyRaw")
GATES = ("Availablein", "FIPSversion")


@dataclass
class Stanza:
    file: str
    line: int                       # of its first pair
    lines: list = field(default_factory=list)
    pairs: list = field(default_factory=list)   # (name, value)
    keys: dict = field(default_factory=dict)    # name -> [key stanzas]

    @property
    def head(self):
        """The pair that says what the stanza is."""
        for pair in self.pairs:
            if pair[0] not in GATES:
                return pair
        return self.pairs[0]

    @property
    def key_name(self):
        kind, value = self.head
        if kind in PEM_KEYS:
            return value
        if kind in RAW_KEYS:
            return value.split(":")[0]
        return None

    @property
    def providers(self):
        """Those of the Availablein line; empty when there is none."""
        return dict(self.pairs).get("Availablein", "").split()

    @property
    def expects_failure(self):
        return any(name == "Result" for name, _ in self.pairs)

    def used_keys(self):
        """Key stanzas that this one refers to, in their order in the file."""
        found = {}
        for _, value in self.pairs:
            for word in [value, *value.split(":")]:
                for key in self.keys.get(word, ()):
                    found[key.line] = key
        return [found[line] for line in sorted(found)]

    def text(self, keep_gate):
        parts = []
        for stanza in [*self.used_keys(), self]:
            parts += [l for l in stanza.lines if keep_gate or not l.startswith("Availablein")]
            parts.append("\n")
        return "".join(parts)


def read_stanzas(path):
    """All test stanzas of a data file. Keys are attached, not returned."""
    tests, keys, stanza, in_pem = [], {}, None, False
    with open(path, encoding="latin-1") as source:
        for number, line in enumerate([*source, "\n"], 1):
            text = line.rstrip("\n")
            if in_pem:
                stanza.lines.append(line)
                in_pem = not text.startswith("-----END")
            elif text == "":
                if stanza and stanza.key_name:
                    keys.setdefault(stanza.key_name, []).append(stanza)
                elif stanza:
                    tests.append(stanza)
                stanza = None
            elif not text.startswith("#"):
                name, _, value = (part.strip() for part in text.partition("="))
                if name == "Title":
                    continue
                stanza = stanza or Stanza(Path(path).name, number, keys=keys)
                stanza.lines.append(line)
                stanza.pairs.append((name, value))
                in_pem = name in PEM_KEYS
    return tests


# ---- which algorithms a stanza needs ----------------------------------------

# What the first line of a stanza names: its operation, or the operations for
# which a key of that name is used.
NAMES_ALGORITHM = {
    "Cipher": "cipher", "Digest": "digest", "MAC": "mac", "KDF": "kdf",
    "RAND": "rand", "PKEYKDF": "keyexch", "KeyGen": "keymgmt", "KeyFromData": "keymgmt",
    "Kem": "kem",
}
NAMES_KEY = {
    "Sign": "signature", "Verify": "signature", "VerifyRecover": "signature",
    "Decrypt": "asymcipher", "Encrypt": "asymcipher", "Derive": "keyexch",
    "PrivPubKeyPair": None,
}
KEY_OPERATIONS = ("signature", "asymcipher", "keyexch", "kem")
SIGNS_DIGEST = ("DigestSign", "DigestVerify", "OneShotDigestSign", "OneShotDigestVerify")
SIGNS_MESSAGE = ("Sign-Message", "Verify-Message", "Verify-Message-Public")
PBE = {"pbkdf2": "PBKDF2", "scrypt": "SCRYPT", "pkcs12": "PKCS12KDF"}
CONTROLS = {
    "digest": "digest", "md": "digest", "rsa_mgf1_md": "digest", "rsa_oaep_md": "digest",
    "mgf1-digest": "digest", "kdf-digest": "digest",
    "cipher": "cipher", "cekalg": "cipher", "mac": "mac",
}
SIGNATURE_OF_KEY = {"EC": "ECDSA", "1.2.840.10045.2.1": "ECDSA"}
EXCHANGE_OF_KEY = {"EC": "ECDH", "1.2.840.10045.2.1": "ECDH"}


def needed(stanza, known):
    """Pairs (operation, name) of all algorithms that the stanza names. An
    argument may be a nonsense name on purpose, and a key may be used for what
    its type cannot do; so these count only if `known` to somebody."""
    kind, value = stanza.head
    needs = []
    if kind in NAMES_ALGORITHM:
        operation = NAMES_ALGORITHM[kind]
        if value.endswith(" by EVP_PKEY"):
            value = value.removesuffix(" by EVP_PKEY")
            needs.append(("keymgmt", value))
        needs.append((operation, value))
        if operation == "rand":
            needs.append(("rand", "TEST-RAND"))     # evp_test's parent of every generator
    elif kind in SIGNS_DIGEST:
        needs += [("digest", value)] if value not in ("", "NULL") else []
    elif kind in SIGNS_MESSAGE:
        needs.append(("signature", value.split(":")[0]))
    elif kind == "PBE":
        needs.append(("kdf", PBE.get(value, value)))
    operation = NAMES_KEY.get(kind, "signature" if kind in SIGNS_DIGEST else None)
    uncertain = [need for key in stanza.used_keys() for need in key_needs(key, operation)]
    uncertain += [need for pair in stanza.pairs for need in pair_needs(stanza, *pair)]
    return needs + [need for need in uncertain if need[0] == "curve" or known(*need)]


def main_need(stanza, needs):
    """The need without which the stanza cannot pass: the operation that it is
    about. None for one about a key, which any provider may hold."""
    with_key = [need for need in needs if need[0] in KEY_OPERATIONS]
    if with_key or stanza.head[0] in NAMES_KEY:
        return with_key[0] if with_key else None
    return needs[0] if needs else None


def pair_needs(stanza, name, value):
    """What one line besides the first names."""
    if name == "Algorithm" and stanza.head[0] == "MAC":
        mac = stanza.head[1].upper()
        return [("cipher" if mac.startswith(("CMAC", "GMAC")) else "digest", value)]
    if name == "MD":
        return [("digest", value)]
    if name.startswith("Ctrl"):
        control, _, argument = value.partition(":")
        if control in CONTROLS and argument:
            return [(CONTROLS[control], argument)]
    return []


def key_needs(key, operation):
    algorithm, detail = key_algorithm(key)
    needs = [("keymgmt", algorithm)]
    if operation == "signature":
        needs.append((operation, SIGNATURE_OF_KEY.get(algorithm, algorithm)))
    elif operation == "keyexch":
        needs.append((operation, EXCHANGE_OF_KEY.get(algorithm, algorithm)))
    elif operation:
        needs.append((operation, algorithm))
    if detail:
        needs.append(("curve", detail))
    return needs


def key_algorithm(key):
    """(algorithm's name or OID, curve's OID or None) of a key stanza."""
    kind, value = key.head
    if kind in RAW_KEYS:
        return value.split(":")[1], None
    text = "".join(key.lines)
    match = re.search(r"-----BEGIN ([A-Z0-9 ]+)-----\n(.*?)-----END", text, re.S)
    label = match[1]
    if label not in ("PRIVATE KEY", "PUBLIC KEY"):
        name = label.removesuffix(" PRIVATE KEY").removesuffix(" PUBLIC KEY")
        return name.removesuffix(" PARAMETERS").replace("X9.42 DH", "DHX"), None
    return algorithm_identifier(base64.b64decode(match[2]))


def tlv(data, at=0):
    """(tag, content, offset of what follows) of the DER element at `at`."""
    tag, length, at = data[at], data[at + 1], at + 2
    if length & 0x80:
        size = length & 0x7f
        length, at = int.from_bytes(data[at:at + size], "big"), at + size
    return tag, data[at:at + length], at + length


def oid_text(data):
    values, value = [], 0
    for byte in data:
        value = value << 7 | byte & 0x7f
        if not byte & 0x80:
            values.append(value)
            value = 0
    first = min(values[0] // 40, 2)
    return ".".join(map(str, [first, values[0] - 40 * first, *values[1:]]))


def algorithm_identifier(der):
    """From a SubjectPublicKeyInfo or a PKCS#8 PrivateKeyInfo."""
    _, body, _ = tlv(der)
    tag, content, after = tlv(body)
    if tag == 0x02:                         # PKCS#8 begins with a version
        tag, content, after = tlv(body, after)
    _, oid, after = tlv(content)
    algorithm, curve = oid_text(oid), None
    if algorithm == "1.2.840.10045.2.1":
        tag, parameters, _ = tlv(content, after)
        curve = oid_text(parameters) if tag == 0x06 else "explicit parameters"
    return algorithm, curve


# ---- running ----------------------------------------------------------------

@dataclass
class Outcome:
    state: str          # passed, skipped, failed
    reason: str = ""


def run_all(program, config, stanzas, folder, keep_gate=True, jobs=2, batch=90):
    """Runs each stanza on its own; outcomes in the order of `stanzas`."""
    paths = []
    for stanza in stanzas:
        path = Path(folder, f"{stanza.file}:{stanza.line}")
        path.write_text(stanza.text(keep_gate), encoding="latin-1")
        paths.append(str(path))
    batches = [paths[i:i + batch] for i in range(0, len(paths), batch)]
    with ThreadPoolExecutor(jobs) as pool:
        outcomes = {}
        for part in pool.map(lambda b: run_batch(program, config, b), batches):
            outcomes.update(part)
    return [outcomes[path] for path in paths]


def run_batch(program, config, paths):
    """One process for many stanzas; one that ends the process is charged
    with that, and the rest go to another process."""
    outcomes, left = {}, list(paths)
    while left:
        done, how = run_process(program, config, left)
        outcomes.update(done)
        missing = [path for path in left if path not in done]
        if missing:
            outcomes[missing[0]] = Outcome("failed", how)
        left = missing[1:]
    return outcomes


# Seconds for a process; the longest takes a few, also on a slow machine with a sanitiser.
LIMIT = 120


def run_process(program, config, paths):
    environment = {"PATH": os.environ["PATH"]}
    for name in ("LD_PRELOAD", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
        if name in os.environ:
            environment[name] = os.environ[name]
    try:
        done = subprocess.run([program, "-config", config, *paths], capture_output=True,
                              env=environment, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired as late:
        return parse_output(late.stdout or b""), f"no end after {LIMIT} s"
    how = f"evp_test ended with status {done.returncode}"
    return parse_output(done.stdout + done.stderr), how


BLOCK = re.compile(r"# Reading (\S+)\n(.*?)# Completed (\d+) tests with (\d+) errors and "
                   r"(\d+) skipped", re.S)


def parse_output(output):
    """Path -> Outcome, of the stanzas that the process got through."""
    outcomes = {}
    for path, log, tests, errors, skipped in BLOCK.findall(output.decode("latin-1")):
        if int(errors):
            outcomes[path] = Outcome("failed", complaint(log))
        elif int(skipped):
            reasons = re.findall(r"# (skipping.*?)(?:: /\S+)?$", log, re.M)
            outcomes[path] = Outcome("skipped", reasons[-1] if reasons else "not built in")
        elif int(tests) != 1:
            outcomes[path] = Outcome("failed", f"{tests} tests were run instead of one")
        else:
            outcomes[path] = Outcome("passed")
    return outcomes


def complaint(log):
    """The lines of evp_test's log that say what went wrong."""
    lines = [re.sub(r"^\s*# ?", "", line).strip() for line in log.splitlines()]
    lines = [re.sub(r"\S*/([^/ ]+:\d+)", r"\1", line) for line in lines
             if line and not line.startswith(("INFO:", "ERROR:", "OPENSSL_TEST"))
             and not line.endswith("is fetched")]
    return "; ".join(lines[-6:])[:500]
