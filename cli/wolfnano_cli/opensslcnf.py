# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads an openssl.cnf as libcrypto does, to know what it comes to (config(5)).

What matters here: a section named twice is one section, the last value of a
name wins, `.include` reads on in the section that is open, and a missing
include is passed over. Nothing is written by this module.
"""
import os
import re
from dataclasses import dataclass, field

from .errors import CommandError

NAME = re.compile(r"(?:[A-Za-z0-9_!.%&*+,/;?@^~|-]|\\.)+")
VARIABLE = re.compile(r"[A-Za-z0-9_]*")
QUOTES = "\"'`"
OFF = {"0", "no", "NO", "false", "FALSE", "off", "OFF"}
STRICT_ACTIVATE = (3, 3)      # earlier versions take any value of activate as yes


class ConfigError(CommandError):
    """A line that libcrypto could not read either."""


def read_text(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


@dataclass
class Config:
    sections: dict = field(default_factory=lambda: {"default": {}})
    files: list = field(default_factory=list)       # all that were read
    missing: list = field(default_factory=list)     # includes that are not there
    last_section: str = "default"                   # open at the end of the file

    def value(self, section, name):
        """As NCONF_get_string: the section's own, or the default section's."""
        if section == "ENV" and name in os.environ:
            return os.environ[name]
        for place in (section, "default"):
            if name in self.sections.get(place, {}):
                return self.sections[place][name]
        return None

    def own(self, section):
        return self.sections.get(section, {})


def parse(path, text=None):
    """The Config of file `path`, or of `text` as if it stood there."""
    config = Config()
    reader = _Reader(config)
    reader.file(path, read_text(path) if text is None else text)
    config.last_section = reader.section
    return config


class _Reader:
    def __init__(self, config):
        self.config, self.section = config, "default"
        self.dollarid = False
        self.includedir = None
        self.depth = 0

    def file(self, path, text):
        self.config.files.append(path)
        if self.depth > 20:
            raise ConfigError(f"{path}: files include each other without end")
        self.depth += 1
        for number, line in logical_lines(text):
            try:
                self.line(strip_comment(line).strip(" \t\r\n"))
            except _Unreadable as err:
                raise ConfigError(f"{path}, line {number}: {err}") from None
        self.depth -= 1

    def line(self, line):
        if not line:
            return
        if line.startswith("["):
            name, bracket, _ = line[1:].partition("]")
            if not bracket:
                raise _Unreadable("no closing ]")
            self.section = self.expand(name.strip(), "default")
            self.config.sections.setdefault(self.section, {})
            return
        found = NAME.match(line)
        name, rest = (found[0], line[found.end():]) if found else ("", line)
        section = self.section
        if found and rest.startswith("::"):
            section, found = name, NAME.match(rest[2:])
            name, rest = (found[0], rest[2 + found.end():]) if found else ("", rest)
        rest = rest.lstrip()
        value = rest[1:].lstrip() if rest.startswith("=") else rest
        if name == ".include":
            self.include(self.expand(value, section))
        elif name == ".pragma":
            self.pragma(value)
        elif not rest.startswith("="):
            raise _Unreadable("no = sign")
        else:
            values = self.config.sections.setdefault(section, {})
            values.pop(name, None)      # the last one counts, and comes last
            values[name] = self.expand(value, section)

    def pragma(self, value):
        word, _, setting = value.partition(":")
        word, setting = word.strip(), setting.strip()
        if word == "dollarid":
            self.dollarid = setting.lower() in ("on", "true")
        elif word == "includedir":
            self.includedir = setting

    def include(self, path):
        folder = os.environ.get("OPENSSL_CONF_INCLUDE") or self.includedir
        if folder and not os.path.isabs(path):
            path = os.path.join(folder, path)
        paths = [path]
        if os.path.isdir(path):
            paths = [entry.path for entry in os.scandir(path)
                     if entry.name.lower().endswith((".cnf", ".conf"))]
        for each in paths:
            try:
                text = read_text(each)
            except OSError:
                self.config.missing.append(each)
                continue
            self.file(each, text)

    def expand(self, text, section):
        """The value with quotes, escapes and $variables resolved."""
        out, i = [], 0
        while i < len(text):
            char = text[i]
            if char in QUOTES:
                end = closing(text, i)
                out.append(re.sub(r"\\(.)", r"\1", text[i + 1:end]))
                i = end + 1
            elif char == "\\":
                following = text[i + 1:i + 2]
                out.append({"r": "\r", "n": "\n", "b": "\b", "t": "\t"}.get(following, following))
                i += 2
            elif char == "$" and (not self.dollarid or text[i + 1:i + 2] in ("{", "(")):
                value, i = self.variable(text, i + 1, section)
                out.append(value)
            else:
                out.append(char)
                i += 1
        return "".join(out)

    def variable(self, text, at, section):
        close = {"{": "}", "(": ")"}.get(text[at:at + 1], "")
        at += len(close)
        found = VARIABLE.match(text, at)
        name, at = found[0], found.end()
        if text.startswith("::", at):
            section, found = name, VARIABLE.match(text, at + 2)
            name, at = found[0], found.end()
        if close and text[at:at + 1] != close:
            raise _Unreadable(f"no {close} after a variable")
        value = self.config.value(section, name)
        if value is None:
            raise _Unreadable(f"the variable {name} has no value")
        return value, at + len(close)


class _Unreadable(Exception):
    pass


def logical_lines(text):
    """(number, line), continued lines joined."""
    held, first = "", 1
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        line = line.rstrip("\r")
        first = first if held else number
        if line.endswith("\\") and not line.endswith("\\\\"):
            held += line[:-1]
            continue
        yield first, held + line
        held = ""
    if held:
        yield first, held


def closing(text, start):
    """The index of the quote that ends the one at `start`, or the end."""
    i = start + 1
    while i < len(text) and text[i] != text[start]:
        i += 2 if text[i] == "\\" else 1
    return min(i, len(text))


def strip_comment(line):
    i = 0
    while i < len(line):
        if line[i] == "#":
            return line[:i]
        if line[i] in QUOTES:
            i = closing(line, i)
        elif line[i] == "\\":
            i += 1
        i += 1
    return line


# -- what a configuration activates ------------------------------------------
@dataclass
class Provider:
    name: str           # under which it is loaded
    section: str
    options: dict
    active: bool


@dataclass
class Activation:
    """What libcrypto makes of a Config at start-up."""
    init: str = ""              # section that openssl_conf names
    listed: str = ""            # section that its providers names
    algorithms: str = ""        # section that its alg_section names
    providers: list = field(default_factory=list)
    properties: str = ""        # default_properties
    fips_mode: bool = False

    def find(self, name):
        return next((each for each in self.providers if each.name == name), None)

    def active(self):
        """Names of the providers that become active; the default one is, if no other."""
        return [each.name for each in self.providers if each.active] or ["default"]


def activation(config, version):
    found = Activation()
    found.init = config.own("default").get("openssl_conf", "")
    for module, value in config.own(found.init).items():
        kind = module.rpartition(".")[0] or module
        if kind == "providers":
            found.listed = value
        elif kind == "alg_section":
            found.algorithms = value
    for name, section in config.own(found.listed).items():
        options = config.own(section)
        name = options.get("identity", name.partition(".")[2] or name)
        active = "activate" in options and (
            version < STRICT_ACTIVATE or options["activate"] not in OFF)
        found.providers.append(Provider(name, section, options, active))
    algorithms = config.own(found.algorithms)
    found.properties = algorithms.get("default_properties", "")
    found.fips_mode = algorithms.get("fips_mode", "no").lower() in ("yes", "true", "y", "1")
    return found


def mode(found, name):
    """prefer, only, beside (active, but not preferred) or off."""
    active = found.active()
    if name not in active:
        return "off"
    words = [word.strip().replace(" ", "") for word in found.properties.split(",")]
    if f"?provider={name}" in words or f"provider={name}" in words:
        return "prefer" if "default" in active else "only"
    return "beside" if "default" in active else "only"
